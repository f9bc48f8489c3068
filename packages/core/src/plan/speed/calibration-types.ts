import type { SpeedEngine } from "./types.ts";

/** Kinds of tensor arithmetic, by the width of what is multiplied: weight-only formats multiply in 16 bits. */
export type ComputeKind = "half" | "byte" | "nibble";

/** Shares of the published peaks that kernels reach. The same for all engines: they run much the same kernels. */
export interface HardwareConstants {
  readonly compute: Readonly<Record<ComputeKind, number>>;
  /** Of expert matrices: many small products in place of a few large ones. */
  readonly expertCompute: number;
  /** Prompt attention, of the 16-bit peak. */
  readonly attentionCompute: number;
  readonly weightBandwidth: number;
  readonly kvBandwidth: number;
  readonly nvlink: number;
  readonly pcie: number;
  /** Seconds of one all-reduce, however small. */
  readonly allReduceSeconds: number;
}

/** What an engine adds to the work of the hardware. */
export interface EngineConstants {
  readonly engine: SpeedEngine;
  /** First version of the band, `0.6.0`; null: all before the next band. */
  readonly from: string | null;
  /** Scheduling, sampling and launches of one step. */
  readonly stepSeconds: number;
  /** The same for each sequence in the step. */
  readonly sequenceSeconds: number;
  /** Ends of the range: expected divided and multiplied by it. */
  readonly rangeFactor: number;
  /** Error of `outputTokensPerSecond` on points that were held out; null: none. */
  readonly medianErrorPercent: number | null;
  readonly worstFactor: number | null;
  readonly fittedPoints: readonly string[];
  readonly heldOutPoints: readonly string[];
}

/** Where there are points: `vllm h100-80 byte nvlink`. */
export type Coverage = Readonly<Record<string, number>>;

export interface SpeedCalibration {
  readonly asOf: string;
  readonly source: string;
  readonly hardware: HardwareConstants;
  readonly engines: readonly EngineConstants[];
  readonly coverage: Coverage;
}
