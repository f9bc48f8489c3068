import type { SpeedEngine } from "./types.ts";

/** Kinds of tensor arithmetic, by the width of what is multiplied: weight-only formats multiply in 16 bits. */
export type ComputeKind = "half" | "byte" | "nibble";

/**
 * What kernels reach of the published peaks, and what they cost besides. The same for all engines, which run much the
 * same kernels.
 */
export interface HardwareConstants {
  /** Shares of the dense peak, large matrices. */
  readonly compute: Readonly<Record<ComputeKind, number>>;
  /** Further share where weights are unpacked before they are multiplied. */
  readonly unpackedCompute: number;
  /** Further share of expert matrices: many small products in place of a few large ones. */
  readonly expertCompute: number;
  /** Attention, share of the 16-bit peak. */
  readonly attentionCompute: number;
  /** Shares of the published memory bandwidth. */
  readonly weightBandwidth: number;
  readonly kvBandwidth: number;
  /**
   * Times that each token's hidden state is read or written in a layer by norms, rotary embedding, residuals and
   * quantisation. Every rank does all of it: tensor parallelism does not divide it.
   */
  readonly activationPasses: number;
  /** Shares of the link's rate in one direction. */
  readonly nvlink: number;
  readonly pcie: number;
  /** Seconds of one all-reduce, however small. */
  readonly allReduceSeconds: number;
  /** Gaps between the kernels of one layer. */
  readonly layerSeconds: number;
  /** What a layer of experts adds: routing, sorting, and kernels of each group. */
  readonly expertLayerSeconds: number;
}

/** What an engine adds to the work of the hardware, for a band of its versions. */
export interface EngineConstants {
  readonly engine: SpeedEngine;
  readonly band: string;
  /** First version of the band; null: any older than the next band. */
  readonly from: string | null;
  /** Scheduling, sampling and launching one step. */
  readonly stepSeconds: number;
  /** The same for each sequence in the step. */
  readonly sequenceSeconds: number;
  /** The range is `expected` divided and multiplied by this. */
  readonly rangeFactor: number;
  /** Error of output tokens a second on points that the constants were not fitted to; null: no such point. */
  readonly medianErrorPercent: number | null;
  /** Largest of measured / expected and expected / measured over the same points. */
  readonly worstFactor: number | null;
  readonly fittedPoints: readonly string[];
  readonly heldOutPoints: readonly string[];
}

export interface SpeedCalibration {
  readonly asOf: string;
  readonly source: string;
  readonly hardware: HardwareConstants;
  /** Per engine in order of version. */
  readonly engines: readonly EngineConstants[];
  /** Points by `coverageKey`: where there are none, an estimate is extrapolated. */
  readonly coverage: Readonly<Record<string, number>>;
}
