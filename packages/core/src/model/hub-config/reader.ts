/** Largest number that any field of a real config has: past it a number is a slip. */
const MOST = 2 ** 40;

/**
 * Reads fields of a config.json by any of their names, and keeps every problem instead of stopping at the first. After a
 * problem the values are placeholders: nothing may be computed from them.
 */
export class ConfigReader {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #path: string;
  /** Shared with the sections, in the order of reading. */
  readonly problems: string[];

  constructor(raw: Readonly<Record<string, unknown>>, path = "", problems: string[] = []) {
    this.#raw = raw;
    this.#path = path;
    this.problems = problems;
  }

  /** A whole number above 0 that the model cannot do without. */
  count(...names: readonly [string, ...string[]]): number {
    const found = this.#find(names);
    if (found !== undefined) return this.#whole(found.name, found.value, 1);
    const [first, ...others] = names;
    this.problems.push(
      `${this.#path}${first} is missing${others.length > 0 ? ` (also read as ${others.join(", ")})` : ""}`,
    );
    return 1;
  }

  /** A whole number above 0, with the value that the model's own code takes where the field is left out. */
  countOr(fallback: number, ...names: readonly string[]): number {
    const found = this.#find(names);
    return found === undefined ? fallback : this.#whole(found.name, found.value, 1);
  }

  /** A whole number of 0 or more. */
  amountOr(fallback: number, ...names: readonly string[]): number {
    const found = this.#find(names);
    return found === undefined ? fallback : this.#whole(found.name, found.value, 0);
  }

  /** Any number: a ratio, a factor. */
  numberOr(fallback: number, ...names: readonly string[]): number {
    const found = this.#find(names);
    if (found === undefined) return fallback;
    if (typeof found.value === "number" && Number.isFinite(found.value)) return found.value;
    this.problems.push(`${this.#path}${found.name} is ${shown(found.value)}; it must be a number`);
    return fallback;
  }

  flag(fallback: boolean, ...names: readonly string[]): boolean {
    const found = this.#find(names);
    if (found === undefined) return fallback;
    if (typeof found.value === "boolean") return found.value;
    this.problems.push(`${this.#path}${found.name} is ${shown(found.value)}; it must be true or false`);
    return fallback;
  }

  text(...names: readonly string[]): string | null {
    const found = this.#find(names);
    return typeof found?.value === "string" ? found.value : null;
  }

  /** Absent, null and empty lists are all null. */
  list(...names: readonly string[]): readonly unknown[] | null {
    const found = this.#find(names);
    return Array.isArray(found?.value) && found.value.length > 0 ? found.value : null;
  }

  /** A nested object; null: not there. Its problems are kept with ours, under its name. */
  section(...names: readonly string[]): ConfigReader | null {
    const found = this.#find(names);
    if (found === undefined || !isRecord(found.value)) return null;
    return new ConfigReader(found.value, `${this.#path}${found.name}.`, this.problems);
  }

  /** All nested objects, in the file's order. */
  sections(): readonly ConfigReader[] {
    return Object.keys(this.#raw).flatMap((name) => this.section(name) ?? []);
  }

  /** Entries of a nested object or list; null: not there. */
  size(name: string): number | null {
    const found = this.#find([name]);
    return typeof found?.value === "object" && found.value !== null ? Object.keys(found.value).length : null;
  }

  /** The same fields with some set, for a family whose code fixes them. */
  with(fields: Readonly<Record<string, unknown>>): ConfigReader {
    return new ConfigReader({ ...this.#raw, ...fields }, this.#path, this.problems);
  }

  /** A reader of the same fields whose problems are not kept. */
  silent(): ConfigReader {
    return new ConfigReader(this.#raw);
  }

  /** The same fields, with those of another reader where they are left out. */
  withDefaults(other: ConfigReader, names: readonly string[]): ConfigReader {
    const missing = names.filter((name) => !this.has(name) && other.has(name));
    return this.with(Object.fromEntries(missing.map((name) => [name, other.#raw[name]])));
  }

  /** Present and neither 0, false nor empty. */
  isSet(name: string): boolean {
    const value = this.#find([name])?.value;
    if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
    return value !== undefined && value !== 0 && value !== false && value !== "";
  }

  has(name: string): boolean {
    return this.#find([name]) !== undefined;
  }

  /** A field that means something this reader cannot tell. */
  refuse(problem: string): void {
    this.problems.push(problem);
  }

  #find(names: readonly string[]): { readonly name: string; readonly value: unknown } | undefined {
    for (const name of names) {
      const value = Object.hasOwn(this.#raw, name) ? this.#raw[name] : undefined;
      if (value !== undefined && value !== null) return { name, value };
    }
    return undefined;
  }

  #whole(name: string, value: unknown, least: number): number {
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= MOST) return value;
    this.problems.push(
      `${this.#path}${name} is ${shown(value)}; it must be a whole number ${least === 0 ? "of 0 or more" : "above 0"}`,
    );
    return 1;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
