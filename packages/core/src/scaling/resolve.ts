import type { ResolveContext } from "../context.ts";
import type { ColdStart } from "../plan/cold-start.ts";
import type { OriginLog } from "../provenance.ts";
import type { OfficeHours, QueueScaling, Scaling } from "./props.ts";
import type { Fallback, ResolvedScaling, ScalingBehaviour, Trigger } from "./resolved.ts";

export interface ScaledEngine {
  readonly namespace: string;
  readonly name: string;
  /** Gauges whose sum is the number of requests in flight, as the engine version names them; empty: it has none. */
  readonly loadMetrics: readonly string[];
  /** The gauges are there only after the first request, so that a fresh server has none although it is well. */
  readonly gaugesAfterFirstRequest?: boolean;
  /** Requests in flight that one replica should hold, from the plan. */
  readonly defaultTarget: number;
  readonly coldStart: ColdStart;
}

/** The HPA's own ceilings. */
const LONGEST_PERIOD_SECONDS = 1800;
const LONGEST_STABILIZATION_SECONDS = 3600;
const POLLING_SECONDS = 15;
/** As long as metrics are missing before it is an outage: Prometheus needs about this to restart and replay its log. */
const OUTAGE_SECONDS = 300;

export function resolveScaling(
  scaling: Scaling,
  engine: ScaledEngine,
  context: ResolveContext,
  origins: OriginLog,
): ResolvedScaling {
  const behaviour = scalingBehaviour(engine.coldStart);
  switch (scaling.kind) {
    case "fixed":
      return { by: "nobody", min: scaling.replicas, max: scaling.replicas };
    case "cpu":
      return { by: "hpa", min: scaling.min, max: scaling.max, targetPercent: scaling.targetPercent, behaviour };
    case "schedule": {
      const inside = scaling.hours.map((h) => h.replicas);
      return {
        by: "keda",
        min: scaling.outside,
        max: Math.max(1, scaling.outside, ...inside),
        triggers: scaling.hours.map(cronTrigger),
        fallback: null,
        pollingSeconds: POLLING_SECONDS,
        cooldownSeconds: 300,
        behaviour,
        targetPerReplica: null,
        hours: scaling.hours,
      };
    }
    case "queue":
      return resolveQueue(scaling, engine, context, behaviour, origins);
  }
}

function resolveQueue(
  scaling: QueueScaling,
  engine: ScaledEngine,
  context: ResolveContext,
  behaviour: ScalingBehaviour,
  origins: OriginLog,
): ResolvedScaling {
  const target = origins.orDerived(
    "scaling.targetPerReplica",
    scaling.targetPerReplica,
    () => engine.defaultTarget,
    ["memory", "traffic"],
    "half of the requests that fit in the KV cache at the expected length, at most 64",
  );
  const cooldown = origins.orDerived(
    "scaling.cooldownSeconds",
    scaling.cooldownSeconds,
    () => Math.max(300, engine.coldStart.totalSeconds.expected),
    ["coldStart"],
    "a replica that goes sooner than it comes back makes the service flap",
  );
  const url = context.monitoring?.prometheusUrl ?? "";
  const triggers: Trigger[] = [];
  if (engine.loadMetrics.length > 0) triggers.push(loadTrigger(engine, target, url, scaling.min === 0));
  if (scaling.wake) {
    triggers.push({
      type: "prometheus",
      name: "wake",
      metricType: "AverageValue",
      metadata: {
        serverAddress: url,
        query: scaling.wake.query,
        threshold: String(scaling.wake.threshold),
        activationThreshold: String(scaling.wake.activationThreshold ?? 0),
        // The source outlives the pods: no answer is an outage, which must not look like "no load".
        ignoreNullValues: "false",
      },
    });
  }
  triggers.push(...(scaling.hours ?? []).map(cronTrigger));
  return {
    by: "keda",
    min: scaling.min,
    max: scaling.max,
    triggers,
    fallback: scaling.min >= 1 ? queueFallback(scaling) : null,
    pollingSeconds: POLLING_SECONDS,
    cooldownSeconds: cooldown,
    behaviour,
    targetPerReplica: target,
    hours: scaling.hours ?? [],
  };
}

/** Monitors give every target the job `<namespace>/<monitor>`, which no other service has. */
function loadTrigger(engine: ScaledEngine, target: number, serverAddress: string, fromZero: boolean): Trigger {
  const job = `{job="${engine.namespace}/${engine.name}"}`;
  const load = engine.loadMetrics.map((metric) => `sum(${metric}${job})`).join(" + ");
  return {
    type: "prometheus",
    name: "load",
    metricType: "AverageValue",
    metadata: {
      serverAddress,
      query: engine.gaugesAfterFirstRequest ? `${load} or 0 * sum(up${job})` : load,
      threshold: String(target),
      // At zero replicas the series is gone for a good reason; with pods running a missing series is an outage.
      ignoreNullValues: fromZero ? "true" : "false",
    },
  };
}

/**
 * Metrics lost: hold what runs, and never fall below the smallest number. Anything above it would start GPU nodes at each
 * restart of Prometheus.
 */
function queueFallback(scaling: QueueScaling): Fallback {
  return {
    failureThreshold: Math.ceil(OUTAGE_SECONDS / POLLING_SECONDS),
    replicas: scaling.min,
    behavior: "currentReplicasIfHigher",
  };
}

function cronTrigger(hours: OfficeHours, index: number): Trigger {
  return {
    type: "cron",
    name: `hours-${index + 1}`,
    metricType: null,
    metadata: {
      timezone: hours.timezone,
      start: cron(hours.from, hours.weekdays),
      end: cron(hours.to, hours.weekdays),
      desiredReplicas: String(hours.replicas),
    },
  };
}

/** `08:30` on `1-5` is `30 8 * * 1-5`. */
function cron(time: string, weekdays: string): string {
  const [hour = "", minute = ""] = time.split(":");
  return `${Number(minute)} ${Number(hour)} * * ${weekdays}`;
}

/** Up: few pods per warm start, since a pod that still loads does not lower the queue. Down: one pod, after a quiet time. */
function scalingBehaviour(cold: ColdStart): ScalingBehaviour {
  const start = Math.round(cold.warmNodeSeconds);
  return {
    scaleUp: { stabilizationSeconds: 15, pods: 2, periodSeconds: clamp(start, 60, LONGEST_PERIOD_SECONDS) },
    scaleDown: {
      stabilizationSeconds: clamp(start, 300, LONGEST_STABILIZATION_SECONDS),
      pods: 1,
      periodSeconds: 120,
    },
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
