import type { VllmFlagFacts, VllmFlagHistory, VllmVersionFacts } from "./facts.ts";
import { type VllmVersion, vllmVersions } from "./generated/ids.ts";
import { lazy } from "./load.ts";

type Range = readonly [first: string, last: string | null];
type Since<T> = Readonly<Record<string, T>>;
type MetricType = "gauge" | "counter" | "histogram" | "info";

interface FlagRecord {
  readonly in: readonly Range[];
  readonly boolean?: true;
  readonly aliases?: Since<readonly string[]>;
  readonly default?: Since<string | number | boolean | null>;
  readonly choices?: Since<readonly string[] | null>;
}

const document = lazy<{
  readonly flags: Readonly<Record<string, FlagRecord>>;
  readonly metrics: Readonly<Record<string, { readonly in: readonly Range[]; readonly type: MetricType }>>;
  readonly environment: Readonly<Record<string, readonly Range[]>>;
}>("vllm-versions");

const minors = vllmVersions.map(minorOf);
const built = new Map<string, VllmVersionFacts>();

/** Newest release that was read. */
export const latestVllm: VllmVersion = vllmVersions[vllmVersions.length - 1]!;

/**
 * What a release understands. `0.33.0`, `0.33` and `v0.33.0` are the same; another patch release of a minor version
 * gets the facts of the one that was read. undefined: no release of that minor version was read.
 */
export function findVllm(version: string): VllmVersionFacts | undefined {
  const [, minor] = /^v?(\d+\.\d+)(?:\.\d+(?:\.post\d+)?)?$/.exec(version) ?? [];
  const position = minor === undefined ? -1 : minors.indexOf(minor);
  const read = vllmVersions[position];
  if (minor === undefined || read === undefined) return undefined;
  const known = built.get(minor) ?? build(read, minor, position);
  built.set(minor, known);
  return known;
}

/** When a flag came and went; undefined: no release that was read has it. */
export function vllmFlagHistory(flag: string): VllmFlagHistory | undefined {
  const record = Object.hasOwn(document().flags, flag) ? document().flags[flag] : undefined;
  const first = record?.in[0]?.[0];
  if (record === undefined || first === undefined) return undefined;
  const last = record.in[record.in.length - 1]?.[1] ?? null;
  return {
    since: first === minors[0] ? null : first,
    until: last === null ? null : (minors[minors.indexOf(last) + 1] ?? null),
  };
}

function build(version: string, minor: string, position: number): VllmVersionFacts {
  const { flags, metrics, environment } = document();
  const has = (ranges: readonly Range[]) =>
    ranges.some(
      ([first, last]) => minors.indexOf(first) <= position && (last === null || position <= minors.indexOf(last)),
    );
  return Object.freeze({
    version,
    minor,
    flags: new Map(
      Object.entries(flags).flatMap(([name, flag]) => (has(flag.in) ? [[name, flagFacts(name, flag, position)]] : [])),
    ),
    metrics: new Map(
      Object.entries(metrics).flatMap(([name, metric]) => (has(metric.in) ? [[name, metric.type] as const] : [])),
    ),
    environment: new Set(Object.entries(environment).flatMap(([name, ranges]) => (has(ranges) ? [name] : []))),
  });
}

function flagFacts(name: string, flag: FlagRecord, position: number): VllmFlagFacts {
  return {
    name,
    boolean: flag.boolean ?? false,
    aliases: at(flag.aliases, position) ?? [],
    default: at(flag.default, position) ?? null,
    choices: at(flag.choices, position) ?? null,
  };
}

/** The value of the newest minor version that is not newer than the one asked for. */
function at<T>(history: Since<T> | undefined, position: number): T | undefined {
  for (let back = position; history !== undefined && back >= 0; back--) {
    const minor = minors[back]!;
    if (Object.hasOwn(history, minor)) return history[minor];
  }
  return undefined;
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
