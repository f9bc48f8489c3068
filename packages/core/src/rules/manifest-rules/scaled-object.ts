import { timezoneProblem } from "../../scaling/hours.ts";
import { isOwnMetric, metricProblem } from "../../scaling/metric-names.ts";
import { readQuery } from "../../scaling/promql.ts";
import type { Manifest } from "../manifest.ts";
import { manifestRule } from "../rule.ts";
import { scaledObject, trigger } from "./examples.ts";
import { type Fields, fields, items, number, text } from "./objects.ts";

/** KEDA's own. */
const DEFAULT_MIN = 0;
const DEFAULT_MAX = 100;
const LONGEST_NAME = 54;

interface TriggerPart {
  readonly at: string;
  readonly type: string;
  readonly metricType: unknown;
  readonly name: unknown;
  readonly metadata: Fields;
}

function isScaledObject(manifest: Manifest): boolean {
  return manifest.kind === "ScaledObject" && typeof manifest.apiVersion === "string" && manifest.apiVersion.startsWith("keda.sh/");
}

function triggers(manifest: Manifest): readonly TriggerPart[] {
  if (!isScaledObject(manifest)) return [];
  return items(fields(manifest.spec).triggers).map((value, i) => {
    const { type, metadata, metricType, name } = fields(value);
    return { at: `spec.triggers.${i}`, type: text(type) ?? "", metricType, name, metadata: fields(metadata) };
  });
}

function prometheus(manifest: Manifest): readonly (TriggerPart & { readonly query: string })[] {
  return triggers(manifest).flatMap((part) => (part.type === "prometheus" && typeof part.metadata.query === "string" ? [{ ...part, query: part.metadata.query }] : []));
}

/** Smallest number of replicas; null: known only at deployment. */
function minimum(manifest: Manifest): number | null {
  const given = fields(manifest.spec).minReplicaCount;
  return given === undefined ? DEFAULT_MIN : number(given);
}

function maximum(manifest: Manifest): number | null {
  const given = fields(manifest.spec).maxReplicaCount;
  return given === undefined ? DEFAULT_MAX : number(given);
}

/** SCALE-14 */
export const metadataStrings = manifestRule({
  id: "manifest.scaled-object.metadata-type",
  severity: "error",
  acknowledgeable: false,
  reason: "All metadata of a trigger are strings; the API server refuses numbers and booleans.",
  reference: "KEDA ScaledObject CRD, triggers.metadata",
  check: (manifest) =>
    triggers(manifest).flatMap((part) =>
      Object.entries(part.metadata)
        .filter(([, value]) => typeof value === "number" || typeof value === "boolean")
        .map(([key, value]) => ({ at: `${part.at}.metadata.${key}`, message: `${key}: ${String(value)} is a ${typeof value}`, remedy: `write "${String(value)}"` })),
    ),
  examples: {
    bad: [
      { title: "number", declare: () => scaledObject({ triggers: [trigger({ threshold: 16 })] }), at: "spec.triggers.0.metadata.threshold" },
      { title: "boolean", declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: false })] }), at: "spec.triggers.0.metadata.ignoreNullValues" },
    ],
    good: [{ title: "strings", declare: () => scaledObject() }],
  },
});

/** SCALE-01, SCALE-06; facts/platform.md 16.12 */
export const query = manifestRule({
  id: "manifest.scaled-object.query",
  severity: "error",
  reason: "KEDA takes one value: a query that gives several, or that Prometheus cannot read, leaves the trigger in error.",
  reference: "kedacore/keda pkg/scalers/prometheus_scaler.go",
  check: (manifest) =>
    prometheus(manifest).flatMap((part) => {
      const reading = readQuery(part.query);
      if (!reading.readable) return [{ at: `${part.at}.metadata.query`, message: `the query cannot be read: ${reading.problem}`, remedy: "try it in Prometheus, and paste what works" }];
      return reading.single ? [] : [{ at: `${part.at}.metadata.query`, message: "the query may give several values", remedy: "aggregate all of it: sum(...) without by, or max(...)" }];
    }),
  examples: {
    bad: [
      { title: "bare series", declare: () => scaledObject({ triggers: [trigger({ query: "vllm:num_requests_waiting" })] }), at: "spec.triggers.0.metadata.query" },
      { title: "one a pod", declare: () => scaledObject({ triggers: [trigger({ query: "sum by (pod) (vllm:num_requests_waiting)" })] }), at: "spec.triggers.0.metadata.query" },
      { title: "bracket", declare: () => scaledObject({ triggers: [trigger({ query: "sum(vllm:num_requests_waiting" })] }), at: "spec.triggers.0.metadata.query" },
    ],
    good: [{ title: "sum", declare: () => scaledObject() }],
  },
});

/** SCALE-06 */
export const mean = manifestRule({
  id: "manifest.scaled-object.mean",
  severity: "warning",
  reason: "AverageValue, the default, divides by the replicas once more: half of the replicas come that were meant.",
  reference: "KEDA ScaledObject specification, metricType",
  check: (manifest) =>
    prometheus(manifest)
      .filter((part) => part.metricType === undefined || part.metricType === "AverageValue")
      .flatMap((part) => {
        const reading = readQuery(part.query);
        return reading.readable && reading.mean ? [{ at: `${part.at}.metadata.query`, message: `a mean with metricType ${part.metricType === undefined ? "left out" : "AverageValue"}`, remedy: "use sum(...), or metricType: Value" }] : [];
      }),
  examples: {
    bad: [
      { title: "default type", declare: () => scaledObject({ triggers: [trigger({ query: "avg(vllm:num_requests_waiting)" }, { metricType: undefined })] }), at: "spec.triggers.0.metadata.query" },
      { title: "said", declare: () => scaledObject({ triggers: [trigger({ query: "avg(vllm:kv_cache_usage_perc)" })] }), at: "spec.triggers.0.metadata.query" },
    ],
    good: [
      { title: "Value", declare: () => scaledObject({ triggers: [trigger({ query: "avg(vllm:kv_cache_usage_perc)" }, { metricType: "Value" })] }) },
      { title: "sum", declare: () => scaledObject() },
    ],
  },
});

/** SCALE-14; facts/platform.md 16.11 and 16.14 */
export const range = manifestRule({
  id: "manifest.scaled-object.range",
  severity: "error",
  reason: "KEDA refuses an empty range and an idle number that is not zero below min; a fallback of zero switches the service off in an outage of Prometheus, one above max is cut.",
  reference: "KEDA ScaledObject specification and admission webhooks",
  check: (manifest) => {
    const [min, max] = [minimum(manifest), maximum(manifest)];
    if (!isScaledObject(manifest) || min === null || max === null) return [];
    const { idleReplicaCount, fallback } = fields(manifest.spec);
    const idle = number(idleReplicaCount);
    const replicas = number(fields(fallback).replicas);
    const hits = [];
    if (min < 0) hits.push({ at: "spec.minReplicaCount", message: `${min} replicas`, remedy: "use 0 or more" });
    if (max < 1) hits.push({ at: "spec.maxReplicaCount", message: `max ${max} lets no replica run`, remedy: "use 1 or more" });
    else if (min > max) hits.push({ at: "spec.minReplicaCount", message: `min ${min} is above max ${max}`, remedy: `raise maxReplicaCount to ${min}, or lower minReplicaCount` });
    if (idle !== null && (idle !== 0 || idle >= min)) hits.push({ at: "spec.idleReplicaCount", message: `idleReplicaCount ${idle} with min ${min}; only 0 below min works`, remedy: "remove it, and use minReplicaCount: 0 to go to zero" });
    if (replicas !== null && replicas < Math.max(1, min)) hits.push({ at: "spec.fallback.replicas", message: `a fallback of ${replicas} with min ${min}`, remedy: `use at least ${Math.max(1, min)}` });
    if (replicas !== null && replicas > max) hits.push({ at: "spec.fallback.replicas", message: `a fallback of ${replicas} above max ${max}`, remedy: `use at most ${max}` });
    return hits;
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => scaledObject({ minReplicaCount: 5, fallback: undefined }), at: "spec.minReplicaCount" },
      { title: "no replica", declare: () => scaledObject({ minReplicaCount: 0, maxReplicaCount: 0, fallback: undefined }), at: "spec.maxReplicaCount" },
      { title: "idle at min", declare: () => scaledObject({ idleReplicaCount: 1 }), at: "spec.idleReplicaCount" },
      { title: "idle with min zero", declare: () => scaledObject({ minReplicaCount: 0, idleReplicaCount: 0 }), at: "spec.idleReplicaCount" },
      { title: "fallback above max", declare: () => scaledObject({ fallback: { failureThreshold: 3, replicas: 9 } }), at: "spec.fallback.replicas" },
      { title: "fallback of none", declare: () => scaledObject({ fallback: { failureThreshold: 3, replicas: 0 } }), at: "spec.fallback.replicas" },
    ],
    good: [
      { title: "one to four", declare: () => scaledObject() },
      { title: "idle below min", declare: () => scaledObject({ minReplicaCount: 2, idleReplicaCount: 0 }) },
    ],
  },
});

/** facts/platform.md 16.11 and 16.12 */
export const triggerFields = manifestRule({
  id: "manifest.scaled-object.trigger",
  severity: "error",
  reason: "KEDA divides by the threshold, activates only above activationThreshold, and tells triggers apart by their name.",
  reference: "KEDA Prometheus scaler; KEDA admission webhooks",
  check: (manifest) => {
    const all = triggers(manifest);
    const names = all.map((part) => part.name);
    return all.flatMap((part, i) => {
      const hits = [];
      if (typeof part.name === "string" && names.indexOf(part.name) !== i) hits.push({ at: `${part.at}.name`, message: `a second trigger is called ${part.name}`, remedy: "give it another name" });
      if (part.type !== "prometheus") return hits;
      const threshold = amount(part.metadata.threshold);
      const activation = amount(part.metadata.activationThreshold ?? "0");
      if (threshold !== null && !(threshold > 0)) hits.push({ at: `${part.at}.metadata.threshold`, message: part.metadata.threshold === undefined ? "no threshold" : `threshold ${String(part.metadata.threshold)}; valid is a number above 0`, remedy: "give what one replica takes" });
      else if (threshold !== null && activation !== null && activation >= threshold) hits.push({ at: `${part.at}.metadata.activationThreshold`, message: `activationThreshold ${activation} is not below threshold ${threshold}`, remedy: "use 0, the default" });
      return hits;
    });
  },
  examples: {
    bad: [
      { title: "zero", declare: () => scaledObject({ triggers: [trigger({ threshold: "0" })] }), at: "spec.triggers.0.metadata.threshold" },
      { title: "word", declare: () => scaledObject({ triggers: [trigger({ threshold: "many" })] }), at: "spec.triggers.0.metadata.threshold" },
      { title: "missing", declare: () => scaledObject({ triggers: [trigger({ threshold: undefined })] }), at: "spec.triggers.0.metadata.threshold" },
      { title: "activation above", declare: () => scaledObject({ triggers: [trigger({ activationThreshold: "20" })] }), at: "spec.triggers.0.metadata.activationThreshold" },
      { title: "one name twice", declare: () => scaledObject({ triggers: [trigger({}), trigger({})] }), at: "spec.triggers.1.name" },
    ],
    good: [{ title: "sixteen", declare: () => scaledObject() }],
  },
});

/** Null: known only at deployment; NaN: not a number, or missing. */
function amount(value: unknown): number | null {
  if (value === undefined) return Number.NaN;
  if (typeof value === "number") return value;
  return typeof value === "string" ? (value.trim() === "" ? Number.NaN : Number(value)) : null;
}

/** facts/platform.md 7 and 16.12 */
export const metricName = manifestRule({
  id: "manifest.scaled-object.metric-name",
  severity: "warning",
  reason: "KEDA dropped metricName: it is read by nobody, and who reads the manifest takes it for the metric.",
  reference: "KEDA Prometheus scaler, deprecated fields",
  check: (manifest) =>
    triggers(manifest)
      .filter((part) => part.type === "prometheus" && part.metadata.metricName !== undefined)
      .map((part) => ({ at: `${part.at}.metadata.metricName`, message: "metricName is not a field any more", remedy: "remove it; the metric is in query" })),
  examples: {
    bad: [{ title: "left over", declare: () => scaledObject({ triggers: [trigger({ metricName: "vllm_queue" })] }), at: "spec.triggers.0.metadata.metricName" }],
    good: [{ title: "without", declare: () => scaledObject() }],
  },
});

/** facts/platform.md 16.16 */
export const cron = manifestRule({
  id: "manifest.scaled-object.cron",
  severity: "error",
  reason: "A cron trigger raises the number of replicas inside its window: zero raises nothing and lowers nothing, and a window without end or zone never opens.",
  reference: "KEDA cron scaler",
  check: (manifest) =>
    triggers(manifest)
      .filter((part) => part.type === "cron")
      .flatMap((part) => {
        const { desiredReplicas, start, end, timezone } = part.metadata;
        const at = `${part.at}.metadata`;
        const hits = [];
        const wanted = amount(desiredReplicas);
        if (wanted !== null && !(Number.isInteger(wanted) && wanted >= 1)) hits.push({ at: `${at}.desiredReplicas`, message: `desiredReplicas ${desiredReplicas === undefined ? "missing" : String(desiredReplicas)}; valid are whole numbers from 1`, remedy: "use minReplicaCount: 0 with the working hours as the window" });
        if (typeof start === "string" && start === end) hits.push({ at: `${at}.end`, message: `the window starts and ends at "${start}"`, remedy: "give another end" });
        for (const [key, value] of [["start", start], ["end", end]] as const) {
          if (typeof value === "string" && value.trim().split(/\s+/).length !== 5) hits.push({ at: `${at}.${key}`, message: `"${value}" is not a cron expression of five fields`, remedy: 'write it like "0 8 * * 1-5"' });
        }
        const zone = timezone === undefined ? "is missing" : typeof timezone === "string" ? timezoneProblem(timezone) : null;
        if (zone !== null) hits.push({ at: `${at}.timezone`, message: timezone === undefined ? `timezone ${zone}` : `"${String(timezone)}" ${zone}`, remedy: 'write a name such as "Europe/Berlin"' });
        return hits;
      }),
  examples: {
    bad: [
      { title: "closing time", declare: () => scaledObject({ triggers: [trigger({}), window({ desiredReplicas: "0" })] }), at: "spec.triggers.1.metadata.desiredReplicas" },
      { title: "no length", declare: () => scaledObject({ triggers: [window({ end: "0 8 * * 1-5" })] }), at: "spec.triggers.0.metadata.end" },
      { title: "four fields", declare: () => scaledObject({ triggers: [window({ start: "0 8 * *" })] }), at: "spec.triggers.0.metadata.start" },
      { title: "zone", declare: () => scaledObject({ triggers: [window({ timezone: "Berlin" })] }), at: "spec.triggers.0.metadata.timezone" },
    ],
    good: [{ title: "office hours", declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined, triggers: [window({})] }) }],
  },
});

function window(metadata: Fields): Fields {
  return { type: "cron", name: "hours", metadata: { timezone: "Europe/Berlin", start: "0 8 * * 1-5", end: "0 18 * * 1-5", desiredReplicas: "2", ...metadata } };
}

/** SCALE-02 */
export const neverWakes = manifestRule({
  id: "manifest.scaled-object.never-wakes",
  severity: "error",
  reason: "At zero replicas the pods' own metrics are gone, and CPU use of no pod is nothing: no trigger can start the first one.",
  reference: "KEDA concepts, activation; KEDA admission webhooks",
  check: (manifest) => {
    const all = triggers(manifest);
    if (minimum(manifest) !== 0 || all.length === 0) return [];
    const dead = all.every((part) => {
      if (part.type === "cpu" || part.type === "memory") return true;
      const reading = part.type === "prometheus" && typeof part.metadata.query === "string" ? readQuery(part.metadata.query) : null;
      return reading?.readable === true && reading.metrics.length > 0 && reading.metrics.every(isOwnMetric);
    });
    return dead ? [{ at: "spec.minReplicaCount", message: "no trigger is there while no pod runs", remedy: "add one on the gateway's or router's requests or by the clock, or use minReplicaCount: 1" }] : [];
  },
  examples: {
    bad: [
      { title: "own queue", declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined }), at: "spec.minReplicaCount" },
      { title: "by default", declare: () => scaledObject({ minReplicaCount: undefined, fallback: undefined }), at: "spec.minReplicaCount" },
      { title: "CPU", declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined, triggers: [{ type: "cpu", metricType: "Utilization", metadata: { value: "70" } }] }), at: "spec.minReplicaCount" },
    ],
    good: [
      { title: "gateway", declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined, triggers: [trigger({ query: "sum(llm_d_epp_flow_control_queue_size)" })] }) },
      { title: "at least one", declare: () => scaledObject() },
    ],
  },
});

/** SCALE-04, OBS-08 */
export const unknownMetric = manifestRule({
  id: "manifest.scaled-object.metric-unknown",
  severity: "warning",
  reason: "A series that nobody exports is empty for ever: the trigger never fires, and nothing reports it.",
  reference: "packages/catalog/data/vllm-versions.json and metrics.json",
  check: (manifest) =>
    prometheus(manifest).flatMap((part) => {
      const reading = readQuery(part.query);
      if (!reading.readable) return [];
      return reading.metrics.flatMap((name) => {
        const found = metricProblem(name, null);
        return found ? [{ at: `${part.at}.metadata.query`, message: found.problem, remedy: found.use === null ? "use a metric that is exported" : `use ${found.use}` }] : [];
      });
    }),
  examples: {
    bad: [
      { title: "never existed", declare: () => scaledObject({ triggers: [trigger({ query: "max(vllm:gpu_cache_usage_factor)" })] }), at: "spec.triggers.0.metadata.query" },
      { title: "lower case", declare: () => scaledObject({ triggers: [trigger({ query: "max(dcgm_gpu_utilization)" })] }), at: "spec.triggers.0.metadata.query" },
    ],
    good: [{ title: "exported", declare: () => scaledObject() }],
  },
});

/** SCALE-01 */
export const nullValues = manifestRule({
  id: "manifest.scaled-object.null-values",
  severity: "warning",
  reason: "By default no answer counts as zero: an outage of Prometheus scales everything to its minimum in the busiest hour.",
  reference: "KEDA Prometheus scaler, ignoreNullValues",
  check: (manifest) => {
    const min = minimum(manifest);
    if (min === null || min < 1) return [];
    return prometheus(manifest)
      .filter((part) => (part.metadata.ignoreNullValues ?? "true") === "true" && !/\bor\s+vector\s*\(/.test(part.query))
      .map((part) => ({ at: `${part.at}.metadata.ignoreNullValues`, message: "a missing series counts as no load", remedy: 'set ignoreNullValues: "false" and a fallback of at least min' }));
  },
  examples: {
    bad: [
      { title: "default", declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: undefined })] }), at: "spec.triggers.0.metadata.ignoreNullValues" },
      { title: "asked for", declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: "true" })] }), at: "spec.triggers.0.metadata.ignoreNullValues" },
    ],
    good: [
      { title: "an error", declare: () => scaledObject() },
      { title: "a value for silence", declare: () => scaledObject({ triggers: [trigger({ query: "sum(vllm:num_requests_waiting) or vector(0)", ignoreNullValues: "true" })] }) },
      { title: "from zero", declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined, triggers: [trigger({ ignoreNullValues: "true" }), window({})] }) },
    ],
  },
});

/** facts/platform.md 16.11 */
export const longName = manifestRule({
  id: "manifest.scaled-object.name",
  severity: "error",
  acknowledgeable: false,
  reason: "The HPA is called keda-hpa- and the name, which KEDA's webhook refuses above 63 characters.",
  reference: "KEDA admission webhooks",
  check: (manifest) => {
    const name = text(fields(manifest.metadata).name);
    const own = fields(fields(fields(manifest.spec).advanced).horizontalPodAutoscalerConfig).name;
    return isScaledObject(manifest) && name !== null && name.length > LONGEST_NAME && own === undefined
      ? [{ at: "metadata.name", message: `${name.length} characters; KEDA's HPA leaves ${LONGEST_NAME}`, remedy: `shorten it to ${LONGEST_NAME}, or name the HPA in advanced.horizontalPodAutoscalerConfig.name` }]
      : [];
  },
  examples: {
    bad: [{ title: "55", declare: () => scaledObject({}, "a".repeat(55)), at: "metadata.name" }],
    good: [
      { title: "54", declare: () => scaledObject({}, "a".repeat(54)) },
      { title: "HPA with a name of its own", declare: () => scaledObject({ advanced: { horizontalPodAutoscalerConfig: { name: "llama" } } }, "a".repeat(60)) },
    ],
  },
});

/** SCALE-14 */
export const hpaRange = manifestRule({
  id: "manifest.hpa.range",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses an empty range, and zero without a feature gate that EKS has off.",
  reference: "Kubernetes HorizontalPodAutoscaler API",
  check: (manifest) => {
    if (manifest.kind !== "HorizontalPodAutoscaler") return [];
    const { minReplicas, maxReplicas } = fields(manifest.spec);
    const min = minReplicas === undefined ? 1 : number(minReplicas);
    const max = number(maxReplicas);
    if (min !== null && min < 1) return [{ at: "spec.minReplicas", message: `minReplicas ${min}`, remedy: "use 1 or more, or KEDA to go to zero" }];
    return min !== null && max !== null && min > max ? [{ at: "spec.minReplicas", message: `minReplicas ${min} is above maxReplicas ${max}`, remedy: `raise maxReplicas to ${min}, or lower minReplicas` }] : [];
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => hpa({ minReplicas: 5, maxReplicas: 4 }), at: "spec.minReplicas" },
      { title: "zero", declare: () => hpa({ minReplicas: 0, maxReplicas: 4 }), at: "spec.minReplicas" },
    ],
    good: [
      { title: "one to four", declare: () => hpa({ minReplicas: 1, maxReplicas: 4 }) },
      { title: "min left out", declare: () => hpa({ maxReplicas: 4 }) },
    ],
  },
});

function hpa(spec: Fields): Manifest {
  return { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "web", namespace: "search" }, spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, ...spec } };
}
