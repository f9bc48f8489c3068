import type { Precision } from "@capstan/catalog";
import * as z from "zod";

const precisions = [
  "bf16",
  "fp16",
  "fp32",
  "fp8",
  "int8",
  "int4",
  "w4a16",
  "awq",
  "gptq",
  "nvfp4",
  "mxfp4",
  "bnb-4bit",
] as const satisfies readonly Precision[];

const acknowledge = z.record(z.string(), z.string()).optional();
const count = z.number().int();
const secretKey = z.strictObject({ secretName: z.string(), key: z.string() });
const identity = z.union([z.string(), z.looseObject({ kind: z.literal("ref"), name: z.string() })]);
const source = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("hub"),
    repository: z.string().optional(),
    revision: z.string().optional(),
    token: secretKey.optional(),
  }),
  z.strictObject({
    kind: z.literal("s3"),
    bucket: identity,
    prefix: z.string(),
    bytes: z.number().positive().optional(),
  }),
]);
const cache = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("nvme-cache"), source }),
  z.strictObject({
    kind: z.literal("claim-cache"),
    claimName: z.string(),
    accessMode: z.enum(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"]),
    path: z.string(),
  }),
]);
const hours = z.array(
  z.strictObject({ timezone: z.string(), weekdays: z.string(), from: z.string(), to: z.string(), replicas: count }),
);
const scaling = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("fixed"), replicas: count }),
  z.strictObject({
    kind: z.literal("queue"),
    min: count,
    max: count,
    targetPerReplica: z.number().optional(),
    wake: z
      .strictObject({ query: z.string(), activationThreshold: z.number().optional(), threshold: z.number() })
      .optional(),
    hours: hours.optional(),
    cooldownSeconds: count.optional(),
  }),
  z.strictObject({ kind: z.literal("schedule"), hours, outside: count }),
  z.strictObject({ kind: z.literal("cpu"), min: count, max: count, targetPercent: z.number() }),
]);
const pool = z.custom<object>(
  (value) => typeof value === "object" && value !== null && "kind" in value && "props" in value,
  "expected a pool made by gpuPool, cpuPool, existingPool or poolFromJson",
);
const model = z.union([
  z.string(),
  z.looseObject({ kind: z.literal("custom-model"), id: z.string(), weightsBytes: z.number().positive() }),
]);

const common = {
  name: z.string(),
  team: z.string(),
  pool,
  namespace: z.string().optional(),
  scaling: scaling.optional(),
  traffic: z
    .strictObject({
      requestsPerDay: z.number().nonnegative(),
      promptTokens: z.number().nonnegative(),
      outputTokens: z.number().nonnegative(),
      peakToMean: z.number().min(1).optional(),
    })
    .optional(),
  objective: z
    .strictObject({ ttftP99Ms: z.number().positive().optional(), interTokenP99Ms: z.number().positive().optional() })
    .optional(),
  image: z
    .strictObject({ repository: z.string(), tag: z.string().optional(), digest: z.string().optional() })
    .optional(),
  cpus: z.number().optional(),
  memoryGib: z.number().positive().optional(),
  drainSeconds: z.number().int().nonnegative().optional(),
  environmentVariables: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  secretEnvironmentVariables: z.array(z.strictObject({ name: z.string(), secret: secretKey })).optional(),
  ingressNamespaces: z.union([z.array(z.string()), z.literal("any")]).optional(),
  acknowledge,
  model,
  source: source.optional(),
  cache: cache.optional(),
  servedModelName: z.string().optional(),
  extraArgs: z.array(z.string()).optional(),
  precision: z.enum(precisions).optional(),
};

export const vllmShape = z.strictObject({
  ...common,
  engineVersion: z.string().optional(),
  slice: z.string().optional(),
  gpus: z.number().optional(),
  tensorParallel: z.number().optional(),
  pipelineParallel: z.number().optional(),
  maxModelLen: z.union([z.number(), z.literal("auto")]).optional(),
  maxNumSeqs: z.number().optional(),
  maxNumBatchedTokens: z.number().optional(),
  gpuMemoryUtilization: z.number().optional(),
  kvCacheDtype: z.string().optional(),
  kvCacheGib: z.number().optional(),
  enforceEager: z.boolean().optional(),
  dtype: z.enum(["auto", "bfloat16", "float16", "float32"]).optional(),
  prefixCaching: z.boolean().optional(),
  toolCallParser: z.string().optional(),
  reasoningParser: z.string().optional(),
  trustRemoteCode: z.boolean().optional(),
  lora: z.strictObject({ maxAdapters: count, maxRank: count }).optional(),
  spareGpu: z.boolean().optional(),
});

const port = z.number().int();
const customEngine = z.strictObject({
  kind: z.literal("custom-engine"),
  name: z.string(),
  port,
  healthPath: z.string(),
  args: z.array(z.string()),
  threadsVariable: z.string().nullable(),
  metrics: z.strictObject({ path: z.string(), port, queueMetric: z.string().nullable() }).nullable(),
  runAsUser: z.number().int().nonnegative(),
});

const tensor = z.strictObject({ name: z.string(), dataType: z.string(), dims: z.array(z.number().int()) });

export const onnxShape = z.strictObject({
  ...common,
  task: z.enum(["text-generation", "embeddings", "rerank", "classification", "tensor"]).optional(),
  engine: z.union([z.enum(["ovms", "triton", "tei"]), customEngine]).optional(),
  artefact: z
    .strictObject({ repository: z.string(), path: z.string().optional(), bytes: z.number().positive() })
    .optional(),
  contextTokens: count.positive().optional(),
  concurrency: count.positive().optional(),
  threads: z.number().optional(),
  pinned: z.boolean().optional(),
  amx: z.boolean().optional(),
  instances: count.positive().optional(),
  batching: z
    .strictObject({ maxBatchSize: count.positive(), maxQueueDelayMicroseconds: count.nonnegative() })
    .optional(),
  tensors: z.strictObject({ inputs: z.array(tensor), outputs: z.array(tensor) }).optional(),
});
