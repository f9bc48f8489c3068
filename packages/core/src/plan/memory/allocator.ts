import { MIB, roundUpTo } from "./units.ts";

const smallRequest = MIB;
const sharedSegmentLimit = 10 * MIB;
const segmentRounding = 2 * MIB;
const smallestUsefulRest = MIB;
const blockRounding = 512;

/**
 * Bytes that PyTorch's caching allocator counts for one tensor beyond the tensor itself. A tensor over 10 MiB gets a
 * segment rounded up to 2 MiB; a rest of up to 1 MiB is not split off and stays charged to the tensor. With a maximum
 * split size (weight loading from vLLM 0.21) large segments are never split, so the whole rest is charged.
 */
export function allocatorWasteBytes(tensorBytes: number, splitLimited: boolean): number {
  if (tensorBytes <= smallRequest || tensorBytes < sharedSegmentLimit) {
    return roundUpTo(tensorBytes, blockRounding) - tensorBytes;
  }
  const rest = roundUpTo(tensorBytes, segmentRounding) - tensorBytes;
  if (splitLimited && tensorBytes > 20 * MIB) return rest;
  return rest <= smallestUsefulRest ? rest : roundUpTo(tensorBytes, blockRounding) - tensorBytes;
}
