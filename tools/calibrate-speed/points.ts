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
import { speedProblem } from "../../packages/core/src/plan/speed/problem.ts";
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
}

/** A point that can be predicted. */
export interface UsablePoint {
  readonly point: ThroughputPoint;
  readonly input: SpeedInput;
  /** Output tokens a second of one replica. */
  readonly measured: number;
  /** What the source does not say and had to be assumed. */
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

export function usable(point: ThroughputPoint): UsablePoint | SkippedPoint {
  const skip = (reason: string): SkippedPoint => ({ point, reason });
  const engine = engineOf(point.engine);
  if (engine === null) return skip(`engine "${point.engine}" runs on no GPU roofline`);
  const gpu = gpus.find(([name]) => name.test(point.gpu))?.[1];
  if (gpu === undefined) return skip(`GPU "${point.gpu}" is not one of the catalog's`);
  const model = modelOf(point.model);
  if (model === null) return skip("model is not in the catalog");
  if (point.output_tok_s === null) return skip("no output tokens a second");
  if (/cluster/.test(point.load)) return skip("figure of a cluster, not of a replica");
  if (/sustained rate/.test(point.load)) return skip("at a given rate: says nothing of what the replica can do");
  const precision = precisions[point.precision.toLowerCase()];
  if (precision === undefined) return skip(`precision "${point.precision}" is not known`);
  const workload = workloadOf(point);
  const kv = kvCacheOf(point, engine, precision);
  const capacity = capacityOf(point, { engine, model, gpu, precision, kvCacheDtype: kv.dtype, ...workload });
  if (typeof capacity === "string") return skip(capacity);
  const { assumed: assumedOfLoad, replicas, ...load } = workload;
  const { assumed: assumedOfCapacity, ...limits } = capacity;
  const input: SpeedInput = {
    model,
    engine,
    engineVersion: versionOf(point.engine_version),
    precision,
    kvCacheDtype: kv.dtype,
    gpu,
    tensorParallel: point.tp,
    pipelineParallel: point.pp,
    deviceShare: { bandwidth: 1, compute: 1 },
    ...limits,
    ...load,
  };
  const problem = speedProblem(input);
  if (problem !== null) return skip(problem);
  return {
    point,
    input,
    measured: point.output_tok_s / replicas,
    assumed: [...kv.assumed, ...assumedOfLoad, ...assumedOfCapacity],
  };
}

function engineOf(name: string): SpeedInput["engine"] | null {
  if (/^tensorrt-llm$/i.test(name)) return "tensorrt-llm";
  return /^vllm$/i.test(name) ? "vllm" : null;
}

const gpus: readonly [RegExp, GpuModel][] = [
  [/^H200/, "h200"],
  [/^H100 80GB/, "h100-80"],
  [/^H100 NVL/, "h100-nvl"],
  [/^A100 80GB/, "a100-80"],
  [/^A100 40GB/, "a100-40"],
  [/^L40S/, "l40s"],
  [/^L4\b/, "l4"],
  [/^A10G/, "a10g"],
  [/^T4\b/, "t4"],
  [/^B200/, "b200"],
  [/^B300/, "b300"],
  [/^RTX PRO 6000/, "rtx-pro-6000-blackwell"],
];

const precisions: Readonly<Record<string, Precision>> = {
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

/** Names as the tables have them. Others are looked up by the last part of a catalog id. */
const named: Readonly<Record<string, string>> = {
  "llama 4 scout": "meta-llama/Llama-4-Scout-17B-16E-Instruct",
  "mistral 7b": "mistralai/Mistral-7B-Instruct-v0.3",
  "mistral 7b v0.3": "mistralai/Mistral-7B-Instruct-v0.3",
  "mixtral 8x7b": "mistralai/Mixtral-8x7B-Instruct-v0.1",
  "mixtral 8x22b": "mistralai/Mixtral-8x22B-Instruct-v0.1",
};

function modelOf(name: string): ModelFacts | null {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(" ", "-")
      .replace(/-instruct(-v[\d.]+)?$/, "");
  const base = (id: string): string => plain(id.split("/").at(-1) ?? id);
  const id = named[name.toLowerCase()] ?? [...modelIds, ...modelAliases].find((each) => base(each) === plain(name));
  return (id === undefined ? undefined : findModel(id)) ?? null;
}

/** "0.6/0.7 (2025)" is 0.6.0. */
function versionOf(text: string): string | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match === null ? undefined : `${match[1]}.${match[2]}.${match[3] ?? "0"}`;
}

/**
 * NVIDIA's tables of FP8 and FP4 checkpoints do not name the KV cache; those checkpoints bring FP8 scales for it. vLLM
 * takes 16 bits unless it is told.
 */
function kvCacheOf(
  { kv_dtype: stated }: ThroughputPoint,
  engine: SpeedInput["engine"],
  precision: Precision,
): { readonly dtype: string; readonly assumed: readonly string[] } {
  if (stated !== null) return { dtype: /fp8/i.test(stated) ? "fp8" : "auto", assumed: [] };
  if (engine === "tensorrt-llm" && (precision === "fp8" || precision === "nvfp4")) {
    return { dtype: "fp8", assumed: ["FP8 KV cache"] };
  }
  return { dtype: "auto", assumed: [] };
}

/** Mean lengths of ShareGPT as benchmark scripts cut it: 215 and 179 tokens (t379), 220 and 184 (t382). */
const shareGpt = { promptTokens: 218, outputTokens: 182 };

/**
 * Loads that run dry: prompts sent together, or conversations until the last has ended. The longest answer is about four
 * times the mean, so over the run a quarter of the requests is in flight (tokens a second x seconds a token of the ten
 * points that have both: 15 to 95 of 320).
 */
const inFlightOfBurst = 0.25;

/**
 * Part of a prompt that the prefix cache has, in conversations of several turns over eight replicas. By prefix: all but
 * the newest message of some 50 tokens of 547. Round robin: a turn finds what the last one on the same replica left,
 * on average eight turns ago.
 */
const prefixHits = { byPrefix: 0.9, roundRobin: 0.4 };

interface Workload {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly concurrency: number | null;
  readonly prefixCacheHitRate: number;
  readonly replicas: number;
  readonly assumed: readonly string[];
}

function workloadOf(point: ThroughputPoint): Workload {
  const { load, tp, pp, gpu_count: gpuCount, concurrency } = point;
  const replicas = Math.max(1, (gpuCount ?? tp * pp) / (tp * pp));
  const dry = /sent together|multi-turn/.test(load);
  const cached = /prefix caching on/.test(load);
  const assumed: string[] = [];
  if (point.input_len === null || point.output_len === null) assumed.push("lengths of ShareGPT");
  if (dry) assumed.push(`${inFlightOfBurst} of the requests in flight`);
  const hits = !cached ? 0 : /prefix hash/.test(load) ? prefixHits.byPrefix : prefixHits.roundRobin;
  if (cached) assumed.push(`${hits} of the prompts cached`);
  return {
    promptTokens: point.input_len ?? shareGpt.promptTokens,
    outputTokens: point.output_len ?? shareGpt.outputTokens,
    concurrency:
      concurrency === null ? null : Math.max(1, Math.round((concurrency / replicas) * (dry ? inFlightOfBurst : 1))),
    prefixCacheHitRate: hits,
    replicas,
    assumed,
  };
}

interface CapacityQuery {
  readonly engine: SpeedInput["engine"];
  readonly model: ModelFacts;
  readonly gpu: GpuModel;
  readonly precision: Precision;
  readonly kvCacheDtype: string;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

interface PointCapacity {
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly assumed: readonly string[];
}

function capacityOf(point: ThroughputPoint, query: CapacityQuery): PointCapacity | string {
  const totalGib = gpuFacts(query.gpu).memoryGib;
  if (totalGib === null) return `memory of ${query.gpu} is not known`;
  if (query.engine === "vllm") return vllmCapacity(point, query, totalGib);
  const { kvTokens, maxNumSeqs, maxNumBatchedTokens } = tensorRtCapacity({
    ...query,
    totalGib,
    tensorParallel: point.tp,
    pipelineParallel: point.pp,
  });
  if (kvTokens < query.promptTokens + query.outputTokens) return "does not fit by the memory estimate";
  return { kvTokens, maxNumSeqs, maxNumBatchedTokens, assumed: [] };
}

/** The oldest version whose memory is modelled stands in for older ones; V0 let 256 sequences in on every GPU. */
const oldestModelled = "0.11.2";
const sequencesOfV0 = 256;

/** A server that published figures did start: where the default does not fit, its owner gave it more. */
const utilisations = [undefined, 0.95, 0.98, 1];

function vllmCapacity(point: ThroughputPoint, query: CapacityQuery, totalGib: number): PointCapacity | string {
  const { tp: tensorParallel, pp: pipelineParallel } = point;
  const old = /^0\.\d(\D|$)/.test(point.engine_version);
  const version = old ? oldestModelled : (versionOf(point.engine_version) ?? oldestModelled);
  const assumed = old ? [`memory of ${oldestModelled}`] : [];
  for (const gpuMemoryUtilization of utilisations) {
    const memory = vllmMemory({
      ...query,
      version,
      device: {
        totalGib,
        computeCapability: gpuFacts(query.gpu).computeCapability,
        isA100: query.gpu.startsWith("a100"),
        gpusPerReplica: tensorParallel * pipelineParallel,
      },
      tensorParallel,
      pipelineParallel,
      gpuMemoryUtilization,
      maxModelLen: query.promptTokens + query.outputTokens,
      maxNumSeqs: old ? sequencesOfV0 : undefined,
    });
    if (!memory.supported) return memory.reason;
    if (memory.verdict !== "serves") continue;
    return {
      kvTokens: memory.kvCache.tokens,
      maxNumSeqs: memory.resolved.maxNumSeqs,
      maxNumBatchedTokens: memory.resolved.maxNumBatchedTokens,
      assumed: [...assumed, ...(gpuMemoryUtilization === undefined ? [] : [`utilisation ${gpuMemoryUtilization}`])],
    };
  }
  return "does not fit by the memory model";
}
