import type { ModelFacts } from "@capstan/catalog";
import type { BandConstants } from "./calibration-types.ts";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import { gibToBytes } from "./units.ts";

/** Batch sizes captured by default at a cap of 512, and what the calibration's figure per layer belongs to. */
const calibratedSizes = 51;

export interface GraphInput {
  readonly model: ModelFacts;
  readonly version: EngineVersion;
  readonly computeCapability: string;
  readonly layers: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly enforceEager: boolean;
  readonly constants: Pick<BandConstants, "cudaGraphGibPerLayer">;
}

/** CUDA graphs of one rank: roughly proportional to layers and to captured sizes. */
export function cudaGraphs(input: GraphInput): { readonly bytes: number; readonly how: string } {
  if (input.enforceEager) return { bytes: 0, how: "eager mode captures no graphs" };
  const sizes = captureSizes(input).length;
  const { dense, mixture } = input.constants.cudaGraphGibPerLayer;
  const perLayer = input.model.moe === null ? dense : mixture;
  return {
    bytes: gibToBytes(input.layers * perLayer * (sizes / calibratedSizes)),
    how: `${input.layers} layers x ${perLayer} GiB at ${calibratedSizes} sizes, ${sizes} captured`,
  };
}

/**
 * Batch sizes that are captured: 1, 2, 4, then steps of 8 below 256, then steps of 16 up to the cap
 * (facts/vllm-by-version.md 1.2).
 */
export function captureSizes(
  input: Pick<GraphInput, "version" | "computeCapability" | "maxNumSeqs" | "maxNumBatchedTokens">,
): readonly number[] {
  const { version, maxNumSeqs, maxNumBatchedTokens } = input;
  const ceiling = input.computeCapability.startsWith("10.") && atLeast(version, "0.28.0") ? 1024 : 512;
  const cap = Math.min(2 * maxNumSeqs, ceiling, maxNumBatchedTokens);
  const sizes = new Set<number>([1, 2, 4].filter((size) => size <= cap));
  for (let size = 8; size < 256 && size <= cap; size += 8) sizes.add(size);
  for (let size = 256; size <= cap; size += 16) sizes.add(size);
  if (atLeast(version, "0.20.0") && maxNumBatchedTokens <= cap) sizes.add(maxNumBatchedTokens);
  if (atLeast(version, "0.31.0") && maxNumSeqs <= cap) sizes.add(maxNumSeqs);
  return [...sizes].sort((a, b) => a - b);
}
