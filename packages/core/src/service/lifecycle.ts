import type { ColdStart } from "../plan/cold-start.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { OriginLog } from "../provenance.ts";
import type { ResolvedScaling } from "../scaling/resolved.ts";
import type { ResolvedDrain, ResolvedProbes, ResolvedRollout, ResolvedSpread } from "./resolved.ts";

/** Endpoints are taken out of kube-proxy and load balancers in this time. */
const PRE_STOP_SECONDS = 15;
/** Clean-up of workers after the drain. */
const STOP_MARGIN_SECONDS = 30;
const DRAIN_SECONDS = 120;
/** EC2 gives a spot node two minutes. */
export const SPOT_NOTICE_SECONDS = 120;
/** Managed node groups retry evictions for about 15 minutes a node. */
export const EVICTION_WINDOW_SECONDS = 900;

const PROBE_PERIOD_SECONDS = 10;
const SHORTEST_STARTUP_SECONDS = 600;

export function resolveDrain(pool: ResolvedPool, given: number | undefined, origins: OriginLog): ResolvedDrain {
  const spot = pool.capacity.kind === "spot";
  const drainSeconds = origins.orDerived(
    "drainSeconds",
    given,
    () => (spot ? SPOT_NOTICE_SECONDS - PRE_STOP_SECONDS - STOP_MARGIN_SECONDS : DRAIN_SECONDS),
    ["pool.capacity"],
    "two minutes for running requests, less where a spot node goes in two minutes",
  );
  return {
    preStopSeconds: PRE_STOP_SECONDS,
    drainSeconds,
    graceSeconds: PRE_STOP_SECONDS + drainSeconds + STOP_MARGIN_SECONDS,
  };
}

/** The startup probe allows the predicted load at its slowest; until it passes, the others do not run. */
export function resolveProbes(
  paths: { readonly ready: string; readonly live: string },
  startupBudgetSeconds: number,
  shortest = SHORTEST_STARTUP_SECONDS,
): ResolvedProbes {
  return {
    readyPath: paths.ready,
    livePath: paths.live,
    startup: {
      periodSeconds: PROBE_PERIOD_SECONDS,
      failureThreshold: Math.ceil(Math.max(startupBudgetSeconds, shortest) / PROBE_PERIOD_SECONDS),
    },
    readiness: { periodSeconds: 5, failureThreshold: 3 },
    liveness: { periodSeconds: 15, failureThreshold: 8, timeoutSeconds: 10 },
  };
}

export function startupSeconds(probes: ResolvedProbes): number {
  return probes.startup.periodSeconds * probes.startup.failureThreshold;
}

/**
 * On GPU pools the old pod goes first: the new one would wait for its GPU for ever. CPU services surge, since cores can
 * be had.
 */
export function resolveRollout(surge: boolean, cold: ColdStart, probes: ResolvedProbes): ResolvedRollout {
  // The slowest start, with as much more as the startup probe lets it take.
  const patience = Math.max(0, startupSeconds(probes) - cold.startupBudgetSeconds);
  return {
    strategy: "RollingUpdate",
    maxSurge: surge ? 1 : 0,
    maxUnavailable: surge ? 0 : 1,
    progressDeadlineSeconds: Math.round(cold.totalSeconds.high + patience) + 300,
    revisionHistoryLimit: 3,
  };
}

/**
 * The smallest share of replicas that may go at a time so that one node still drains within the eviction window: with
 * seven MIG slices a node, one at a time would never finish. None where one replica is all there can be.
 */
export function resolveDisruption(
  maxReplicas: number,
  podsPerNode: number,
  drain: ResolvedDrain,
  warmNodeSeconds: number,
): { readonly maxUnavailable: string } | null {
  if (maxReplicas <= 1) return null;
  const waveSeconds = drain.graceSeconds + warmNodeSeconds;
  const waves = Math.max(1, Math.floor(EVICTION_WINDOW_SECONDS / waveSeconds));
  const podsAtOnce = Math.ceil(Math.min(podsPerNode, maxReplicas) / waves);
  const percent = Math.min(100, Math.max(25, Math.ceil((podsAtOnce / maxReplicas) * 100)));
  return { maxUnavailable: `${percent}%` };
}

/**
 * Where replicas would rather not sit together, as a wish. Several on one node share its GPUs or cores and cost less, so
 * only production that runs two or more, at all times or in its hours, gives that up: there a lost node must not take
 * the whole service.
 */
export function resolveSpread(scaling: ResolvedScaling, podsPerNode: number, production: boolean): ResolvedSpread {
  if (scaling.max <= 1) return { zones: false, nodes: false };
  const hours = scaling.by === "keda" ? scaling.hours : [];
  const steady = Math.max(scaling.min, ...hours.map(({ replicas }) => replicas));
  return { zones: true, nodes: podsPerNode === 1 || (production && steady >= 2) };
}
