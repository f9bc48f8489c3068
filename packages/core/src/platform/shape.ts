import * as z from "zod";

const mode = z.enum(["install", "present", "none"]).optional();
const declaration = z.custom<object>(
  (value) => typeof value === "object" && value !== null && "kind" in value && "props" in value,
  "expected declarations made by gpuPool, cpuPool, vllm, onnx and so on",
);

export const platformShape = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, "expected lower-case letters, digits and dashes")
    .optional(),
  environment: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, "expected lower-case letters, digits and dashes"),
  production: z.boolean().optional(),
  region: z.string().optional(),
  kubernetes: z
    .string()
    .regex(/^1\.\d+$/, 'expected a minor version such as "1.34"')
    .optional(),
  pools: z.array(declaration),
  services: z.array(declaration),
  gpuOperator: mode,
  keda: mode,
  monitoring: z
    .union([
      z.literal("none"),
      z.strictObject({
        kind: z.literal("prometheus-stack"),
        retentionDays: z.number().int().positive().optional(),
        storageGib: z.number().int().positive().optional(),
        storageClass: z.string().optional(),
      }),
      z.strictObject({
        kind: z.literal("existing-prometheus"),
        prometheusUrl: z.string(),
        namespace: z.string(),
        monitorLabels: z.record(z.string(), z.string()),
        scrapeIntervalSeconds: z.number().int().positive(),
      }),
    ])
    .optional(),
  clusterAutoscaler: mode,
  cost: z
    .strictObject({ kind: z.literal("kubecost"), clusterId: z.string(), storageClass: z.string().optional() })
    .optional(),
  ingressNamespaces: z.union([z.array(z.string()), z.literal("any")]).optional(),
  scaleDownDelaySeconds: z.number().int().nonnegative().optional(),
  acknowledge: z.record(z.string(), z.string()).optional(),
});
