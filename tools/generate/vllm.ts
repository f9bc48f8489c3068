import type { RawFlag, RawVllmVersion } from "./raw.ts";

/** Minor versions in which something exists, both ends included; null as the end: still there in the newest read. */
export type Range = readonly [first: string, last: string | null];

/** A value that changed from release to release, keyed by the first minor version that has it. */
export type Since<T> = Record<string, T>;

export interface CompactFlag {
  in: Range[];
  boolean?: true;
  aliases?: Since<string[]>;
  default?: Since<RawFlag["default"] | null>;
  choices?: Since<string[] | null>;
}

export interface CompactVllm {
  asOf: string;
  sources: string[];
  notes: string[];
  versions: string[];
  flags: Record<string, CompactFlag>;
  metrics: Record<string, { in: Range[]; type: string }>;
  environment: Record<string, Range[]>;
}

/** What the wheels' syntax trees do not show. */
export interface VllmAdditions {
  sources: string[];
  /** Types of metrics that a release names without one. */
  metricTypes: Record<string, string>;
  /** Metrics seen by eye, with the first and last minor version that was looked at. */
  metrics: Record<string, { in: [first: string, last: string]; type: string }>;
  /** Flags that take no value. */
  booleans: string[];
  /** Allowed values where the release itself gives none; each version lists only what it added. */
  choices: Record<string, Since<string[]>>;
}

export const vllmTables = ["flags", "metrics", "environment"];

/** Folds one table per release into one record per flag, metric and variable with the versions that have it. */
export function compactVllm(
  versions: ReadonlyMap<string, RawVllmVersion>,
  additions: VllmAdditions,
  asOf: string,
): CompactVllm {
  const ordered = [...versions.keys()].sort(byVersion);
  const minors = ordered.map(minorOf);
  const read = ordered.map((version) => withAdditions(versions.get(version)!, minorOf(version), additions));
  const names = (of: (release: RawVllmVersion) => string[]) => [...new Set(read.flatMap(of))].sort();
  const has = (test: (release: RawVllmVersion) => boolean) => ranges(minors, read.map(test));
  return {
    asOf,
    sources: [
      "PyPI wheels of the releases in `versions`, read by a syntax-tree walk (tools/generate/vllm-from-wheel.py)",
      ...additions.sources,
    ],
    notes: [
      "in: first and last minor version with it, as far as read; null: still there. Minor versions that are not listed were not read.",
      "default, aliases, choices: keyed by the minor version from which the value holds.",
    ],
    versions: ordered,
    flags: Object.fromEntries(
      names((release) => Object.keys(release.flags)).map((name) => [
        name,
        {
          in: has((release) => name in release.flags),
          ...flagAttributes(
            minors,
            read.map((release) => release.flags[name]),
          ),
        },
      ]),
    ),
    metrics: Object.fromEntries(
      names((release) => Object.keys(release.metrics)).map((name) => [
        name,
        { in: has((release) => name in release.metrics), type: metricType(name, read) },
      ]),
    ),
    environment: Object.fromEntries(
      names((release) => release.env).map((name) => [name, has((release) => release.env.includes(name))]),
    ),
  };
}

/** The opposite of `compactVllm`, so that one more release can be folded in where the raw tables are not at hand. */
export function expandVllm(compact: CompactVllm): Map<string, RawVllmVersion> {
  return new Map(
    compact.versions.map((version) => {
      const minor = minorOf(version);
      const flags = Object.entries(compact.flags)
        .filter(([, flag]) => within(minor, flag.in))
        .map(([name, flag]) => [name, expandFlag(flag, minor)] as const);
      const metrics = Object.entries(compact.metrics)
        .filter(([, metric]) => within(minor, metric.in))
        .map(([name, metric]) => [name, metric.type] as const);
      const env = Object.entries(compact.environment).filter(([, spans]) => within(minor, spans));
      return [
        version,
        { flags: Object.fromEntries(flags), metrics: Object.fromEntries(metrics), env: env.map(([name]) => name) },
      ];
    }),
  );
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

export function byVersion(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function ranges(minors: readonly string[], present: readonly boolean[]): Range[] {
  const found: Range[] = [];
  let first: string | undefined;
  minors.forEach((minor, position) => {
    if (present[position]) first ??= minor;
    else if (first !== undefined) {
      found.push([first, minors[position - 1]!]);
      first = undefined;
    }
  });
  return first === undefined ? found : [...found, [first, null]];
}

function within(minor: string, spans: readonly Range[]): boolean {
  return spans.some(([first, last]) => byVersion(minor, first) >= 0 && (last === null || byVersion(minor, last) <= 0));
}

function withAdditions(release: RawVllmVersion, minor: string, additions: VllmAdditions): RawVllmVersion {
  const flags = Object.entries(release.flags).map(([name, flag]): [string, RawFlag] => {
    const choices = flag.choices ?? choicesAt(additions.choices[name], minor);
    const boolean = flag.boolean || additions.booleans.includes(name);
    return [name, { ...flag, ...(boolean ? { boolean } : {}), ...(choices === undefined ? {} : { choices }) }];
  });
  const seen = Object.entries(additions.metrics).filter(([, metric]) => within(minor, [metric.in]));
  const named = Object.entries(release.metrics).map(([name, type]) => [
    name,
    type ?? additions.metricTypes[name] ?? null,
  ]);
  return {
    flags: Object.fromEntries(flags),
    metrics: Object.fromEntries([...seen.map(([name, metric]) => [name, metric.type]), ...named]),
    env: release.env,
  };
}

function choicesAt(added: Since<string[]> | undefined, minor: string): string[] | undefined {
  const known = Object.entries(added ?? {}).filter(([since]) => byVersion(minor, since) >= 0);
  return known.length === 0 ? undefined : known.flatMap(([, values]) => values);
}

function flagAttributes(minors: readonly string[], flags: readonly (RawFlag | undefined)[]): Omit<CompactFlag, "in"> {
  const history = <T>(value: (flag: RawFlag) => T): Since<T> => {
    const since: Since<T> = {};
    let last: string | undefined;
    flags.forEach((flag, position) => {
      if (flag === undefined) return;
      const text = JSON.stringify(value(flag));
      if (text !== last) since[minors[position]!] = value(flag);
      last = text;
    });
    return since;
  };
  const aliases = history((flag) => flag.aliases ?? []);
  const defaults = history((flag) => flag.default ?? null);
  const choices = history((flag) => flag.choices ?? null);
  return {
    ...(flags.some((flag) => flag?.boolean) ? { boolean: true as const } : {}),
    ...(Object.values(aliases).some((names) => names.length > 0) ? { aliases } : {}),
    ...(Object.values(defaults).some((value) => value !== null) ? { default: defaults } : {}),
    ...(Object.values(choices).some((values) => values !== null) ? { choices } : {}),
  };
}

/** The newest release that says a type is right: a metric once wrongly read does not stay wrong. */
function metricType(name: string, read: readonly RawVllmVersion[]): string {
  const type = read.map((release) => release.metrics[name]).findLast(Boolean);
  if (!type) throw new Error(`${name}: no release says its type; add it to metricTypes in vllm-additions.json`);
  return type;
}

function expandFlag(flag: CompactFlag, minor: string): RawFlag {
  const aliases = valueAt(flag.aliases, minor) ?? [];
  const choices = valueAt(flag.choices, minor);
  const value = valueAt(flag.default, minor);
  return {
    ...(flag.boolean ? { boolean: true } : {}),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(choices ? { choices } : {}),
    ...(value === undefined || value === null ? {} : { default: value }),
  };
}

function valueAt<T>(history: Since<T> | undefined, minor: string): T | undefined {
  const known = Object.keys(history ?? {}).filter((since) => byVersion(minor, since) >= 0);
  return history?.[known.sort(byVersion).at(-1) ?? ""];
}
