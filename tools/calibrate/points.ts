import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findModel,
  type ModelFacts,
  modelAliases,
  modelIds,
  type Precision,
} from "../../packages/catalog/src/index.ts";
import type { VllmMemoryInput } from "../../packages/core/src/plan/memory/index.ts";

/** A start of a real server, as the data set has it. */
export interface MemoryPoint {
  readonly id: string;
  readonly model: string;
  readonly gpu: string;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly vllm_version: string;
  readonly dtype: string;
  readonly quantization: string | null;
  readonly kv_cache_dtype: string;
  readonly gpu_memory_utilization: number | null;
  readonly max_model_len: number | null;
  readonly max_num_batched_tokens: number | null;
  readonly max_num_seqs: number | null;
  readonly block_size: number | null;
  readonly enforce_eager: boolean | null;
  readonly total_gpu_memory_gib: number | null;
  readonly weights_gib: number | null;
  readonly activation_peak_gib: number | null;
  readonly non_torch_gib: number | null;
  readonly cudagraph_gib: number | null;
  readonly available_kv_gib: number | null;
  readonly kv_cache_tokens: number | null;
  readonly outcome: string;
}

/** A point that can be predicted. */
export interface UsablePoint {
  readonly point: MemoryPoint;
  readonly model: ModelFacts;
  readonly input: VllmMemoryInput;
  readonly succeeded: boolean;
  /** What was not logged and had to be assumed. Such points are predicted and shown, but constants are not fitted to them. */
  readonly assumed: readonly string[];
}

export interface SkippedPoint {
  readonly point: MemoryPoint;
  readonly reason: string;
}

/** Total memory by what the driver reports for such a GPU (facts/serving.md B1), for points that did not log it. */
const typicalTotals: readonly [RegExp, { readonly gib: number; readonly capability: string }][] = [
  [/H100/, { gib: 79.19, capability: "9.0" }],
  [/A100.*80/, { gib: 79.25, capability: "8.0" }],
  [/A100.*40/, { gib: 39.4, capability: "8.0" }],
  [/L40S/, { gib: 44.4, capability: "8.9" }],
  [/L4\b/, { gib: 22.0, capability: "8.9" }],
  [/A10/, { gib: 22.06, capability: "8.6" }],
  [/T4/, { gib: 14.6, capability: "7.5" }],
  [/16 ?GB.*SM120/, { gib: 15.5, capability: "12.0" }],
];

/** Repositories name their quantisation at the end of the model's name. */
const suffixes: readonly [RegExp, Precision][] = [
  [/-quantized\.w4a16$/i, "w4a16"],
  [/-quantized\.w8a8$/i, "int8"],
  [/-fp8(-dynamic)?$/i, "fp8"],
  [/-awq(-int4)?$/i, "awq"],
  [/-gptq.*$/i, "gptq"],
  [/-bnb-4bit$/i, "bnb-4bit"],
  [/-nvfp4$/i, "nvfp4"],
  [/ \(nvfp4\)$/i, "nvfp4"],
];

export function readPoints(directory: string): readonly MemoryPoint[] {
  const text = readFileSync(join(directory, "vllm-memory-points.json"), "utf8");
  const document = JSON.parse(text) as { readonly points: readonly MemoryPoint[] };
  return [...document.points].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function usable(point: MemoryPoint): UsablePoint | SkippedPoint {
  const named = modelOf(point.model);
  if (named === null) return { point, reason: "model is not in the catalog" };
  const version = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(point.vllm_version);
  if (version === null) return { point, reason: `no version: "${point.vllm_version}"` };
  if (point.dp > 1) return { point, reason: "data-parallel attention with expert parallelism is not modelled" };
  const typical = typicalTotals.find(([name]) => name.test(point.gpu))?.[1];
  const totalGib = point.total_gpu_memory_gib ?? typical?.gib;
  if (totalGib === undefined) return { point, reason: `memory of "${point.gpu}" was not logged` };
  if (!addsUp(point)) return { point, reason: "its own figures do not add up to total x utilisation" };
  const assumed: string[] = [];
  if (point.gpu_memory_utilization === null) assumed.push("utilisation");
  if (point.total_gpu_memory_gib === null) assumed.push("total memory");
  if (version[3] === undefined || version[0] !== point.vllm_version) assumed.push("exact version");
  if (point.max_model_len === null) assumed.push("length");
  const precision = named.precision ?? (named.model.nativeQuantization as Precision | null) ?? "bf16";
  const input: VllmMemoryInput = {
    model: named.model,
    version: `${version[1]}.${version[2]}.${version[3] ?? "0"}`,
    device: {
      totalGib,
      computeCapability: typical?.capability ?? "9.0",
      isA100: /a100/i.test(point.gpu),
      gpusPerReplica: point.tp * point.pp,
    },
    precision: precision === "bf16" && point.dtype === "float16" ? "fp16" : precision,
    kvCacheDtype: point.kv_cache_dtype,
    tensorParallel: point.tp,
    pipelineParallel: point.pp,
    gpuMemoryUtilization: point.gpu_memory_utilization ?? undefined,
    maxModelLen: point.max_model_len ?? undefined,
    maxNumSeqs: point.max_num_seqs ?? undefined,
    maxNumBatchedTokens: point.max_num_batched_tokens ?? undefined,
    blockSize: point.block_size ?? undefined,
    enforceEager: point.enforce_eager ?? false,
  };
  return { point, model: named.model, input, succeeded: point.outcome === "ok", assumed };
}

/** The parts that a start logs sum up to the budget, with or without graphs, except for rounding. */
function addsUp(point: MemoryPoint): boolean {
  const { total_gpu_memory_gib: total, gpu_memory_utilization: utilisation } = point;
  const parts = [point.weights_gib, point.activation_peak_gib, point.non_torch_gib, point.available_kv_gib];
  if (total === null || utilisation === null || parts.includes(null)) return true;
  const rest = total * utilisation - parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return Math.abs(rest) < 0.1 || Math.abs(rest - (point.cudagraph_gib ?? 0)) < 0.1;
}

function modelOf(name: string): { readonly model: ModelFacts; readonly precision: Precision | null } | null {
  for (const [suffix, precision] of suffixes) {
    if (suffix.test(name)) {
      const model = byBaseName(name.replace(suffix, ""));
      if (model !== null) return { model, precision };
    }
  }
  const model = byBaseName(name);
  return model === null ? null : { model, precision: null };
}

/**
 * Quantised copies live under other owners, so only the last part of an id counts; "Meta-" came and went; remarks in
 * parentheses are the data set's.
 */
function byBaseName(name: string): ModelFacts | null {
  const base = (id: string): string =>
    (id.split("/").at(-1) ?? id)
      .toLowerCase()
      .replace(/ \(.*\)$/, "")
      .replace(/^meta-/, "");
  const id = [...modelIds, ...modelAliases].find((each) => base(each) === base(name));
  return (id === undefined ? undefined : findModel(id)) ?? null;
}
