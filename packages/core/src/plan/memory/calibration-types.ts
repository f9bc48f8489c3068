import type { ModelRunner } from "./types.ts";

/** Constants of one band and runner. Physics is in the code; only these were fitted. */
export interface BandConstants {
  readonly band: string;
  readonly runner: ModelRunner;
  /** False: no measured start of this band; the constants come from `carriedFrom` and from reading the source. */
  readonly measured: boolean;
  readonly carriedFrom: string | null;
  /** Sampler peak: bytes per row and vocabulary entry. */
  readonly samplerBytes: number;
  /** Correction of the forward peak, T x (3 I / TP + 4 h) x 2 B. */
  readonly forwardFactor: number;
  /** Small allocations that live through profiling. */
  readonly fixedActivationGib: number;
  /** Memory that PyTorch does not own, by tensor-parallel size; larger sizes take the largest entry. */
  readonly nonTorchGib: Readonly<Record<number, number>>;
  /** CUDA graphs at 51 capture sizes. */
  readonly cudaGraphGibPerLayer: { readonly dense: number; readonly mixture: number };
  /** Error of `kvCache.tokens` (or of available KV memory where no tokens were logged) on the held-out points. */
  readonly medianErrorPercent: number | null;
  readonly worstErrorPercent: number | null;
  readonly fittedPoints: readonly string[];
  readonly heldOutPoints: readonly string[];
}

export interface MemoryCalibration {
  /** Day of the fit, ISO 8601. */
  readonly asOf: string;
  /** Data set the points come from. */
  readonly source: string;
  readonly bands: readonly BandConstants[];
}
