import { findVllm, type VllmFlagFacts, type VllmVersionFacts } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { compareMinor } from "./subject.ts";

/** How one entry of `extraArgs` reads to the parser of `vllm serve`. */
export interface Argument {
  readonly at: string;
  /** As it was written. */
  readonly text: string;
  /** As it was written, without value and dotted keys: `--max_model_len`. */
  readonly spelled: string;
  /** The parser's own name for it, whatever the spelling: underscores, aliases, `--no-`, abbreviations. */
  readonly name: string;
  /** Facts of the engine version; null: it has no such flag. */
  readonly flag: VllmFlagFacts | null;
  readonly negated: boolean;
  /** An unambiguous beginning, which the parser completes. */
  readonly abbreviated: boolean;
  /** Below a JSON option: `mode` in `--compilation-config.mode=3`. */
  readonly key: string | null;
  /** Null: no `=` in it. */
  readonly value: string | null;
}

/** Switches that only go one way: the parser has no twin for them (0.19 to 0.33). */
const ONE_WAY = new Set([
  "--aggregate-engine-logging",
  "--data-parallel-multi-port-external-lb",
  "--disable-log-stats",
  "--grpc",
  "--headless",
]);
/** First minor version that takes `--disable-x` for the opposite of `--enable-x`, and the other way round. */
const OPPOSITES_SINCE = "0.33";
/** Flags that take several values, each in an entry of its own (0.19 to 0.33). */
const TAKES_SEVERAL = new Set([
  "--allowed-media-domains",
  "--api-key",
  "--collect-detailed-traces",
  "--cpu-offload-params",
  "--cudagraph-capture-sizes",
  "--ignore-patterns",
  "--kv-cache-dtype-skip-layers",
  "--logits-processors",
  "--lora-modules",
  "--lora-target-modules",
  "--numa-bind-cpus",
  "--numa-bind-nodes",
  "--offload-params",
  "--served-model-name",
  "--sleep-preserve-parameter-names",
]);

/** Entries that are flags. What is not one (`vllm.args.form`) is left out. */
export function argumentsOf(service: ResolvedVllm): Argument[] {
  const version = findVllm(service.engineVersion);
  if (service.extraArgs.length === 0 || version === undefined) return [];
  return service.extraArgs.flatMap((text, index) => (formProblem(text) === null ? [parse(text, index, version)] : []));
}

/** Why an entry is not one flag with its value; null: it is. */
export function formProblem(text: string): "empty" | "short" | "value" | "two-in-one" | null {
  if (text.trim() === "" || text === "--" || text.startsWith("--=")) return "empty";
  if (/^-[A-Za-z]/.test(text)) return "short";
  if (!text.startsWith("--")) return "value";
  return /^--[^\s=]*\s/.test(text) ? "two-in-one" : null;
}

function parse(text: string, index: number, version: VllmVersionFacts): Argument {
  const equals = text.indexOf("=");
  const left = equals < 0 ? text : text.slice(0, equals);
  const dot = left.indexOf(".");
  const spelled = dot < 0 ? left : left.slice(0, dot);
  const found = find(spelled.replaceAll("_", "-"), version);
  return {
    at: `extraArgs.${index}`,
    text,
    spelled,
    ...found,
    key: dot < 0 ? null : left.slice(dot + 1),
    value: equals < 0 ? null : text.slice(equals + 1),
  };
}

type Found = Pick<Argument, "name" | "flag" | "negated" | "abbreviated">;

function find(name: string, version: VllmVersionFacts): Found {
  const exact = exactly(name, version);
  if (exact) return { ...exact, abbreviated: false };
  const begun = spellings(version).filter((known) => known.startsWith(name));
  const [only, second] = begun;
  const completed = only !== undefined && second === undefined && name.length > 3 ? exactly(only, version) : null;
  return completed ? { ...completed, abbreviated: true } : { name, flag: null, negated: false, abbreviated: false };
}

/** True where the entry is a further value of a flag that takes several: `--lora-modules`, `a=/a`, `b=/b`. */
export function isFurtherValue(all: readonly string[], index: number): boolean {
  if (formProblem(all[index] ?? "") !== "value") return false;
  const flag = all.slice(0, index).findLast((text) => formProblem(text) !== "value") ?? "";
  return TAKES_SEVERAL.has(flag.replaceAll("_", "-"));
}

function exactly(name: string, version: VllmVersionFacts): Omit<Found, "abbreviated"> | null {
  const flag = version.flags.get(name) ?? aliases(version).get(name);
  if (flag) return { name: flag.name, flag, negated: false };
  const positive = opposites(name, version.minor).flatMap((other) => version.flags.get(other) ?? [])[0];
  return positive && isTwoWay(positive) ? { name: positive.name, flag: positive, negated: true } : null;
}

/** Flags whose twin the name would be. */
function opposites(name: string, minor: string): string[] {
  const turned = /^--(enable|disable)-(.+)$/.exec(name);
  return [
    ...(name.startsWith("--no-") ? [`--${name.slice(5)}`] : []),
    ...(turned && compareMinor(minor, OPPOSITES_SINCE) >= 0
      ? [`--${turned[1] === "enable" ? "disable" : "enable"}-${turned[2]}`]
      : []),
  ];
}

function isTwoWay(flag: VllmFlagFacts): boolean {
  return isSwitch(flag) && !ONE_WAY.has(flag.name);
}

export function isSwitch(flag: VllmFlagFacts): boolean {
  // The one that left before the table learned what a switch is.
  return flag.boolean || flag.name === "--disable-log-requests";
}

function aliases(version: VllmVersionFacts): ReadonlyMap<string, VllmFlagFacts> {
  return new Map([...version.flags.values()].flatMap((flag) => flag.aliases.map((alias) => [alias, flag] as const)));
}

function spellings(version: VllmVersionFacts): string[] {
  const negative = [...version.flags.values()].filter(isTwoWay).map((flag) => `--no-${flag.name.slice(2)}`);
  return [...version.flags.keys(), ...negative];
}

/** The long name of a short alias (`-tp`), for a message. */
export function longName(service: ResolvedVllm, short: string): string | undefined {
  const version = findVllm(service.engineVersion);
  return version && aliases(version).get(short)?.name;
}

export function hasFlag(service: ResolvedVllm, name: string): boolean {
  return argumentsOf(service).some((argument) => argument.name === name);
}

/** The last value of a flag in `extraArgs`, true or false for a switch; undefined: it is not there. */
export function flagValue(service: ResolvedVllm, name: string): string | boolean | undefined {
  const last = argumentsOf(service).findLast((argument) => argument.name === name && argument.key === null);
  if (last === undefined) return undefined;
  return last.value ?? !last.negated;
}

/** The whole number that a flag gives, else undefined. */
export function flagNumber(service: ResolvedVllm, name: string): number | undefined {
  const value = flagValue(service, name);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
