import type { GpuModel, ModelFacts, Precision } from "@capstan/catalog";
import type { Unsupported } from "../memory/index.ts";

export interface Estimate {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

export type SpeedEngine = "vllm" | "tensorrt-llm";

/** Part of a GPU that the replica has: a MIG slice, or its turns on a shared card. 1 and 1: the whole of it. */
export interface DeviceShare {
  readonly bandwidth: number;
  readonly compute: number;
}

/** Draft tokens that are checked together with the next one. */
export interface Speculation {
  /** Draft tokens a step and sequence. */
  readonly draftTokens: number;
  /** Tokens a sequence gains in one step, 1 (no draft is ever right) to draftTokens + 1. */
  readonly tokensPerStep: number;
  /** Time of drafting as a part of the step without it: 0 for n-grams, some 0.05 to 0.2 for a draft model. */
  readonly draftCostShare: number;
}

export interface SpeedInput {
  readonly model: ModelFacts;
  readonly engine: SpeedEngine;
  /** Exact version. @default - the newest constants of the engine */
  readonly engineVersion?: string | undefined;
  readonly precision: Precision;
  /** `auto`: the type the model computes in. */
  readonly kvCacheDtype: string;
  readonly gpu: GpuModel;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly deviceShare: DeviceShare;
  /** Tokens that the KV cache holds. */
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Requests in flight; null: as many as fit, the saturated plateau. */
  readonly concurrency: number | null;
  /** Part of the prompt's tokens whose KV is in the cache already, 0 to below 1. @default 0 */
  readonly prefixCacheHitRate?: number | undefined;
  /** @default - no speculative decoding */
  readonly speculation?: Speculation | undefined;
}

export type SpeedLimit = "bandwidth" | "compute" | "kv" | "communication" | "overhead";

export interface SpeedLine {
  readonly name: string;
  readonly value: number;
  readonly unit: "s" | "requests" | "requests/s" | "tokens/s" | "B" | "B/s" | "FLOP" | "FLOP/s";
  readonly how: string;
}

/** One number of requests in flight, every slot filled again as soon as it is free. */
export interface OperatingPoint {
  readonly batch: number;
  readonly requestsPerSecond: number;
  readonly interTokenSeconds: number;
  /** From a free slot to the first token. */
  readonly firstTokenSeconds: number;
  /** What one prompt takes of the replica's time. */
  readonly promptSeconds: number;
  /** A step that has a chunk of a prompt in it: the longest wait between two tokens. */
  readonly chunkStepSeconds: number;
  readonly promptChunks: number;
}

export interface SpeedCalibrationNote {
  /** Published points of this engine, GPU and kind of precision that constants were fitted to or tested on. */
  readonly points: number;
  /** Of the engine's points that the constants were not fitted to; null: there is none. */
  readonly medianErrorPercent: number | null;
  /** No published point of this engine on this GPU with this kind of arithmetic and link, or a feature that no point has. */
  readonly extrapolated: boolean;
  readonly asOf: string;
}

export interface SpeedEstimate {
  readonly supported: true;
  readonly outputTokensPerSecond: Estimate;
  readonly requestsPerSecond: Estimate;
  /** From a free slot to the first token, among the other requests of the batch; waiting for a slot is in `loadLatency`. */
  readonly ttftSeconds: Estimate;
  /** Mean time between two tokens of one answer, prompts of other requests in between counted in. */
  readonly interTokenSeconds: Estimate;
  /** The prompt alone on the replica. */
  readonly prefillSeconds: number;
  /** One step of the batch with no prompt in it. */
  readonly decodeStepSeconds: number;
  /** Requests in flight that the figures hold for. */
  readonly batch: number;
  /** Most requests that KV cache, maxNumSeqs and maxNumBatchedTokens let in. */
  readonly capacity: number;
  readonly limitedBy: SpeedLimit;
  /** From one request in flight to `batch`, for `loadLatency`. */
  readonly curve: readonly OperatingPoint[];
  readonly calibration: SpeedCalibrationNote;
  readonly assumptions: readonly string[];
  readonly arithmetic: readonly SpeedLine[];
}

export type SpeedResult = SpeedEstimate | Unsupported;
