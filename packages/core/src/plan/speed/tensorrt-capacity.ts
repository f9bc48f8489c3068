import type { ModelFacts, Precision } from "@capstan/catalog";
import { exactVersion } from "../memory/engine-version.ts";
import { kvBytesPerTokenPerLayer } from "../memory/kv-pages.ts";
import { computeDtype } from "../memory/precision.ts";
import { pipelineStages } from "../memory/stages.ts";
import { gibToBytes } from "../memory/units.ts";
import { weightBytesPerRank } from "../memory/weights.ts";

export interface TensorRtCapacityInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly kvCacheDtype: string;
  readonly totalGib: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
}

export interface TensorRtCapacity {
  /** 0: the weights alone do not fit. */
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly how: string;
}

/** Engine defaults, and what a start takes beside weights. Only for comparison with published tables. */
const assumed = {
  /** `max_batch_size` and `max_num_tokens`. */
  maxBatchSize: 2048,
  maxNumTokens: 8192,
  /** `free_gpu_memory_fraction`, of what is left after weights and workspace. */
  freeMemoryFraction: 0.9,
  /** CUDA context, activations, workspaces and graphs. */
  workspaceGib: 2,
} as const;

/** KV tokens of a TensorRT-LLM start. Coarser than `vllmMemory`: no start of this engine was read. */
export function tensorRtCapacity(input: TensorRtCapacityInput): TensorRtCapacity {
  const { model, precision, kvCacheDtype, tensorParallel, pipelineParallel, totalGib } = input;
  const perLayer = kvBytesPerTokenPerLayer(model, kvCacheDtype, tensorParallel, computeDtype(model, precision));
  const weights = weightBytesPerRank({
    model,
    precision,
    version: exactVersion("0.33.0"),
    tensorParallel,
    pipelineParallel,
  });
  const layers = Math.max(...pipelineStages(model.layers, pipelineParallel).map((stage) => stage.layers));
  const heaviest = Math.max(...weights.map((stage) => stage.bytes));
  const free = gibToBytes(totalGib - assumed.workspaceGib) - heaviest;
  return {
    kvTokens: Math.max(0, Math.floor((free * assumed.freeMemoryFraction) / (perLayer * layers))),
    maxNumSeqs: assumed.maxBatchSize,
    maxNumBatchedTokens: assumed.maxNumTokens,
    how: `${assumed.freeMemoryFraction * 100} % of what weights and ${assumed.workspaceGib} GiB of workspace leave, ${perLayer * layers} B a token`,
  };
}
