import type { GpuFacts, Precision } from "@capstan/catalog";
import type { ComputeKind, HardwareConstants } from "./calibration-types.ts";
import type { DeviceShare } from "./types.ts";

/** The tensor arithmetic that a precision runs in on a GPU. */
export interface ComputeRate {
  readonly kind: ComputeKind;
  /** Weights are unpacked to the width that is multiplied: they save memory traffic, not arithmetic. */
  readonly unpacks: boolean;
  /** Dense peak, FLOP/s. */
  readonly peak: number;
  readonly how: string;
}

/** Null: the catalog has no rate for it. */
export function computeRate(gpu: GpuFacts, precision: Precision): ComputeRate | null {
  const rates = gpu.tflopsDense;
  const half = rates.bf16 ?? rates.fp16;
  const native = (kind: ComputeKind, tflops: number | null, how: string): ComputeRate | null =>
    tflops === null ? null : { kind, unpacks: false, peak: tflops * 1e12, how };
  const unpacked = (how: string): ComputeRate | null =>
    half === null ? null : { kind: "half", unpacks: true, peak: half * 1e12, how: `${how}, multiplied in 16 bits` };
  switch (precision) {
    case "fp32":
      return native(
        "half",
        half === null ? null : half / fp32Slowdown,
        `plain cores, 1/${fp32Slowdown} of 16-bit (assumed)`,
      );
    case "bf16":
    case "fp16":
      return native("half", half, "16-bit tensor cores");
    case "fp8":
      if (gpu.fp8TensorCores) return native("byte", rates.fp8, "FP8 tensor cores");
      return unpacked("no FP8 tensor cores: weights in FP8");
    case "int8":
      return native("byte", rates.int8, "INT8 tensor cores") ?? unpacked("no INT8 tensor cores: weights in INT8");
    case "nvfp4":
      return native("nibble", rates.fp4, "FP4 tensor cores") ?? unpacked("no FP4 tensor cores: weights in FP4");
    case "mxfp4":
      if (rates.fp4 !== null) return native("byte", rates.fp8, "FP4 weights with FP8 activations");
      return unpacked("no FP4 tensor cores: weights in FP4");
    default:
      return unpacked("4-bit weights");
  }
}

/** Engines keep float32 exact, off the tensor cores: a quarter (Ada) to a sixteenth (Ampere, Hopper) of the 16-bit rate. */
const fp32Slowdown = 8;

/** Rates that a rank reaches: published peak x its part of the GPU x the calibrated share. */
export interface EffectiveRates {
  readonly weightBytesPerSecond: number;
  readonly kvBytesPerSecond: number;
  /** Hidden states once a token and layer: bandwidth over the passes that kernels make. */
  readonly activationBytesPerSecond: number;
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
  const flops =
    rate.peak * share.compute * constants.compute[rate.kind] * (rate.unpacks ? constants.unpackedCompute : 1);
  return {
    weightBytesPerSecond: bandwidth * constants.weightBandwidth,
    kvBytesPerSecond: bandwidth * constants.kvBandwidth,
    activationBytesPerSecond: bandwidth / constants.activationPasses,
    flopsPerSecond: flops,
    expertFlopsPerSecond: flops * constants.expertCompute,
    attentionFlopsPerSecond: half * constants.attentionCompute,
  };
}

export interface Link {
  readonly kind: "none" | "nvlink" | "pcie";
  /** What one GPU sends while it receives as much, at the calibrated share. */
  readonly bytesPerSecond: number;
  readonly allReduceSeconds: number;
  readonly how: string;
}

/**
 * Published rate of a x16 slot in one direction, 10^9 B/s: generation 3 for Turing, 4 for Ampere and Ada, 5 for Hopper
 * and Blackwell. The catalog has none; what pairs without NVLink reach of it is calibrated.
 */
const pcieGBps: Readonly<Record<string, number>> = {
  turing: 16,
  ampere: 32,
  "ada-lovelace": 32,
  hopper: 64,
  blackwell: 64,
};
const oldestPcieGBps = 16;

export function linkOf(gpu: GpuFacts, tensorParallel: number, constants: HardwareConstants): Link {
  if (tensorParallel === 1) {
    return { kind: "none", bytesPerSecond: Number.POSITIVE_INFINITY, allReduceSeconds: 0, how: "one rank" };
  }
  const { allReduceSeconds } = constants;
  if (gpu.nvlinkGBps !== null) {
    // Published NVLink totals count both directions.
    const GBps = gpu.nvlinkGBps / 2;
    const how = `NVLink ${GBps} GB/s each way x ${constants.nvlink}`;
    return { kind: "nvlink", bytesPerSecond: GBps * 1e9 * constants.nvlink, allReduceSeconds, how };
  }
  const GBps = pcieGBps[gpu.architecture] ?? oldestPcieGBps;
  const how = `no NVLink: PCIe ${GBps} GB/s each way x ${constants.pcie}`;
  return { kind: "pcie", bytesPerSecond: GBps * 1e9 * constants.pcie, allReduceSeconds, how };
}
