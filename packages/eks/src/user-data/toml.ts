type TomlScalar = string | number | boolean;
type TomlValue = TomlScalar | readonly TomlScalar[] | readonly (readonly string[])[];
export interface TomlTable {
  readonly [key: string]: TomlValue | TomlTable;
}

/** TOML as Bottlerocket reads it: tables of scalars and arrays, keys in the order given. */
export function toToml(root: TomlTable): string {
  return `${tables(root, []).join("\n\n")}\n`;
}

function tables(table: TomlTable, path: readonly string[]): string[] {
  const entries = Object.entries(table);
  const own = entries.filter((entry): entry is [string, TomlValue] => !isTable(entry[1]));
  const nested = entries.filter((entry): entry is [string, TomlTable] => isTable(entry[1]));
  const lines = own.map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`);
  const header = path.length > 0 && lines.length > 0 ? [`[${path.map(tomlKey).join(".")}]`] : [];
  const block = [...header, ...lines].join("\n");
  return [...(block === "" ? [] : [block]), ...nested.flatMap(([key, child]) => tables(child, [...path, key]))];
}

function isTable(value: TomlValue | TomlTable): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** TOML's basic strings and JSON's agree on every escape that JSON writes. */
function tomlValue(value: TomlValue): string {
  if (Array.isArray(value)) return `[${value.map((item: TomlValue) => tomlValue(item)).join(", ")}]`;
  return JSON.stringify(value);
}
