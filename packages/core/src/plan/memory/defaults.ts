import type { ModelFacts, Precision } from "@capstan/catalog";
import { atLeast, type EngineVersion, exactVersion } from "./engine-version.ts";
import { runnerOf } from "./runner.ts";
import type { ModelRunner, VllmDevice } from "./types.ts";

export interface BatchTier {
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
}

export interface VllmDefaultsInput {
  /** Exact, `0.33.0`. */
  readonly version: string;
  readonly device: Pick<VllmDevice, "totalGib" | "computeCapability" | "isA100">;
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly maxModelLen?: number | "auto" | undefined;
  readonly maxNumSeqs?: number | undefined;
  readonly maxNumBatchedTokens?: number | undefined;
}

export interface VllmDefaults extends BatchTier {
  readonly gpuMemoryUtilization: number;
  readonly runner: ModelRunner;
  readonly blockSize: number;
}

/** What `vllm serve` of that version fills in, with the batch values given taking the place of their defaults. */
export function vllmDefaults(input: VllmDefaultsInput): VllmDefaults {
  const { model, precision, device } = input;
  const version = exactVersion(input.version);
  const length = typeof input.maxModelLen === "number" ? input.maxModelLen : Math.max(1, model.maxPositionEmbeddings);
  return {
    ...batchDefaults(batchTier(version, device), length, input.maxNumSeqs, input.maxNumBatchedTokens),
    gpuMemoryUtilization: defaultUtilisation(version),
    runner: runnerOf(version, model, precision),
    blockSize: defaultBlockSize(model, device.computeCapability),
  };
}

/** Sequences and tokens of one step by device (facts/vllm-by-version.md 1.1, the row of the API server). */
export function batchTier(
  version: EngineVersion,
  device: Pick<VllmDevice, "totalGib" | "computeCapability" | "isA100">,
): BatchTier {
  if (device.totalGib >= 160 && atLeast(version, "0.28.0")) return { maxNumSeqs: 1024, maxNumBatchedTokens: 16384 };
  const gb10 = device.computeCapability === "12.1" && atLeast(version, "0.33.0");
  if (device.totalGib >= 70 && !device.isA100 && !gb10) return { maxNumSeqs: 1024, maxNumBatchedTokens: 8192 };
  return { maxNumSeqs: 256, maxNumBatchedTokens: 2048 };
}

/** 0.90 up to 0.19, 0.92 from 0.20.0. */
export function defaultUtilisation(version: EngineVersion): number {
  return atLeast(version, "0.20.0") ? 0.92 : 0.9;
}

/** Tokens of one KV block when the user names none. The MLA backends of Blackwell take 32 or 64, all others 16. */
function defaultBlockSize(model: ModelFacts, computeCapability: string): number {
  return model.mla !== null && computeCapability.startsWith("10.") ? 32 : 16;
}

// The engine cuts only what it filled in itself: first the tokens to sequences x length, then the sequences to the tokens.
function batchDefaults(
  tier: BatchTier,
  maxModelLen: number,
  givenSeqs: number | undefined,
  givenTokens: number | undefined,
): BatchTier {
  const seqs = givenSeqs ?? tier.maxNumSeqs;
  const maxNumBatchedTokens = givenTokens ?? Math.min(tier.maxNumBatchedTokens, seqs * maxModelLen);
  return { maxNumSeqs: givenSeqs ?? Math.min(seqs, maxNumBatchedTokens), maxNumBatchedTokens };
}
