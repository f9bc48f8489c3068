import { type GpuFacts, type Precision } from "@capstan/catalog";
import type { ComputeKind, HardwareConstants } from "./calibration-types.ts";
import type { DeviceShare } from "./types.ts";

export interface ComputeRate {
  readonly kind: ComputeKind;
  /** Dense peak, FLOP/s. */
  readonly peak: number;
  readonly how: string;
}

/**
 * The tensor arithmetic that a precision runs in on a GPU. Formats with 16-bit activations (W4A16, AWQ, GPTQ, NF4), and
 * formats that the GPU has no tensor cores for, only save memory traffic: they are unpacked and multiplied in 16 bits.
 */
export function computeRate(gpu: GpuFacts, precision: Precision): ComputeRate | null {
  const rates = gpu.tflopsDense;
  const half = rates.bf16 ?? rates.fp16;
  const rate = (kind: ComputeKind, tflops: number | null, how: string): ComputeRate | null =>
    tflops === null ? null : { kind, peak: tflops * 1e12, how };
  switch (precision) {
    case "fp32":
      // Engines keep float32 exact, so tensor cores stay idle; the catalog has no rate of the plain cores.
      return rate("half", half === null ? null : half / fp32Slowdown, `1/${fp32Slowdown} of the 16-bit rate, assumed`);
    case "bf16":
    case "fp16":
      return rate("half", half, "16-bit tensor cores");
    case "fp8":
      if (gpu.fp8TensorCores && rates.fp8 !== null) return rate("byte", rates.fp8, "FP8 tensor cores");
      return rate("half", half, "weights in FP8, multiplied in 16 bits: no FP8 tensor cores");
    case "int8":
      if (rates.int8 !== null) return rate("byte", rates.int8, "INT8 tensor cores");
      return rate("half", half, "weights in INT8, multiplied in 16 bits: no INT8 tensor cores");
    case "nvfp4":
      if (rates.fp4 !== null) return rate("nibble", rates.fp4, "FP4 tensor cores");
      return rate("half", half, "weights in FP4, multiplied in 16 bits: no FP4 tensor cores");
    case "mxfp4":
      if (rates.fp4 !== null && rates.fp8 !== null) return rate("byte", rates.fp8, "FP4 weights with FP8 activations");
      return rate("half", half, "weights in FP4, multiplied in 16 bits: no FP4 tensor cores");
    default:
      return rate("half", half, "4-bit weights, multiplied in 16 bits");
  }
}

/** Plain cores have a quarter (Ada) to a sixteenth (Ampere, Hopper) of the 16-bit tensor rate. */
const fp32Slowdown = 8;

/** Rates that a rank reaches: published peak x its part of the GPU x the calibrated share. */
export interface EffectiveRates {
  readonly kind: ComputeKind;
  readonly weightBytesPerSecond: number;
  readonly kvBytesPerSecond: number;
  readonly flopsPerSecond: number;
  readonly expertFlopsPerSecond: number;
  readonly attentionFlopsPerSecond: number;
}

export function effectiveRates(
  gpu: GpuFacts,
  bandwidthGBps: number,
  rate: ComputeRate,
  share: DeviceShare,
  constants: HardwareConstants,
): EffectiveRates {
  const bandwidth = bandwidthGBps * 1e9 * share.bandwidth;
  const half = (gpu.tflopsDense.bf16 ?? gpu.tflopsDense.fp16 ?? 0) * 1e12 * share.compute;
  const flops = rate.peak * share.compute * constants.compute[rate.kind];
  return {
    kind: rate.kind,
    weightBytesPerSecond: bandwidth * constants.weightBandwidth,
    kvBytesPerSecond: bandwidth * constants.kvBandwidth,
    flopsPerSecond: flops,
    expertFlopsPerSecond: flops * constants.expertCompute,
    attentionFlopsPerSecond: half * constants.attentionCompute,
  };
}

export type LinkKind = "none" | "nvlink" | "pcie";

export interface Link {
  readonly kind: LinkKind;
  /** What one GPU sends while it receives as much, B/s, at the calibrated share. */
  readonly bytesPerSecond: number;
  readonly allReduceSeconds: number;
}

/**
 * Published rate of a x16 slot, one direction, 10^9 B/s: generation 3 for Turing, 4 for Ampere and Ada, 5 for Blackwell.
 * The catalog has none; what pairs without NVLink reach of it is the calibrated share.
 */
const pcieGBps: Readonly<Record<string, number>> = { turing: 16, ampere: 32, "ada-lovelace": 32, hopper: 64, blackwell: 64 };
const pcieOldest = 16;

export function linkOf(gpu: GpuFacts, tensorParallel: number, constants: HardwareConstants): Link {
  if (tensorParallel === 1) return { kind: "none", bytesPerSecond: Number.POSITIVE_INFINITY, allReduceSeconds: 0 };
  const { allReduceSeconds } = constants;
  if (gpu.nvlinkGBps !== null) {
    // Published NVLink totals count both directions.
    return { kind: "nvlink", bytesPerSecond: (gpu.nvlinkGBps / 2) * 1e9 * constants.nvlink, allReduceSeconds };
  }
  const slot = pcieGBps[gpu.architecture] ?? pcieOldest;
  return { kind: "pcie", bytesPerSecond: slot * 1e9 * constants.pcie, allReduceSeconds };
}
