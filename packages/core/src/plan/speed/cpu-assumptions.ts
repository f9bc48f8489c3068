/** Widest matrix instructions that an engine uses for a precision. */
export type CpuInstructions = "amx" | "avx512" | "none";

/**
 * Not fitted: two published figures and a ratio are all there is (facts/serving.md D4 and D7), which these values come
 * near to (cpu-speed.test.ts has the arithmetic). Replace them by measurements.
 */
export const cpuSpeedAssumptions = {
  asOf: "2026-11-30",
  /** Share of the theoretical memory bandwidth that decoding reaches on all cores of a NUMA node. */
  bandwidthShare: 0.6,
  /** Multiplications and additions that one vCPU sustains in a whole server, 10^9 a second. */
  gflopsPerVcpu: { amx: 200, avx512: 25, none: 8 },
  /** The range is `expected` divided and multiplied by this: a factor of five from end to end. */
  rangeFactor: 2.23,
} as const;
