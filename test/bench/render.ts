// A process of its own for each size, so that memory is that of this size alone: node render.ts COUNT
import { Namespaces, VllmService } from "@capstan/cdk8s";
import { plan, platform, type ResolvedPlatform } from "@capstan/core";
import { App, Chart } from "cdk8s";
import { platformOfSize } from "./platform-of-size.ts";

export interface RenderFigures {
  readonly services: number;
  readonly objects: number;
  readonly resolveAndCheckMs: number;
  readonly renderMs: number;
  readonly planMs: number;
  /** Peak of the process, before the plan. */
  readonly peakMib: number;
}

/** One chart for each namespace, as `PlatformServices` has it; the objects as they are sent to the API server. */
function render(resolved: ResolvedPlatform): number {
  const charts = new Map<string, Chart>();
  const chartOf = (namespace: string) => {
    const chart = charts.get(namespace) ?? new Chart(new App(), namespace, { disableResourceNameHashes: true });
    charts.set(namespace, chart);
    return chart;
  };
  new Namespaces(chartOf("namespaces"), "namespaces", { namespaces: resolved.namespaces });
  for (const service of resolved.services) {
    if (service.kind === "vllm") new VllmService(chartOf(service.namespace), service.name, { service });
  }
  let objects = 0;
  for (const chart of charts.values()) objects += chart.toJson().length;
  return objects;
}

const services = Number(process.argv[2]);
// What every size pays once (loading data, compiling) is not the cost of a service.
render(platform(platformOfSize(1)));

const started = performance.now();
const resolved = platform(platformOfSize(services));
const checked = performance.now();
const objects = render(resolved);
const rendered = performance.now();
const peakMib = process.resourceUsage().maxRSS / 1024;
plan(resolved);
const figures: RenderFigures = {
  services,
  objects,
  resolveAndCheckMs: checked - started,
  renderMs: rendered - checked,
  planMs: performance.now() - rendered,
  peakMib,
};
process.stdout.write(JSON.stringify(figures));
