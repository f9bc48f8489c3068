import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findModel,
  type GpuModel,
  gpu as gpuFacts,
  type ModelFacts,
  modelAliases,
  modelIds,
  type Precision,
} from "../../packages/catalog/src/index.ts";
import { vllmMemory } from "../../packages/core/src/plan/memory/index.ts";
import { tensorRtCapacity } from "../../packages/core/src/plan/speed/tensorrt-capacity.ts";
import type { SpeedInput } from "../../packages/core/src/plan/speed/types.ts";

/** A published figure, as the data set has it. */
export interface ThroughputPoint {
  readonly id: string;
  readonly model: string;
  readonly engine: string;
  readonly engine_version: string;
  readonly gpu: string;
  readonly gpu_count: number | null;
  readonly tp: number;
  readonly pp: number;
  readonly precision: string;
  readonly kv_dtype: string | null;
  readonly input_len: number | null;
  readonly output_len: number | null;
  readonly concurrency: number | null;
  readonly load: string;
  readonly output_tok_s: number | null;
  readonly ttft_ms: number | null;
  readonly tpot_or_itl_ms: number | null;
}

export interface UsablePoint {
  readonly point: ThroughputPoint;
  readonly input: SpeedInput;
  /** Output tokens a second of one replica. */
  readonly measured: number;
  readonly assumed: readonly string[];
}

export interface SkippedPoint {
  readonly point: ThroughputPoint;
  readonly reason: string;
}

export function readPoints(directory: string): readonly ThroughputPoint[] {
  const text = readFileSync(join(directory, "throughput-points.json"), "utf8");
  const document = JSON.parse(text) as { readonly points: readonly ThroughputPoint[] };
  return [...document.points].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const gpus: readonly [RegExp, GpuModel][] = [
  [/^H200/, "h200"],
  [/^H100 80GB/, "h100-80"],
  [/^H100 NVL/, "h100-nvl"],
  [/^A100 80GB/, "a100-80"],
  [/^A100 40GB/, "a100-40"],
  [/^L40S/, "l40s"],
  [/^L4$/, "l4"],
  [/^A10G/, "a10g"],
  [/^T4$/, "t4"],
  [/^B200/, "b200"],
  [/^B300/, "b300"],
  [/^RTX PRO 6000/, "rtx-pro-6000-blackwell"],
];

/** Names of the tables, without owner and "-Instruct". */
const models: Readonly<Record<string, string>> = {
  "llama 3.1 8b": "meta-llama/Llama-3.1-8B-Instruct",
  "llama 3.1 70b": "meta-llama/Llama-3.1-70B-Instruct",
  "llama 3.3 70b": "meta-llama/Llama-3.3-70B-Instruct",
  "llama 3.1 405b": "meta-llama/Llama-3.1-405B-Instruct",
  "llama 4 scout": "meta-llama/Llama-4-Scout-17B-16E-Instruct",
  "mistral 7b": "mistralai/Mistral-7B-Instruct-v0.3",
  "mistral 7b v0.3": "mistralai/Mistral-7B-Instruct-v0.3",
  "mixtral 8x7b": "mistralai/Mixtral-8x7B-Instruct-v0.1",
  "mixtral 8x22b": "mistralai/Mixtral-8x22B-Instruct-v0.1",
  "gpt-oss 20b": "openai/gpt-oss-20b",
  "gpt-oss 120b": "openai/gpt-oss-120b",
};

/** Mean lengths of ShareGPT as the benchmark scripts cut it, in tokens of a Llama tokenizer (points t379 and t382). */
const shareGpt = { promptTokens: 218, outputTokens: 182 };

export function usable(point: ThroughputPoint): UsablePoint | SkippedPoint {
  const skip = (reason: string): SkippedPoint => ({ point, reason });
  const engine = engineOf(point.engine);
  if (engine === null) return skip(`engine "${point.engine}" is not one with a GPU roofline`);
  const gpu = gpus.find(([name]) => name.test(point.gpu))?.[1];
  if (gpu === undefined) return skip(`GPU "${point.gpu}" is not one of the catalog, or not named`);
  const model = modelOf(point.model);
  if (model === null) return skip("model is not in the catalog");
  if (point.output_tok_s === null) return skip("no output tokens a second");
  if (/cluster/.test(point.load)) return skip("figure of a cluster, not of a replica");
  if (/rate(?! inf)/.test(point.load) && point.concurrency === null) return skip("at a rate, not saturated");
  const precision = precisionOf(point.precision);
  if (precision === null) return skip(`precision "${point.precision}" is not known`);
  const assumed: string[] = [];
  const quantised = precision === "fp8" || precision === "nvfp4";
  const kvCacheDtype = kvOf(point.kv_dtype) ?? (quantised && engine === "tensorrt-llm" ? "fp8" : "auto");
  if (point.kv_dtype === null && quantised && engine === "tensorrt-llm") assumed.push("fp8 KV cache");
  if (point.input_len === null || point.output_len === null) assumed.push("lengths of ShareGPT");
  const lengths = {
    promptTokens: point.input_len ?? shareGpt.promptTokens,
    outputTokens: point.output_len ?? shareGpt.outputTokens,
  };
  const replicas = Math.max(1, (point.gpu_count ?? point.tp * point.pp) / (point.tp * point.pp));
  const capacity = capacityOf(point, { engine, model, gpu, precision, kvCacheDtype, ...lengths });
  if (typeof capacity === "string") return skip(capacity);
  return {
    point,
    measured: point.output_tok_s / replicas,
    assumed: [...assumed, ...capacity.assumed],
    input: {
      model,
      engine,
      engineVersion: versionOf(point.engine_version),
      precision,
      kvCacheDtype,
      gpu,
      tensorParallel: point.tp,
      pipelineParallel: point.pp,
      deviceShare: { bandwidth: 1, compute: 1 },
      kvTokens: capacity.kvTokens,
      maxNumSeqs: capacity.maxNumSeqs,
      maxNumBatchedTokens: capacity.maxNumBatchedTokens,
      ...lengths,
      concurrency: point.concurrency === null ? null : Math.max(1, Math.round(point.concurrency / replicas)),
      prefixCacheHitRate: /prefix caching on/.test(point.load) ? 0.8 : 0,
    },
  };
}

function engineOf(name: string): SpeedInput["engine"] | null {
  if (/^tensorrt-llm$/i.test(name)) return "tensorrt-llm";
  return /^vllm$/i.test(name) ? "vllm" : null;
}

function precisionOf(name: string): Precision | null {
  const known: Readonly<Record<string, Precision>> = {
    bf16: "bf16",
    fp16: "fp16",
    fp8: "fp8",
    fp4: "nvfp4",
    nvfp4: "nvfp4",
    mxfp4: "mxfp4",
    int8: "int8",
    awq: "awq",
    gptq: "gptq",
    w4a16: "w4a16",
  };
  return known[name.toLowerCase()] ?? null;
}

function kvOf(name: string | null): string | null {
  if (name === null) return null;
  return /fp8/i.test(name) ? "fp8" : "auto";
}

/** "0.6/0.7 (2025)" -> 0.6.0. */
export function versionOf(text: string): string | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match === null ? undefined : `${match[1]}.${match[2]}.${match[3] ?? "0"}`;
}

function modelOf(name: string): ModelFacts | null {
  const key = name.toLowerCase().replace(/[- ]instruct$/, "");
  const base = (id: string): string => (id.split("/").at(-1) ?? id).toLowerCase().replace(/-instruct(-v[\d.]+)?$/, "");
  const id = models[key] ?? [...modelIds, ...modelAliases].find((each) => base(each) === key.replaceAll(" ", "-"));
  return (id === undefined ? undefined : findModel(id)) ?? null;
}

interface CapacityQuery extends Pick<SpeedInput, "engine" | "model" | "gpu" | "precision" | "kvCacheDtype"> {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

interface PointCapacity {
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly assumed: readonly string[];
}

/** Oldest version whose memory is modelled: stands in for older ones. */
const oldestModelled = "0.11.2";

function capacityOf(point: ThroughputPoint, query: CapacityQuery): PointCapacity | string {
  const { engine, model, gpu, precision, kvCacheDtype } = query;
  const facts = gpuFacts(gpu);
  if (facts.memoryGib === null) return `memory of ${gpu} is not known`;
  const { tp: tensorParallel, pp: pipelineParallel } = point;
  if (engine === "tensorrt-llm") {
    const found = tensorRtCapacity({
      model,
      precision,
      kvCacheDtype,
      totalGib: facts.memoryGib,
      tensorParallel,
      pipelineParallel,
    });
    return { ...found, assumed: [] };
  }
  const old = /^0\.\d(\D|$)/.test(point.engine_version);
  const version = old ? oldestModelled : (versionOf(point.engine_version) ?? oldestModelled);
  const maxModelLen = Math.min(model.maxPositionEmbeddings, query.promptTokens + query.outputTokens + 2048);
  for (const gpuMemoryUtilization of [undefined, 0.95, 0.98, 1]) {
    const memory = vllmMemory({
      model,
      version,
      precision,
      kvCacheDtype,
      device: {
        totalGib: facts.memoryGib,
        computeCapability: facts.computeCapability,
        isA100: gpu.startsWith("a100"),
        gpusPerReplica: tensorParallel * pipelineParallel,
      },
      tensorParallel,
      pipelineParallel,
      gpuMemoryUtilization,
      maxModelLen,
      // V0 let 256 sequences in on every GPU.
      maxNumSeqs: old ? 256 : undefined,
    });
    if (!memory.supported) return memory.reason;
    if (memory.verdict !== "serves") continue;
    return {
      kvTokens: memory.kvCache.tokens,
      maxNumSeqs: memory.resolved.maxNumSeqs,
      maxNumBatchedTokens: memory.resolved.maxNumBatchedTokens,
      assumed: [
        ...(old ? [`memory as of ${oldestModelled}`] : []),
        ...(gpuMemoryUtilization === undefined ? [] : [`utilisation ${gpuMemoryUtilization}: it does not fit the default`]),
      ],
    };
  }
  return "does not fit by the memory model";
}
