import type { ResolvedPool } from "../../pool/resolved.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import type { NodeCounts } from "../document.ts";
import { nodesFor } from "./pack.ts";
import { HOURS_PER_WEEK } from "./week.ts";

export interface WeeklyService {
  readonly service: ResolvedService;
  /** Replicas in each hour of the week. */
  readonly hours: readonly number[];
}

/** More than any cluster holds: a plan of a mistyped number must still end. */
const MOST_NODES = 20_000;

/** Nodes that a pool runs over a week, never outside what its size allows. */
export function poolNodes(pool: ResolvedPool, services: readonly WeeklyService[]): NodeCounts {
  const own = services.filter((s) => s.service.pool.name === pool.name);
  const clamp = (nodes: number) => Math.min(pool.size.max, Math.max(pool.size.min, nodes));
  const at = (replicas: (s: WeeklyService) => number) =>
    clamp(
      nodesFor(
        pool,
        own.map((s) => ({ service: s.service, replicas: replicas(s) })),
        Math.min(pool.size.max, MOST_NODES),
      ),
    );
  // Most hours of a week look alike: pack each pattern once.
  const known = new Map<string, number>();
  let sum = 0;
  let peak = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let hour = 0; hour < HOURS_PER_WEEK; hour++) {
    const pattern = own.map((s) => s.hours[hour] ?? 0);
    const key = pattern.join(",");
    const nodes = known.get(key) ?? at((s) => s.hours[hour] ?? 0);
    known.set(key, nodes);
    sum += nodes;
    peak = Math.max(peak, nodes);
    least = Math.min(least, nodes);
  }
  return {
    // First fit can need a node less for more pods: the bounds hold what the week shows.
    min: Math.min(
      least,
      at((s) => s.service.scaling.min),
    ),
    expected: Math.round((sum / HOURS_PER_WEEK) * 100) / 100,
    peak,
    max: Math.max(
      peak,
      at((s) => s.service.scaling.max),
    ),
  };
}
