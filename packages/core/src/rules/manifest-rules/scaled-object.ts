import { timezoneProblem } from "../../scaling/hours.ts";
import { manifestRule } from "../rule.ts";
import { cronTrigger, scaledObject, trigger } from "./examples.ts";
import { amount, isScaledObject, maximum, minimum, triggers } from "./keda.ts";
import { fields, number, text } from "./objects.ts";

const LONGEST_NAME = 54;

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
        .map(([key, value]) => ({
          at: `${part.at}.metadata.${key}`,
          message: `${key}: ${String(value)} is a ${typeof value}`,
          remedy: `write "${String(value)}"`,
        })),
    ),
  examples: {
    bad: [
      {
        title: "number",
        declare: () => scaledObject({ triggers: [trigger({ threshold: 16 })] }),
        at: "spec.triggers.0.metadata.threshold",
      },
      {
        title: "boolean",
        declare: () => scaledObject({ triggers: [trigger({ ignoreNullValues: false })] }),
        at: "spec.triggers.0.metadata.ignoreNullValues",
      },
    ],
    good: [{ title: "strings", declare: () => scaledObject() }],
  },
});

/** SCALE-14; facts/platform.md 16.11 and 16.14 */
export const range = manifestRule({
  id: "manifest.scaled-object.range",
  severity: "error",
  reason:
    "KEDA refuses an empty range and an idle number that is not zero below min; a fallback of zero switches the service off in an outage of Prometheus, one above max is cut.",
  reference: "KEDA ScaledObject specification and admission webhooks",
  check: (manifest) => {
    const [min, max] = [minimum(manifest), maximum(manifest)];
    if (!isScaledObject(manifest) || min === null || max === null) return [];
    const { idleReplicaCount, fallback } = fields(manifest.spec);
    const idle = number(idleReplicaCount);
    const replicas = number(fields(fallback).replicas);
    const hits = [];
    if (min < 0) hits.push({ at: "spec.minReplicaCount", message: `${min} replicas`, remedy: "use 0 or more" });
    if (max < 1)
      hits.push({ at: "spec.maxReplicaCount", message: `max ${max} lets no replica run`, remedy: "use 1 or more" });
    else if (min > max)
      hits.push({
        at: "spec.minReplicaCount",
        message: `min ${min} is above max ${max}`,
        remedy: `raise maxReplicaCount to ${min}, or lower minReplicaCount`,
      });
    if (idle !== null && (idle !== 0 || idle >= min))
      hits.push({
        at: "spec.idleReplicaCount",
        message: `idleReplicaCount ${idle} with min ${min}; only 0 below min works`,
        remedy: "remove it, and use minReplicaCount: 0 to go to zero",
      });
    if (replicas !== null && replicas < Math.max(1, min))
      hits.push({
        at: "spec.fallback.replicas",
        message: `a fallback of ${replicas} with min ${min}`,
        remedy: `use at least ${Math.max(1, min)}`,
      });
    if (replicas !== null && replicas > max)
      hits.push({
        at: "spec.fallback.replicas",
        message: `a fallback of ${replicas} above max ${max}`,
        remedy: `use at most ${max}`,
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "min above max",
        declare: () => scaledObject({ minReplicaCount: 5, fallback: undefined }),
        at: "spec.minReplicaCount",
      },
      {
        title: "no replica",
        declare: () => scaledObject({ minReplicaCount: 0, maxReplicaCount: 0, fallback: undefined }),
        at: "spec.maxReplicaCount",
      },
      { title: "idle at min", declare: () => scaledObject({ idleReplicaCount: 1 }), at: "spec.idleReplicaCount" },
      {
        title: "idle with min zero",
        declare: () => scaledObject({ minReplicaCount: 0, idleReplicaCount: 0 }),
        at: "spec.idleReplicaCount",
      },
      {
        title: "fallback above max",
        declare: () => scaledObject({ fallback: { failureThreshold: 3, replicas: 9 } }),
        at: "spec.fallback.replicas",
      },
      {
        title: "fallback of none",
        declare: () => scaledObject({ fallback: { failureThreshold: 3, replicas: 0 } }),
        at: "spec.fallback.replicas",
      },
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
  reason:
    "KEDA divides by the threshold, activates only above activationThreshold, and tells triggers apart by their name.",
  reference: "KEDA Prometheus scaler; KEDA admission webhooks",
  check: (manifest) => {
    const all = triggers(manifest);
    const names = all.map((part) => part.name);
    return all.flatMap((part, i) => {
      const hits = [];
      if (typeof part.name === "string" && names.indexOf(part.name) !== i)
        hits.push({
          at: `${part.at}.name`,
          message: `a second trigger is called ${part.name}`,
          remedy: "give it another name",
        });
      if (part.type !== "prometheus") return hits;
      const threshold = amount(part.metadata.threshold);
      const activation = amount(part.metadata.activationThreshold ?? "0");
      if (threshold !== null && !(threshold > 0))
        hits.push({
          at: `${part.at}.metadata.threshold`,
          message:
            part.metadata.threshold === undefined
              ? "no threshold"
              : `threshold ${String(part.metadata.threshold)}; valid is a number above 0`,
          remedy: "give what one replica takes",
        });
      else if (threshold !== null && activation !== null && activation >= threshold)
        hits.push({
          at: `${part.at}.metadata.activationThreshold`,
          message: `activationThreshold ${activation} is not below threshold ${threshold}`,
          remedy: "use 0, the default",
        });
      return hits;
    });
  },
  examples: {
    bad: [
      {
        title: "zero",
        declare: () => scaledObject({ triggers: [trigger({ threshold: "0" })] }),
        at: "spec.triggers.0.metadata.threshold",
      },
      {
        title: "word",
        declare: () => scaledObject({ triggers: [trigger({ threshold: "many" })] }),
        at: "spec.triggers.0.metadata.threshold",
      },
      {
        title: "missing",
        declare: () => scaledObject({ triggers: [trigger({ threshold: undefined })] }),
        at: "spec.triggers.0.metadata.threshold",
      },
      {
        title: "activation above",
        declare: () => scaledObject({ triggers: [trigger({ activationThreshold: "20" })] }),
        at: "spec.triggers.0.metadata.activationThreshold",
      },
      {
        title: "one name twice",
        declare: () => scaledObject({ triggers: [trigger({}), trigger({})] }),
        at: "spec.triggers.1.name",
      },
    ],
    good: [{ title: "sixteen", declare: () => scaledObject() }],
  },
});

/** facts/platform.md 7 and 16.12 */
export const metricName = manifestRule({
  id: "manifest.scaled-object.metric-name",
  severity: "warning",
  reason: "KEDA dropped metricName: it is read by nobody, and who reads the manifest takes it for the metric.",
  reference: "KEDA Prometheus scaler, deprecated fields",
  check: (manifest) =>
    triggers(manifest)
      .filter((part) => part.type === "prometheus" && part.metadata.metricName !== undefined)
      .map((part) => ({
        at: `${part.at}.metadata.metricName`,
        message: "metricName is not a field any more",
        remedy: "remove it; the metric is in query",
      })),
  examples: {
    bad: [
      {
        title: "left over",
        declare: () => scaledObject({ triggers: [trigger({ metricName: "vllm_queue" })] }),
        at: "spec.triggers.0.metadata.metricName",
      },
    ],
    good: [{ title: "without", declare: () => scaledObject() }],
  },
});

/** facts/platform.md 16.16 */
export const cron = manifestRule({
  id: "manifest.scaled-object.cron",
  severity: "error",
  reason:
    "A cron trigger raises the number of replicas inside its window: zero raises nothing and lowers nothing, and a window without end or zone never opens.",
  reference: "KEDA cron scaler",
  check: (manifest) =>
    triggers(manifest)
      .filter((part) => part.type === "cron")
      .flatMap((part) => {
        const { desiredReplicas, start, end, timezone } = part.metadata;
        const at = `${part.at}.metadata`;
        const hits = [];
        const wanted = amount(desiredReplicas);
        if (wanted !== null && !(Number.isInteger(wanted) && wanted >= 1))
          hits.push({
            at: `${at}.desiredReplicas`,
            message: `desiredReplicas ${desiredReplicas === undefined ? "missing" : String(desiredReplicas)}; valid are whole numbers from 1`,
            remedy: "use minReplicaCount: 0 with the working hours as the window",
          });
        if (typeof start === "string" && start === end)
          hits.push({
            at: `${at}.end`,
            message: `the window starts and ends at "${start}"`,
            remedy: "give another end",
          });
        for (const [key, value] of [
          ["start", start],
          ["end", end],
        ] as const) {
          if (typeof value === "string" && value.trim().split(/\s+/).length !== 5)
            hits.push({
              at: `${at}.${key}`,
              message: `"${value}" is not a cron expression of five fields`,
              remedy: 'write it like "0 8 * * 1-5"',
            });
        }
        const zone =
          timezone === undefined ? "is missing" : typeof timezone === "string" ? timezoneProblem(timezone) : null;
        if (zone !== null)
          hits.push({
            at: `${at}.timezone`,
            message: timezone === undefined ? `timezone ${zone}` : `"${String(timezone)}" ${zone}`,
            remedy: 'write a name such as "Europe/Berlin"',
          });
        return hits;
      }),
  examples: {
    bad: [
      {
        title: "closing time",
        declare: () => scaledObject({ triggers: [trigger({}), cronTrigger({ desiredReplicas: "0" })] }),
        at: "spec.triggers.1.metadata.desiredReplicas",
      },
      {
        title: "no length",
        declare: () => scaledObject({ triggers: [cronTrigger({ end: "0 8 * * 1-5" })] }),
        at: "spec.triggers.0.metadata.end",
      },
      {
        title: "four fields",
        declare: () => scaledObject({ triggers: [cronTrigger({ start: "0 8 * *" })] }),
        at: "spec.triggers.0.metadata.start",
      },
      {
        title: "zone",
        declare: () => scaledObject({ triggers: [cronTrigger({ timezone: "Berlin" })] }),
        at: "spec.triggers.0.metadata.timezone",
      },
    ],
    good: [
      {
        title: "office hours",
        declare: () => scaledObject({ minReplicaCount: 0, fallback: undefined, triggers: [cronTrigger({})] }),
      },
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
      ? [
          {
            at: "metadata.name",
            message: `${name.length} characters; KEDA's HPA leaves ${LONGEST_NAME}`,
            remedy: `shorten it to ${LONGEST_NAME}, or name the HPA in advanced.horizontalPodAutoscalerConfig.name`,
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "55", declare: () => scaledObject({}, "a".repeat(55)), at: "metadata.name" }],
    good: [
      { title: "54", declare: () => scaledObject({}, "a".repeat(54)) },
      {
        title: "HPA with a name of its own",
        declare: () => scaledObject({ advanced: { horizontalPodAutoscalerConfig: { name: "llama" } } }, "a".repeat(60)),
      },
    ],
  },
});
