import type { SpeedEngine } from "./types.ts";

export interface BatchLimit {
  /** Requests in flight. */
  readonly batch: number;
  /** Most that KV cache and maxNumSeqs let in. */
  readonly capacity: number;
  /** What made the batch no larger. */
  readonly by: "kv" | "maxNumSeqs" | "maxNumBatchedTokens" | "concurrency";
  readonly how: string;
}

export interface BatchInput {
  readonly engine: SpeedEngine;
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly concurrency: number | null;
}

/**
 * KV tokens that a running request holds on average. TensorRT-LLM admits a request when its longest answer fits
 * (GUARANTEED_NO_EVICT); vLLM lets answers grow into free pages, and slots are at every stage of their answers.
 */
function heldTokens({ engine, promptTokens, outputTokens }: BatchInput): number {
  return engine === "tensorrt-llm" ? promptTokens + outputTokens : promptTokens + outputTokens / 2;
}

/** Null: not even one request fits into the KV cache. */
export function batchLimit(input: BatchInput): BatchLimit | null {
  const { kvTokens, maxNumSeqs, maxNumBatchedTokens, promptTokens, outputTokens, concurrency } = input;
  if (kvTokens < promptTokens + outputTokens) return null;
  const held = Math.max(1, heldTokens(input));
  const limits = [
    { batch: Math.floor(kvTokens / held), by: "kv", how: `${kvTokens} KV tokens / ${held} held by a request` },
    { batch: maxNumSeqs, by: "maxNumSeqs", how: "max-num-seqs" },
    {
      batch: maxNumBatchedTokens,
      by: "maxNumBatchedTokens",
      how: "max-num-batched-tokens: a step has a token of each",
    },
  ] as const;
  const least = limits.reduce((a, b) => (b.batch < a.batch ? b : a));
  if (concurrency !== null && concurrency <= least.batch) {
    return { batch: concurrency, capacity: least.batch, by: "concurrency", how: "requests in flight, as given" };
  }
  return { ...least, capacity: least.batch };
}
