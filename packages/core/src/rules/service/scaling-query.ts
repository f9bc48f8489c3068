import { isGpuUtilisation, metricProblem } from "../../scaling/metric-names.ts";
import { type QueryReading, readQuery } from "../../scaling/promql.ts";
import { onQueue } from "../../scaling/props.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama, sharedL4 } from "./examples.ts";

interface Wake {
  readonly query: string;
  readonly threshold: number;
  readonly activationThreshold: number;
  readonly reading: QueryReading;
}

/** The query that the declaration itself brings; the one on the engine's load is ours. */
function wakeOf({ scaling }: ResolvedService): Wake | null {
  if (scaling.by !== "keda") return null;
  const metadata = scaling.triggers.find((trigger) => trigger.name === "wake")?.metadata;
  if (metadata === undefined) return null;
  const query = metadata.query ?? "";
  return {
    query,
    threshold: Number(metadata.threshold),
    activationThreshold: Number(metadata.activationThreshold),
    reading: readQuery(query),
  };
}

function waking(query: string, more: { readonly threshold?: number; readonly activationThreshold?: number } = {}) {
  return llama({ scaling: onQueue({ min: 0, max: 4, wake: { query, threshold: 8, ...more } }) });
}

/** SCALE-01 */
export const unreadableQuery = serviceRule({
  id: "scaling.query.unreadable",
  severity: "error",
  reason: "Prometheus refuses the query, the trigger stays in error and the service keeps the replicas that it has.",
  reference: "Prometheus documentation, Querying basics",
  check: (service) => {
    const wake = wakeOf(service);
    return wake && !wake.reading.readable
      ? [
          {
            at: "scaling.wake.query",
            message: `the query cannot be read: ${wake.reading.problem}`,
            remedy: "try it in Prometheus, and paste what works",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "bracket left open",
        declare: () => waking("sum(rate(gateway_requests_total[1m])"),
        at: "scaling.wake.query",
      },
      { title: "bracket too many", declare: () => waking("sum(gateway_queue))"), at: "scaling.wake.query" },
      { title: "empty", declare: () => waking(""), at: "scaling.wake.query" },
    ],
    good: [{ title: "rate of the gateway", declare: () => waking("sum(rate(gateway_requests_total[1m]))") }],
  },
});

/** SCALE-01, SCALE-06 */
export const severalValues = serviceRule({
  id: "scaling.query.several-values",
  severity: "error",
  reason:
    "KEDA takes one value and fails on a query that gives several, which it does as soon as there is a second pod, model or zone.",
  reference: "kedacore/keda pkg/scalers/prometheus_scaler.go",
  check: (service) => {
    const wake = wakeOf(service);
    return wake?.reading.readable && !wake.reading.single
      ? [
          {
            at: "scaling.wake.query",
            message: `"${shorten(wake.query)}" may give several values`,
            remedy: "aggregate all of it: sum(...) without by, or max(...)",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "bare series", declare: () => waking("gateway_queue"), at: "scaling.wake.query" },
      { title: "one a model", declare: () => waking("sum by (model) (gateway_queue)"), at: "scaling.wake.query" },
      { title: "rate alone", declare: () => waking("rate(gateway_requests_total[1m])"), at: "scaling.wake.query" },
    ],
    good: [
      { title: "sum", declare: () => waking("sum(gateway_queue)") },
      { title: "with a value at silence", declare: () => waking("sum(gateway_queue) or vector(0)") },
    ],
  },
});

/** SCALE-06 */
export const meanQuery = serviceRule({
  id: "scaling.query.mean",
  severity: "warning",
  reason:
    "The value is divided by the replicas that run; a mean over them is divided twice, and half of the replicas come that were meant.",
  reference: "Kubernetes HPA, AverageValue; KEDA Prometheus scaler",
  check: (service) => {
    const wake = wakeOf(service);
    return wake?.reading.readable && wake.reading.mean
      ? [
          {
            at: "scaling.wake.query",
            message: `"${shorten(wake.query)}" is a mean`,
            remedy: "use sum(...), with threshold as what one replica takes",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "avg", declare: () => waking("avg(gateway_queue)"), at: "scaling.wake.query" },
      {
        title: "sum over count",
        declare: () => waking("sum(gateway_queue) / count(gateway_queue)"),
        at: "scaling.wake.query",
      },
    ],
    good: [{ title: "sum", declare: () => waking("sum(gateway_queue)") }],
  },
});

/** SCALE-14 */
export const activation = serviceRule({
  id: "scaling.wake.activation",
  severity: "error",
  reason:
    "A service that activates only above the value of a whole replica leaves requests waiting that one replica could serve; below zero it never goes to sleep.",
  reference: "KEDA concepts, activation and scaling thresholds",
  check: (service) => {
    const wake = wakeOf(service);
    if (wake === null || !(wake.threshold > 0)) return [];
    if (wake.activationThreshold < 0)
      return [
        {
          at: "scaling.wake.activationThreshold",
          message: `activationThreshold ${wake.activationThreshold} is always exceeded`,
          remedy: "use 0, the default",
        },
      ];
    return wake.activationThreshold >= wake.threshold
      ? [
          {
            at: "scaling.wake.activationThreshold",
            message: `activationThreshold ${wake.activationThreshold} is not below threshold ${wake.threshold}`,
            remedy: "use 0, the default, or a value below threshold",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "above the threshold",
        declare: () => waking("sum(gateway_queue)", { threshold: 4, activationThreshold: 10 }),
        at: "scaling.wake.activationThreshold",
      },
      {
        title: "equal",
        declare: () => waking("sum(gateway_queue)", { threshold: 4, activationThreshold: 4 }),
        at: "scaling.wake.activationThreshold",
      },
      {
        title: "negative",
        declare: () => waking("sum(gateway_queue)", { activationThreshold: -1 }),
        at: "scaling.wake.activationThreshold",
      },
    ],
    good: [{ title: "below", declare: () => waking("sum(gateway_queue)", { threshold: 4, activationThreshold: 1 }) }],
  },
});

/** SCALE-04, OBS-08 */
export const unknownMetric = serviceRule({
  id: "scaling.metric.unknown",
  severity: "warning",
  reason: "A series that nobody exports is empty for ever: the trigger never fires, and nothing reports it.",
  reference: "vLLM metrics by version (packages/catalog/data/vllm-versions.json); dcgm-exporter default-counters.csv",
  check: (service) => {
    const wake = wakeOf(service);
    if (!wake?.reading.readable) return [];
    const version = service.kind === "vllm" ? service.engineVersion : null;
    return wake.reading.metrics.flatMap((name) => {
      const found = metricProblem(name, version);
      return found
        ? [
            {
              at: "scaling.wake.query",
              message: found.problem,
              remedy: found.use === null ? "use a metric that is exported" : `use ${found.use}`,
            },
          ]
        : [];
    });
  },
  examples: {
    bad: [
      {
        title: "never existed",
        declare: () =>
          llama({
            scaling: onQueue({ min: 1, max: 4, wake: { query: "max(vllm:gpu_cache_usage_factor)", threshold: 1 } }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "gone since 0.11",
        declare: () =>
          llama({
            scaling: onQueue({ min: 1, max: 4, wake: { query: "max(vllm:gpu_cache_usage_perc)", threshold: 1 } }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "not in this version yet",
        declare: () =>
          llama({
            engineVersion: "0.19.1",
            scaling: onQueue({ min: 1, max: 4, wake: { query: "sum(vllm:watermark_requests)", threshold: 1 } }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "lower case",
        declare: () =>
          llama({ scaling: onQueue({ min: 1, max: 4, wake: { query: "max(dcgm_gpu_utilization)", threshold: 80 } }) }),
        at: "scaling.wake.query",
      },
      {
        title: "not exported by default",
        declare: () =>
          llama({ scaling: onQueue({ min: 1, max: 4, wake: { query: "max(DCGM_FI_PROF_SM_ACTIVE)", threshold: 1 } }) }),
        at: "scaling.wake.query",
      },
      {
        title: "misspelt",
        declare: () =>
          phi({ scaling: onQueue({ min: 1, max: 4, wake: { query: "sum(ovms_curent_graphs)", threshold: 4 } }) }),
        at: "scaling.wake.query",
      },
    ],
    good: [
      {
        title: "counter with its suffix",
        declare: () =>
          llama({
            scaling: onQueue({
              min: 1,
              max: 4,
              wake: { query: "sum(rate(vllm:request_success_total[5m]))", threshold: 4 },
            }),
          }),
      },
      {
        title: "histogram",
        declare: () =>
          llama({
            scaling: onQueue({
              min: 1,
              max: 4,
              wake: {
                query: "histogram_quantile(0.95, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
                threshold: 1,
              },
            }),
          }),
      },
      { title: "somebody else's", declare: () => waking("sum(gateway_queue)") },
    ],
  },
});

/** SCALE-15 */
export const gpuUtilisation = serviceRule({
  id: "scaling.metric.gpu-utilisation",
  severity: "warning",
  reason:
    "An engine keeps its GPU busy with one request as with fifty, and on a shared GPU every pod reports the whole card.",
  reference: "NVIDIA DCGM field identifiers, GPU utilisation; dcgm-exporter, KUBERNETES_VIRTUAL_GPUS",
  check: (service) => {
    const wake = wakeOf(service);
    const metrics = wake?.reading.readable ? wake.reading.metrics.filter(isGpuUtilisation) : [];
    if (metrics.length === 0) return [];
    const { pool } = service;
    const shared = pool.sharing.kind === "time-slicing" || pool.sharing.kind === "mps";
    return [
      {
        at: "scaling.wake.query",
        message: `${metrics.join(", ")} ${shared ? `is the whole card's on pool ${pool.name}, whose GPUs are shared` : "does not grow with the queue"}`,
        remedy: "scale on requests: leave wake out, and the engine's own queue decides",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "own GPU",
        declare: () =>
          llama({ scaling: onQueue({ min: 1, max: 4, wake: { query: "avg(DCGM_FI_DEV_GPU_UTIL)", threshold: 80 } }) }),
        at: "scaling.wake.query",
      },
      {
        title: "shared GPU",
        declare: () =>
          llama({
            model: "Qwen/Qwen2.5-1.5B-Instruct",
            maxModelLen: 4096,
            pool: sharedL4,
            scaling: onQueue({ min: 1, max: 4, wake: { query: "max(DCGM_FI_PROF_GR_ENGINE_ACTIVE)", threshold: 1 } }),
          }),
        at: "scaling.wake.query",
      },
    ],
    good: [{ title: "queue", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) }],
  },
});

function shorten(query: string): string {
  return query.length > 60 ? `${query.slice(0, 57)}...` : query;
}
