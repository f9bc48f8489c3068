import type { VllmVersion } from "@capstan/catalog";
import { gpuPool, hub, nvmeCache, s3, secretKey, timeSlicing, type VllmProps } from "@capstan/core";

/** Versions that are tried: the oldest, one between and the newest of those with drain. */
export const versions = ["0.19.1", "0.28.0", "0.33.0"] as const satisfies readonly VllmVersion[];

const size = { min: 0, max: 2 };
const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
const l40sFour = gpuPool({ name: "l40s-4", instanceType: "g6e.12xlarge", size });
const shared = gpuPool({ name: "l4-shared", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) });

export const base: VllmProps = {
  name: "llama-8b",
  team: "search",
  model: "meta-llama/Llama-3.1-8B-Instruct",
  pool: l40s,
  maxModelLen: 8192,
};

/** Where the model of `base` comes from where a variation has no source of its own: it is gated. */
export const gated = hub({
  revision: "0123456789abcdef0123456789abcdef01234567",
  token: secretKey("hf-token", "token"),
});

/** Every property that ends in an argument, alone; together they are tried as well. */
export const variations: Readonly<Record<string, Partial<VllmProps>>> = {
  "nothing but defaults": {},
  "maxModelLen auto": { maxModelLen: "auto" },
  maxNumSeqs: { maxNumSeqs: 64 },
  maxNumBatchedTokens: { maxNumBatchedTokens: 4096 },
  gpuMemoryUtilization: { gpuMemoryUtilization: 0.85 },
  kvCacheDtype: { kvCacheDtype: "fp8" },
  kvCacheGib: { kvCacheGib: 4 },
  enforceEager: { enforceEager: true },
  dtype: { dtype: "bfloat16" },
  "prefixCaching on": { prefixCaching: true },
  "prefixCaching off": { prefixCaching: false },
  servedModelName: { servedModelName: "chat" },
  toolCallParser: { toolCallParser: "llama3_json" },
  reasoningParser: { model: "Qwen/Qwen3-4B", reasoningParser: "qwen3" },
  trustRemoteCode: { trustRemoteCode: true },
  lora: { lora: { maxAdapters: 4, maxRank: 16 } },
  "tensorParallel and pipelineParallel": { pool: l40sFour, gpus: 4, tensorParallel: 2, pipelineParallel: 2 },
  "from S3": { source: s3("models-bucket/llama-3.1-8b") },
  "from a node cache": { cache: nvmeCache({ source: s3("models-bucket/llama-3.1-8b") }) },
  "on a shared GPU": { pool: shared, model: "meta-llama/Llama-3.2-1B-Instruct", maxModelLen: 4096 },
  extraArgs: {
    extraArgs: ["--seed=7", "--no-async-scheduling", '--compilation-config={"cudagraph_mode":"PIECEWISE"}'],
  },
};

export const together: Partial<VllmProps> = {
  ...variations["tensorParallel and pipelineParallel"],
  ...variations.maxNumSeqs,
  ...variations.maxNumBatchedTokens,
  ...variations.gpuMemoryUtilization,
  ...variations.kvCacheDtype,
  ...variations.enforceEager,
  ...variations.dtype,
  ...variations["prefixCaching off"],
  ...variations.servedModelName,
  ...variations.toolCallParser,
  ...variations.lora,
};

interface Wrong {
  readonly title: string;
  readonly props: Partial<VllmProps>;
}

/** What neither our rules nor the parser may take. */
export const wrong: readonly Wrong[] = [
  { title: "no such flag", props: { extraArgs: ["--no-such-flag=1"] } },
  { title: "a misspelled flag", props: { extraArgs: ["--sead=1"] } },
  { title: "a flag of old versions", props: { extraArgs: ["--num-scheduler-steps=8"] } },
  { title: "a flag without its value", props: { extraArgs: ["--seed"] } },
  { title: "a switch with a value", props: { extraArgs: ["--async-scheduling=true"] } },
  { title: "not one of the choices", props: { extraArgs: ["--gdn-prefill-backend=cuda"] } },
  { title: "values that belong to no flag", props: { extraArgs: ["serve-this-too", "and-this"] } },
];

/** What the catalog has no type for, so that it shows at start only. */
export const wrongForTheParserAlone: readonly Wrong[] = [
  { title: "a word for a number", props: { extraArgs: ["--seed=seven"] } },
  { title: "a fraction for a whole number", props: { extraArgs: ["--block-size=16.5"] } },
  { title: "a choice that the sources compute", props: { extraArgs: ["--uvicorn-log-level=loud"] } },
  { title: "JSON that is none", props: { extraArgs: ['--compilation-config={"cudagraph_mode":'] } },
];
