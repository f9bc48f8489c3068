import { cpuPool, gpuPool } from "../../pool/declare.ts";
import { isOwnMetric } from "../../scaling/metric-names.ts";
import { readQuery } from "../../scaling/promql.ts";
import { onCpu, onQueue, schedule } from "../../scaling/props.ts";
import { classifier, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { l40s, llama } from "./examples.ts";

const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 1 }];
const gateway = { query: "sum(llm_d_epp_flow_control_queue_size)", threshold: 8 };

/** SCALE-02 */
export const neverWakes = serviceRule({
  id: "scaling.zero.never-wakes",
  severity: "error",
  reason: "The metric that should start the first pod is produced by pods that do not exist.",
  reference: "KEDA concepts, activation; kedacore/keda issues on scale from zero",
  check: ({ scaling }) => {
    if (scaling.by !== "keda" || scaling.min !== 0 || scaling.targetPerReplica === null) return [];
    const outside = scaling.triggers.some((trigger) => trigger.type === "cron" || trigger.name === "wake");
    return outside
      ? []
      : [
          {
            at: "scaling.min",
            message: "at zero replicas nothing can start one: the engine's own queue does not exist then",
            remedy: "give wake: a query on a gateway, router or broker that is always there; or hours; or use min: 1",
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "vLLM by its own queue",
        declare: () => llama({ scaling: onQueue({ min: 0, max: 4 }) }),
        at: "scaling.min",
      },
      {
        title: "TEI by its own queue",
        declare: () => phi({ scaling: onQueue({ min: 0, max: 4 }) }),
        at: "scaling.min",
      },
    ],
    good: [
      { title: "woken by the gateway", declare: () => llama({ scaling: onQueue({ min: 0, max: 4, wake: gateway }) }) },
      { title: "by office hours", declare: () => llama({ scaling: onQueue({ min: 0, max: 4, hours }) }) },
      { title: "schedule", declare: () => llama({ scaling: schedule({ hours }) }) },
    ],
  },
});

/** SCALE-02 */
export const ownWakeMetric = serviceRule({
  id: "scaling.wake.own-metric",
  severity: "error",
  reason:
    "A metric of the serving pods, or of the GPUs under them, is gone when the last pod is: it cannot wake the service.",
  reference: "KEDA concepts, activation; facts of the engines' exporters",
  check: ({ scaling }) => {
    if (scaling.by !== "keda" || scaling.min !== 0) return [];
    const query = scaling.triggers.find((trigger) => trigger.name === "wake")?.metadata.query;
    const reading = query === undefined ? null : readQuery(query);
    if (!reading?.readable || reading.metrics.length === 0 || !reading.metrics.every(isOwnMetric)) return [];
    return [
      {
        at: "scaling.wake.query",
        message: `${reading.metrics.join(", ")} exist${reading.metrics.length === 1 ? "s" : ""} only while pods of the service run`,
        remedy: "ask a source that is always there: the gateway's requests, the router's queue, a message broker",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "vLLM's queue",
        declare: () =>
          llama({
            scaling: onQueue({ min: 0, max: 4, wake: { query: "sum(vllm:num_requests_waiting)", threshold: 8 } }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "never empty, never above zero",
        declare: () =>
          llama({
            scaling: onQueue({
              min: 0,
              max: 4,
              wake: { query: "sum(vllm:num_requests_waiting) or vector(0)", threshold: 8 },
            }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "Triton's",
        declare: () =>
          classifier({
            scaling: onQueue({
              min: 0,
              max: 4,
              wake: { query: "sum(nv_inference_pending_request_count)", threshold: 8 },
            }),
          }),
        at: "scaling.wake.query",
      },
      {
        title: "GPU utilisation",
        declare: () =>
          llama({ scaling: onQueue({ min: 0, max: 4, wake: { query: "max(DCGM_FI_DEV_GPU_UTIL)", threshold: 80 } }) }),
        at: "scaling.wake.query",
      },
    ],
    good: [
      { title: "router's queue", declare: () => llama({ scaling: onQueue({ min: 0, max: 4, wake: gateway }) }) },
      {
        title: "vLLM router, which runs on",
        declare: () =>
          llama({
            scaling: onQueue({ min: 0, max: 4, wake: { query: "sum(vllm:num_incoming_requests)", threshold: 8 } }),
          }),
      },
      {
        title: "own metric with pods running",
        declare: () =>
          llama({
            scaling: onQueue({ min: 1, max: 4, wake: { query: "sum(vllm:num_requests_waiting)", threshold: 8 } }),
          }),
      },
    ],
  },
});

export const hpaAtZero = serviceRule({
  id: "scaling.zero.hpa",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The HPA does not go below one replica: its gate for zero is off on EKS, and CPU use of no pod would never bring one back.",
  reference: "Kubernetes feature gates, HPAScaleToZero",
  check: ({ scaling }) =>
    scaling.by === "hpa" && scaling.min === 0
      ? [
          {
            at: "scaling.min",
            message: "onCpu with min 0",
            remedy: "use min: 1, or schedule({ hours }) or onQueue({ min: 0, wake })",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "zero", declare: () => phi({ scaling: onCpu({ min: 0, max: 4 }) }), at: "scaling.min" }],
    good: [{ title: "one", declare: () => phi({ scaling: onCpu({ min: 1, max: 4 }) }) }],
  },
});

export const nodesStay = serviceRule({
  id: "scaling.zero.nodes-stay",
  severity: "info",
  reason: "Replicas at zero save money only where their nodes can go too.",
  reference: "EKS managed node groups, minSize",
  check: ({ scaling, pool }) =>
    scaling.by !== "nobody" && scaling.min === 0 && pool.size.min > 0
      ? [
          {
            at: "scaling.min",
            message: `at zero replicas pool ${pool.name} still keeps ${pool.size.min} ${pool.size.min === 1 ? "node" : "nodes"}`,
            remedy: "use size: { min: 0 } on the pool, unless other services need its nodes",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "pool of at least one",
        declare: () => llama({ scaling: schedule({ hours }), pool: l40s }),
        at: "scaling.min",
      },
    ],
    good: [
      {
        title: "pool from zero",
        declare: () =>
          llama({
            scaling: schedule({ hours }),
            pool: gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 0, max: 2 } }),
          }),
      },
      {
        title: "CPU pool from zero",
        declare: () =>
          phi({
            scaling: schedule({ hours }),
            pool: cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 0, max: 2 } }),
          }),
      },
    ],
  },
});
