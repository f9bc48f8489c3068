import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Addon } from "../addon.ts";

/**
 * Keys of a chart's values that our add-ons set, as they were found in the chart of that version. `a/b` is the key `b` in
 * the map `a`; `a/*` is any key in a map that the chart leaves to the user.
 */
export interface CheckedKeys {
  readonly version: string;
  readonly keys: readonly string[];
}

export type CheckedCharts = Readonly<Record<string, CheckedKeys>>;

/** Maps that are free although the chart has defaults in them. */
const FREE_MAPS: Readonly<Record<string, readonly string[]>> = {
  "cluster-autoscaler": ["extraArgs", "serviceMonitor/selector"],
  "kube-prometheus-stack": ["grafana/grafana.ini"],
};

/** Every value that an add-on sets, as the path to it. Lists are values. */
export function leafPaths(values: unknown, path: readonly string[] = []): string[][] {
  if (typeof values !== "object" || values === null || Array.isArray(values) || isIdentity(values)) return [[...path]];
  return Object.entries(values).flatMap(([key, child]) => leafPaths(child, [...path, key]));
}

function isIdentity(value: object): boolean {
  return "kind" in value && value.kind === "ref";
}

/** True where a checked key stands for the path: the key itself, or a free map above it. */
export function isChecked(path: readonly string[], keys: ReadonlySet<string>): boolean {
  if (keys.has(path.join("/"))) return true;
  return path.some((_, depth) => depth > 0 && keys.has(`${path.slice(0, depth).join("/")}/*`));
}

/** A chart as it lies in a directory: its values, with those of its sub-charts, and their text. */
export interface Chart {
  readonly values: unknown;
  readonly text: string;
}

export async function readChart(directory: string): Promise<Chart> {
  // A development dependency of the workspace: nothing of the package itself reads YAML.
  const { parse } = await import("yaml");
  const text = readFileSync(join(directory, "values.yaml"), "utf8");
  const values = (parse(text) ?? {}) as Record<string, unknown>;
  for (const [name, sub] of await subCharts(directory)) {
    values[name] = merged(sub.values, values[name]);
  }
  return { values, text };
}

/** As Helm does it: map by map, the parent's values over those of the sub-chart. */
function merged(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above ?? below;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, merged(below[key], above[key])]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function subCharts(directory: string): Promise<[string, Chart][]> {
  let names: string[];
  try {
    names = readdirSync(join(directory, "charts"));
  } catch {
    return [];
  }
  return Promise.all(
    names.map(async (name) => [name, await readChart(join(directory, "charts", name))] as [string, Chart]),
  );
}

/** The keys of the add-on as the chart has them; throws on one that the chart does not know. */
export function checkedKeys(addon: Addon, chart: Chart): string[] {
  const free = FREE_MAPS[addon.chart.component] ?? [];
  return leafPaths(addon.values).map((path) => keyInChart(addon.name, path, chart, free));
}

function keyInChart(addon: string, path: readonly string[], chart: Chart, free: readonly string[]): string {
  let at: unknown = chart.values;
  for (const [depth, key] of path.entries()) {
    const above = path.slice(0, depth).join("/");
    if (free.includes(above) || isEmptyMap(at)) return `${above}/*`;
    if (!isMap(at)) {
      throw new Error(`${addon}: ${path.join("/")}: the chart has a plain value at ${above}`);
    }
    if (!(key in at)) {
      // Some charts show an optional key as a comment only.
      if (new RegExp(`^\\s*#\\s*${key}:`, "m").test(chart.text)) return path.join("/");
      throw new Error(`${addon}: ${path.join("/")} is not a key of the chart's values`);
    }
    at = at[key];
  }
  return path.join("/");
}

function isEmptyMap(value: unknown): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}
