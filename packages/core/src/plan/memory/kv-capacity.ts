import { atLeast, type EngineVersion } from "./engine-version.ts";
import { blocksPerRequest, groupWidth, type KvGroup, type RequestShape } from "./kv-groups.ts";
import type { PipelineStage } from "./stages.ts";
import type { VllmVerdict } from "./types.ts";

export interface KvPool {
  readonly version: EngineVersion;
  readonly groups: readonly KvGroup[];
  readonly bytesPerTokenPerLayer: number;
  readonly blockSize: number;
  readonly maxNumBatchedTokens: number;
  readonly batches: number;
  readonly numGpuBlocksOverride: number | null;
}

export interface StageMemory {
  readonly stage: PipelineStage;
  /** Memory left for KV; negative where not even the rest fits. */
  readonly availableBytes: number;
}

/** Bytes of one block on a stage: a page in each layer of the widest group. */
export function bytesPerBlock(pool: KvPool, stage: Pick<PipelineStage, "start" | "end">): number {
  return pool.bytesPerTokenPerLayer * pool.blockSize * groupWidth(pool.groups, stage);
}

export interface KvBlocks {
  readonly blocks: number;
  /** The stage with the fewest blocks; the whole pipeline gets that many. */
  readonly limiting: StageMemory;
  readonly bytesPerBlock: number;
}

export function kvBlocks(pool: KvPool, stages: readonly StageMemory[]): KvBlocks {
  const counted = stages.map((each) => {
    const size = bytesPerBlock(pool, each.stage);
    return { blocks: Math.max(0, Math.floor(each.availableBytes / size)), limiting: each, bytesPerBlock: size };
  });
  const least = counted.reduce((a, b) =>
    b.blocks < a.blocks || (b.blocks === a.blocks && b.limiting.availableBytes < a.limiting.availableBytes) ? b : a,
  );
  return pool.numGpuBlocksOverride === null ? least : { ...least, blocks: pool.numGpuBlocksOverride };
}

function requestShape(pool: KvPool, maxModelLen: number): RequestShape {
  return {
    maxModelLen,
    maxNumBatchedTokens: pool.maxNumBatchedTokens,
    blockSize: pool.blockSize,
    batches: pool.batches,
  };
}

export function requestBlocks(pool: KvPool, maxModelLen: number): number {
  return blocksPerRequest(pool.groups, requestShape(pool, maxModelLen));
}

/** Blocks that requests may use. From 0.29 the check holds back the null block: what just fitted fails after the upgrade. */
function usableBlocks(pool: KvPool, blocks: number): number {
  return atLeast(pool.version, "0.29.0") ? blocks - 1 : blocks;
}

export function verdictOf(pool: KvPool, kv: KvBlocks, maxModelLen: number): VllmVerdict {
  if (pool.numGpuBlocksOverride === null && kv.limiting.availableBytes <= 0) return "does-not-load";
  return requestBlocks(pool, maxModelLen) <= usableBlocks(pool, kv.blocks) ? "serves" : "cannot-serve-one-request";
}

/** Requests of maxModelLen tokens at once, as the engine logs it: the null block is counted in. */
export function maxConcurrency(pool: KvPool, blocks: number, maxModelLen: number): number {
  return blocks / requestBlocks(pool, maxModelLen);
}

/**
 * "GPU KV cache size" as the version logs it. Up to 0.20.1 blocks per group times block size; later concurrency times
 * length, which for layers of several kinds depends on the length.
 */
export function loggedTokens(pool: KvPool, blocks: number, maxModelLen: number): number {
  if (!atLeast(pool.version, "0.20.2")) return Math.floor(blocks / pool.groups.length) * pool.blockSize;
  // Multiplied before the division: a float quotient just below a whole number would lose a token.
  return Math.floor((blocks * maxModelLen) / requestBlocks(pool, maxModelLen));
}

/** Largest length of which one request fits, at most `limit`; 0: not even one token. */
export function longestLength(pool: KvPool, blocks: number, limit: number): number {
  const usable = usableBlocks(pool, blocks);
  let fits = 0;
  let tooLong = limit + 1;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (requestBlocks(pool, middle) <= usable) fits = middle;
    else tooLong = middle;
  }
  return fits;
}
