import { isOwnMetric, metricProblem } from "../../scaling/metric-names.ts";
import { readQuery } from "../../scaling/promql.ts";
import { manifestRule } from "../rule.ts";
import { cronTrigger, scaledObject, trigger } from "./examples.ts";
import { minimum, prometheus, triggers } from "./keda.ts";

/** SCALE-01, SCALE-06; facts/platform.md 16.12 */
export const query = manifestRule({
  id: "manifest.scaled-object.query",
  severity: "error",
  reason:
    "KEDA takes one value: a query that gives several, or that Prometheus cannot read, leaves the trigger in error.",
  reference: "kedacore/keda pkg/scalers/prometheus_scaler.go",
  check: (manifest) =>
    prometheus(manifest).flatMap((part) => {
      const reading = readQuery(part.query);
      if (!reading.readable)
        return [
          {
            at: `${part.at}.metadata.query`,
            message: `the query cannot be read: ${reading.problem}`,
            remedy: "try it in Prometheus, and paste what works",
          },
        ];
      return reading.single
        ? []
        : [
            {
              at: `${part.at}.metadata.query`,
              message: "the query may give several values",
              remedy: "aggregate all of it: sum(...) without by, or max(...)",
            },
          ];
    }),
  examples: {
    bad: [
      {
        title: "bare series",
        declare: () => scaledObject({ triggers: [trigger({ query: "vllm:num_requests_waiting" })] }),
        at: "spec.triggers.0.metadata.query",
      },
      {
        title: "one a pod",
        declare: () => scaledObject({ triggers: [trigger({ query: "sum by (pod) (vllm:num_requests_waiting)" })] }),
        at: "spec.triggers.0.metadata.query",
      },
      {
        title: "bracket",
        declare: () => scaledObject({ triggers: [trigger({ query: "sum(vllm:num_requests_waiting" })] }),
        at: "spec.triggers.0.metadata.query",
      },
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
        return reading.readable && reading.mean
          ? [
              {
                at: `${part.at}.metadata.query`,
                message: `a mean with metricType ${part.metricType === undefined ? "left out" : "AverageValue"}`,
                remedy: "use sum(...), or metricType: Value",
              },
            ]
          : [];
      }),
  examples: {
    bad: [
      {
        title: "default type",
        declare: () =>
          scaledObject({ triggers: [trigger({ query: "avg(vllm:num_requests_waiting)" }, { metricType: undefined })] }),
        at: "spec.triggers.0.metadata.query",
      },
      {
        title: "said",
        declare: () => scaledObject({ triggers: [trigger({ query: "avg(vllm:kv_cache_usage_perc)" })] }),
        at: "spec.triggers.0.metadata.query",
      },
    ],
    good: [
      {
        title: "Value",
        declare: () =>
          scaledObject({ triggers: [trigger({ query: "avg(vllm:kv_cache_usage_perc)" }, { metricType: "Value" })] }),
      },
      { title: "sum", declare: () => scaledObject() },
    ],
  },
});

/** SCALE-02 */
export const neverWakes = manifestRule({
  id: "manifest.scaled-object.never-wakes",
  severity: "error",
  reason:
    "At zero replicas the pods' own metrics are gone, and CPU use of no pod is nothing: no trigger can start the first one.",
  reference: "KEDA concepts, activation; KEDA admission webhooks",
  check: (manifest) => {
    const all = triggers(manifest);
    if (minimum(manifest) !== 0 || all.length === 0) return [];
    const dead = all.every((part) => {
      if (part.type === "cpu" || part.type === "memory") return true;
      const reading =
        part.type === "prometheus" && typeof part.metadata.query === "string" ? readQuery(part.metadata.query) : null;
      return reading?.readable === true && reading.metrics.length > 0 && reading.metrics.every(isOwnMetric);
    });
    return dead
      ? [
          {
            at: "spec.minReplicaCount",
            message: "no trigger is there while no pod runs",
            remedy: "add one on the gateway's or router's requests or by the clock, or use minReplicaCount: 1",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "own queue",
        declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined }),
        at: "spec.minReplicaCount",
      },
      {
        title: "by default",
        declare: () => scaledObject({ minReplicaCount: undefined, fallback: undefined }),
        at: "spec.minReplicaCount",
      },
      {
        title: "CPU",
        declare: () =>
          scaledObject({
            minReplicaCount: 0,
            fallback: undefined,
            triggers: [{ type: "cpu", metricType: "Utilization", metadata: { value: "70" } }],
          }),
        at: "spec.minReplicaCount",
      },
    ],
    good: [
      {
        title: "gateway",
        declare: () =>
          scaledObject({
            minReplicaCount: 0,
            fallback: undefined,
            triggers: [trigger({ query: "sum(llm_d_epp_flow_control_queue_size)" })],
          }),
      },
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
        return found
          ? [
              {
                at: `${part.at}.metadata.query`,
                message: found.problem,
                remedy: found.use === null ? "use a metric that is exported" : `use ${found.use}`,
              },
            ]
          : [];
      });
    }),
  examples: {
    bad: [
      {
        title: "never existed",
        declare: () => scaledObject({ triggers: [trigger({ query: "max(vllm:gpu_cache_usage_factor)" })] }),
        at: "spec.triggers.0.metadata.query",
      },
      {
        title: "lower case",
        declare: () => scaledObject({ triggers: [trigger({ query: "max(dcgm_gpu_utilization)" })] }),
        at: "spec.triggers.0.metadata.query",
      },
    ],
    good: [{ title: "exported", declare: () => scaledObject() }],
  },
});

/** SCALE-01 */
export const nullValues = manifestRule({
  id: "manifest.scaled-object.null-values",
  severity: "warning",
  reason:
    "By default no answer counts as zero: an outage of Prometheus scales everything to its minimum in the busiest hour.",
  reference: "KEDA Prometheus scaler, ignoreNullValues",
  check: (manifest) => {
    const min = minimum(manifest);
    if (min === null || min < 1) return [];
    return prometheus(manifest)
      .filter((part) => (part.metadata.ignoreNullValues ?? "true") === "true" && !/\bor\s+vector\s*\(/.test(part.query))
      .map((part) => ({
        at: `${part.at}.metadata.ignoreNullValues`,
        message: "a missing series counts as no load",
        remedy: 'set ignoreNullValues: "false" and a fallback of at least min',
      }));
  },
  examples: {
    bad: [
      {
        title: "default",
        declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: undefined })] }),
        at: "spec.triggers.0.metadata.ignoreNullValues",
      },
      {
        title: "asked for",
        declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: "true" })] }),
        at: "spec.triggers.0.metadata.ignoreNullValues",
      },
    ],
    good: [
      { title: "an error", declare: () => scaledObject() },
      {
        title: "a value for silence",
        declare: () =>
          scaledObject({
            triggers: [trigger({ query: "sum(vllm:num_requests_waiting) or vector(0)", ignoreNullValues: "true" })],
          }),
      },
      {
        title: "from zero",
        declare: () =>
          scaledObject({
            minReplicaCount: 0,
            fallback: undefined,
            triggers: [trigger({ ignoreNullValues: "true" }), cronTrigger({})],
          }),
      },
    ],
  },
});
