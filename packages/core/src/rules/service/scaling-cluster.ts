import { onCpu, onQueue, schedule } from "../../scaling/props.ts";
import { customEngine } from "../../service/onnx-props.ts";
import { bge, classifier, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { l40s, llama } from "./examples.ts";

const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 1 }];

const blind = customEngine({
  name: "acme",
  port: 8080,
  healthPath: "/healthz",
  args: [],
  threadsVariable: null,
  metrics: null,
  runAsUser: 1000,
});

const seeing = customEngine({
  name: "acme",
  port: 8080,
  healthPath: "/healthz",
  args: [],
  threadsVariable: null,
  metrics: { path: "/metrics", port: 8080, queueMetric: "acme_in_flight" },
  runAsUser: 1000,
});

const image = { repository: "acme/onnx-server", tag: "1.4.2" };

export const kedaMissing = serviceRule({
  id: "scaling.keda.missing",
  severity: "error",
  acknowledgeable: false,
  reason: "Queue and clock scaling are ScaledObjects; without KEDA the API server does not know their kind.",
  reference: "KEDA deployment documentation",
  check: ({ scaling }, { keda }) =>
    scaling.by === "keda" && !keda
      ? [
          {
            at: "scaling",
            message: "scales by KEDA, which the cluster does not have",
            remedy: 'use keda: "install" or "present" on the platform, or fixed(n) or onCpu(...)',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "queue",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }),
        context: { keda: false },
        at: "scaling",
      },
      {
        title: "schedule",
        declare: () => phi({ scaling: schedule({ hours }) }),
        context: { keda: false },
        at: "scaling",
      },
    ],
    good: [
      { title: "with KEDA", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) },
      {
        title: "on CPU without KEDA",
        declare: () => phi({ scaling: onCpu({ min: 1, max: 4 }) }),
        context: { keda: false },
      },
    ],
  },
});

/** SCALE-13 */
export const monitoringMissing = serviceRule({
  id: "scaling.monitoring.missing",
  severity: "error",
  acknowledgeable: false,
  reason: "The triggers ask Prometheus; where none scrapes the pods the scaler exists and its series never appear.",
  reference: "KEDA Prometheus scaler",
  check: ({ scaling }, { monitoring }) =>
    scaling.by === "keda" && monitoring === null && scaling.triggers.some((trigger) => trigger.type === "prometheus")
      ? [
          {
            at: "scaling",
            message: "scales on Prometheus metrics, and there is no monitoring",
            remedy:
              "use monitoring: prometheusStack() or existingPrometheus(...) on the platform, or fixed(n), onCpu(...) or schedule(...)",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "queue",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }),
        context: { monitoring: null },
        at: "scaling",
      },
    ],
    good: [
      { title: "with Prometheus", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) },
      { title: "by the clock", declare: () => llama({ scaling: schedule({ hours }) }), context: { monitoring: null } },
    ],
  },
});

/** SCALE-13 */
export const queueWithoutMetric = serviceRule({
  id: "scaling.queue.no-metric",
  severity: "error",
  acknowledgeable: false,
  reason: "Nothing says how many requests are in flight, so the number of replicas cannot follow them.",
  reference: "packages/core/src/service/onnx-props.ts, CustomEngine.metrics.queueMetric",
  check: ({ scaling, origins }) => {
    if (scaling.by !== "keda" || scaling.targetPerReplica === null) return [];
    const has = (name: string) => scaling.triggers.some((trigger) => trigger.name === name);
    if (has("load")) return [];
    if (origins["scaling.targetPerReplica"]?.from === "given") {
      return [
        {
          at: "scaling.targetPerReplica",
          message: "the engine has no queue metric that this could be a target of",
          remedy: "give the engine metrics: { path, port, queueMetric }, or remove targetPerReplica",
        },
      ];
    }
    return has("wake")
      ? []
      : [
          {
            at: "scaling",
            message: "scales on the queue, and the engine has no queue metric",
            remedy: "give the engine metrics: { path, port, queueMetric }, or use onCpu(...) or wake",
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "no metrics",
        declare: () => classifier({ engine: blind, image, scaling: onQueue({ min: 1, max: 4 }) }),
        at: "scaling",
      },
      {
        title: "a target of nothing",
        declare: () =>
          classifier({
            engine: blind,
            image,
            scaling: onQueue({
              min: 1,
              max: 4,
              targetPerReplica: 4,
              wake: { query: "sum(gateway_queue)", threshold: 4 },
            }),
          }),
        at: "scaling.targetPerReplica",
      },
    ],
    good: [
      {
        title: "queue metric",
        declare: () => classifier({ engine: seeing, image, scaling: onQueue({ min: 1, max: 4 }) }),
      },
      {
        title: "a metric of the gateway instead",
        declare: () =>
          classifier({
            engine: blind,
            image,
            scaling: onQueue({ min: 1, max: 4, wake: { query: "sum(gateway_queue)", threshold: 4 } }),
          }),
      },
    ],
  },
});

/** facts/serving.md D5 */
export const spinning = serviceRule({
  id: "scaling.cpu.spinning",
  severity: "warning",
  reason: "ONNX Runtime's threads spin while they wait for work, so CPU use is high with and without requests.",
  reference: "onnxruntime.ai, Thread management: session.intra_op.allow_spinning",
  check: (service) =>
    service.scaling.by === "hpa" && service.kind === "onnx" && (service.engine === "triton" || service.engine === "tei")
      ? [
          {
            at: "scaling",
            message: `CPU use of ${service.engine} (ONNX Runtime) does not follow its load`,
            remedy: "use onQueue({ min, max }): the server has a gauge of waiting requests",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "Triton", declare: () => classifier({ scaling: onCpu({ min: 1, max: 4 }) }), at: "scaling" },
      { title: "TEI", declare: () => bge({ scaling: onCpu({ min: 1, max: 4 }) }), at: "scaling" },
    ],
    good: [
      { title: "OpenVINO sleeps", declare: () => phi({ scaling: onCpu({ min: 1, max: 4 }) }) },
      { title: "queue", declare: () => bge({ scaling: onQueue({ min: 1, max: 4 }) }) },
    ],
  },
});

/** SCALE-12 */
export const cpuOfGpuEngine = serviceRule({
  id: "scaling.cpu.gpu-engine",
  severity: "error",
  reason:
    "vLLM polls on its CPUs whether it works or not, and its GPU memory never changes: CPU use scales it never or always.",
  reference: "vLLM production metrics documentation; case SCALE-12",
  check: ({ scaling, kind }) =>
    scaling.by === "hpa" && kind === "vllm"
      ? [{ at: "scaling", message: "onCpu on a GPU service", remedy: "use onQueue({ min, max })" }]
      : [],
  examples: {
    bad: [{ title: "vLLM", declare: () => llama({ pool: l40s, scaling: onCpu({ min: 1, max: 4 }) }), at: "scaling" }],
    good: [
      { title: "queue", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) },
      { title: "CPU service", declare: () => phi({ scaling: onCpu({ min: 1, max: 4 }) }) },
    ],
  },
});
