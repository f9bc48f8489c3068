import { readFileSync, writeFileSync } from "node:fs";

const WIDTH = 300;
/** A list of words no longer than these stays on its line. */
const WORD = 20;

/** Reads a JSON file; the shape is the caller's claim and is checked by the catalog's own tests on what is written. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

/** Writes a data file and says how large it became. */
export function writeData(path: string, document: object, tables: readonly string[] = []): void {
  writeFileSync(path, `${formatDocument(document, tables)}\n`);
}

/**
 * Pretty JSON that a reviewer can diff: what fits on a line stays on it, and every record of a table has exactly one
 * line, however long.
 */
export function formatDocument(document: object, tables: readonly string[] = []): string {
  const fields = Object.entries(document).map(([key, value]) => {
    const body = tables.includes(key) ? table(value as object) : pretty(value, "  ", key.length + 4);
    return `  ${JSON.stringify(key)}: ${body}`;
  });
  return `{\n${fields.join(",\n")}\n}`;
}

function table(value: object): string {
  const rows = Array.isArray(value)
    ? value.map((record) => inline(record))
    : Object.entries(value).map(([key, record]) => `${JSON.stringify(key)}: ${inline(record)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return rows.length === 0 ? open + close : `${open}\n${rows.map((row) => `    ${row}`).join(",\n")}\n  ${close}`;
}

function pretty(value: unknown, indent: string, used: number): string {
  const short = inline(value);
  if (short.length + used + indent.length <= WIDTH || value === null || typeof value !== "object") return short;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" && inline(item).length <= WORD))
    return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + pretty(item, inner, 0)).join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${pretty(item, inner, key.length + 4)}`,
  );
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`);
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }
  return JSON.stringify(value);
}
