import { fixed, onCpu, onQueue, schedule } from "../../scaling/props.ts";
import { phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 2 }];

/** SCALE-14 */
export const replicaRange = serviceRule({
  id: "scaling.range.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "KEDA and the HPA refuse a range that is empty or below zero, and the service keeps the replicas that it has.",
  reference: "KEDA ScaledObject specification; Kubernetes HorizontalPodAutoscaler API",
  check: ({ scaling: { by, min, max, ...rest } }) => {
    const clocked = by === "keda" && "targetPerReplica" in rest && rest.targetPerReplica === null;
    if (min < 0)
      return [
        {
          at: by === "nobody" ? "scaling.replicas" : clocked ? "scaling.outside" : "scaling.min",
          message: `${min} replicas; valid are whole numbers from 0`,
          remedy: "use 0 or more",
        },
      ];
    if (by === "nobody") return [];
    if (max < 1)
      return [
        {
          at: "scaling.max",
          message: `max ${max} lets no replica run`,
          remedy: "use 1 or more, or fixed(0) to switch the service off",
        },
      ];
    if (min > max)
      return [
        { at: "scaling", message: `min ${min} is above max ${max}`, remedy: `raise max to ${min}, or lower min` },
      ];
    return [];
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => llama({ scaling: onQueue({ min: 3, max: 2 }) }), at: "scaling" },
      { title: "min above max, on CPU", declare: () => phi({ scaling: onCpu({ min: 5, max: 4 }) }), at: "scaling" },
      { title: "negative", declare: () => llama({ scaling: onQueue({ min: -1, max: 2 }) }), at: "scaling.min" },
      { title: "no replica", declare: () => phi({ scaling: onQueue({ min: 0, max: 0 }) }), at: "scaling.max" },
      { title: "fixed below zero", declare: () => llama({ scaling: fixed(-2) }), at: "scaling.replicas" },
      {
        title: "below zero outside hours",
        declare: () => llama({ scaling: schedule({ hours, outside: -1 }) }),
        at: "scaling.outside",
      },
    ],
    good: [
      { title: "one to eight", declare: () => llama({ scaling: onQueue({ min: 1, max: 8 }) }) },
      { title: "fixed", declare: () => phi({ scaling: fixed(3) }) },
      { title: "equal", declare: () => phi({ scaling: onCpu({ min: 2, max: 2 }) }) },
    ],
  },
});

export const switchedOff = serviceRule({
  id: "scaling.fixed.off",
  severity: "warning",
  reason: "A service of no replicas answers nothing, and no load starts one.",
  reference: "Kubernetes Deployment, replicas 0",
  check: ({ scaling }) =>
    scaling.by === "nobody" && scaling.min === 0
      ? [
          {
            at: "scaling.replicas",
            message: "fixed(0) switches the service off",
            remedy: "use fixed(1), or onQueue({ min: 0, wake: ... }) to start on demand",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "zero", declare: () => llama({ scaling: fixed(0) }), at: "scaling.replicas" }],
    good: [{ title: "one", declare: () => llama({ scaling: fixed(1) }) }],
  },
});

const FULL_PERCENT = 100;

/** SCALE-14 */
export const target = serviceRule({
  id: "scaling.target.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The autoscaler divides by the target: at zero or below there is no number of replicas, and no CPU goes above its request where the limit equals it.",
  reference: "KEDA Prometheus scaler, threshold; Kubernetes HPA algorithm",
  check: ({ scaling }) => {
    if (scaling.by === "hpa") {
      return scaling.targetPercent > 0 && scaling.targetPercent <= FULL_PERCENT
        ? []
        : [
            {
              at: "scaling.targetPercent",
              message: `${scaling.targetPercent} % of the CPU request; valid is above 0 up to ${FULL_PERCENT}`,
              remedy: "use 70, the default",
            },
          ];
    }
    if (scaling.by !== "keda") return [];
    const hits = [];
    if (scaling.targetPerReplica !== null && !(scaling.targetPerReplica > 0)) {
      hits.push({
        at: "scaling.targetPerReplica",
        message: `${scaling.targetPerReplica} requests a replica; valid is above 0`,
        remedy: "leave it out for what the plan allows, or use 1 or more",
      });
    }
    const wake = scaling.triggers.find((trigger) => trigger.name === "wake");
    if (wake && !(Number(wake.metadata.threshold) > 0)) {
      hits.push({
        at: "scaling.wake.threshold",
        message: `threshold ${wake.metadata.threshold}; valid is above 0`,
        remedy: "give the value that one replica takes",
      });
    }
    return hits;
  },
  examples: {
    bad: [
      {
        title: "zero requests",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4, targetPerReplica: 0 }) }),
        at: "scaling.targetPerReplica",
      },
      {
        title: "negative",
        declare: () => phi({ scaling: onQueue({ min: 1, max: 4, targetPerReplica: -8 }) }),
        at: "scaling.targetPerReplica",
      },
      {
        title: "no CPU",
        declare: () => phi({ scaling: onCpu({ min: 1, max: 4, targetPercent: 0 }) }),
        at: "scaling.targetPercent",
      },
      {
        title: "more CPU than there is",
        declare: () => phi({ scaling: onCpu({ min: 1, max: 4, targetPercent: 150 }) }),
        at: "scaling.targetPercent",
      },
      {
        title: "threshold of the wake metric",
        declare: () =>
          llama({
            scaling: onQueue({
              min: 0,
              max: 4,
              wake: { query: "sum(gateway_queue)", threshold: 0, activationThreshold: -1 },
            }),
          }),
        at: "scaling.wake.threshold",
      },
    ],
    good: [
      { title: "sixteen", declare: () => llama({ scaling: onQueue({ min: 1, max: 4, targetPerReplica: 16 }) }) },
      { title: "70 %", declare: () => phi({ scaling: onCpu({ min: 1, max: 4 }) }) },
    ],
  },
});

/** SCALE-10 */
export const shortCooldown = serviceRule({
  id: "scaling.cooldown.short",
  severity: "warning",
  reason:
    "The last replica goes sooner than a new one can come: load in between starts and stops it without an answer.",
  reference: "KEDA ScaledObject specification, cooldownPeriod",
  check: ({ scaling, coldStart }) => {
    if (scaling.by !== "keda" || scaling.targetPerReplica === null || scaling.cooldownSeconds < 0) return [];
    const expected = coldStart.totalSeconds.expected;
    return scaling.cooldownSeconds < expected
      ? [
          {
            at: "scaling.cooldownSeconds",
            message: `${scaling.cooldownSeconds} s; a cold start takes about ${expected} s (${coldStart.totalSeconds.low} to ${coldStart.totalSeconds.high})`,
            remedy: `leave cooldownSeconds out, or use ${Math.max(300, expected)} or more`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "half a minute on a GPU",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4, cooldownSeconds: 30 }) }),
        at: "scaling.cooldownSeconds",
      },
    ],
    good: [
      { title: "derived", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) },
      { title: "an hour", declare: () => llama({ scaling: onQueue({ min: 1, max: 4, cooldownSeconds: 3600 }) }) },
    ],
  },
});

export const negativeCooldown = serviceRule({
  id: "scaling.cooldown.negative",
  severity: "error",
  acknowledgeable: false,
  reason: "A time that has passed before it begins is refused.",
  reference: "KEDA ScaledObject specification, cooldownPeriod",
  check: ({ scaling }) =>
    scaling.by === "keda" && scaling.cooldownSeconds < 0
      ? [
          {
            at: "scaling.cooldownSeconds",
            message: `${scaling.cooldownSeconds} s; valid is 0 or more`,
            remedy: "leave cooldownSeconds out",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "negative",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4, cooldownSeconds: -1 }) }),
        at: "scaling.cooldownSeconds",
      },
    ],
    good: [{ title: "derived", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) }],
  },
});
