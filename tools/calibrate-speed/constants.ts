import type {
  EngineConstants,
  HardwareConstants,
  SpeedCalibration,
} from "../../packages/core/src/plan/speed/calibration-types.ts";

/** A constant of the fit: where the search starts, how far it may go, and why. */
export interface Constant {
  readonly name: string;
  readonly start: number;
  readonly least: number;
  readonly most: number;
  readonly why: string;
}

/**
 * Starts are what kernels of this kind are known to reach. A constant that the points say little about stays near its
 * start: the fit pays for moving away (see `pull` in fit.ts).
 */
const hardwareConstants: readonly Constant[] = [
  { name: "half", start: 0.65, least: 0.3, most: 0.95, why: "cuBLAS and CUTLASS on large 16-bit matrices" },
  { name: "byte", start: 0.55, least: 0.25, most: 0.95, why: "FP8 and INT8: power limits bite earlier" },
  { name: "nibble", start: 0.4, least: 0.15, most: 0.95, why: "FP4: the same, and scales of blocks" },
  { name: "unpackedCompute", start: 0.8, least: 0.4, most: 1, why: "Marlin-like kernels unpack in between" },
  { name: "expertCompute", start: 0.8, least: 0.2, most: 1, why: "grouped products of uneven sizes" },
  { name: "attentionCompute", start: 0.6, least: 0.2, most: 0.9, why: "FlashAttention 2 and 3" },
  {
    name: "weightBandwidth",
    start: 0.8,
    least: 0.5,
    most: 0.95,
    why: "facts/serving.md E: 0.77 for a whole step on an A100",
  },
  { name: "kvBandwidth", start: 0.8, least: 0.3, most: 0.95, why: "paged attention reads scattered pages" },
  { name: "activationPasses", start: 8, least: 1, most: 60, why: "norms, rotary embedding, residuals, quantisation" },
  { name: "nvlink", start: 0.7, least: 0.2, most: 1, why: "all-reduce bandwidth of NCCL, or of one-shot kernels" },
  { name: "pcie", start: 0.4, least: 0.1, most: 0.9, why: "no peer-to-peer: through host memory" },
  { name: "allReduceSeconds", start: 2e-5, least: 2e-6, most: 8e-5, why: "launch, and waiting for the slowest rank" },
  { name: "layerSeconds", start: 1e-5, least: 1e-6, most: 1e-4, why: "some ten kernels a layer in a CUDA graph" },
  { name: "expertLayerSeconds", start: 3e-5, least: 1e-6, most: 3e-4, why: "routing, sorting, two grouped products" },
];

interface Band {
  readonly key: string;
  readonly engine: EngineConstants["engine"];
  readonly band: string;
  readonly from: string | null;
  readonly step: Constant;
  readonly sequence: Constant;
}

function band(
  key: string,
  engine: Band["engine"],
  name: string,
  from: string | null,
  stepSeconds: number,
  sequenceSeconds: number,
  why: string,
): Band {
  const around = (constant: string, start: number): Constant => ({
    name: `${key}.${constant}`,
    start,
    least: start / 10,
    most: start * 10,
    why,
  });
  return {
    key,
    engine,
    band: name,
    from,
    step: around("step", stepSeconds),
    sequence: around("sequence", sequenceSeconds),
  };
}

const bands: readonly Band[] = [
  band("v0", "vllm", "0.5-0.7", null, 0.01, 1e-4, "V0: scheduler, sampler and server take turns in one Python process"),
  band("v1", "vllm", "0.8+", "0.8.0", 0.001, 2e-5, "V1: a process of its own, and from 0.14 scheduling beside the GPU"),
  band("trt", "tensorrt-llm", "0.17-1.0", null, 0.002, 5e-6, "C++ runtime, overlapped scheduling"),
];

export type Values = Readonly<Record<string, number>>;

export const allConstants: readonly Constant[] = [
  ...hardwareConstants,
  ...bands.flatMap((each) => [each.step, each.sequence]),
];

export function startValues(): Values {
  return Object.fromEntries(allConstants.map(({ name, start }) => [name, start]));
}

function hardwareOf(values: Values): HardwareConstants {
  const value = (name: string): number => {
    const found = values[name];
    if (found === undefined) throw new Error(`no value for ${name}`);
    return found;
  };
  return {
    compute: { half: value("half"), byte: value("byte"), nibble: value("nibble") },
    unpackedCompute: value("unpackedCompute"),
    expertCompute: value("expertCompute"),
    attentionCompute: value("attentionCompute"),
    weightBandwidth: value("weightBandwidth"),
    kvBandwidth: value("kvBandwidth"),
    activationPasses: value("activationPasses"),
    nvlink: value("nvlink"),
    pcie: value("pcie"),
    allReduceSeconds: value("allReduceSeconds"),
    layerSeconds: value("layerSeconds"),
    expertLayerSeconds: value("expertLayerSeconds"),
  };
}

/** Constants without what is only known after the fit. */
export function calibrationOf(values: Values, asOf: string): SpeedCalibration {
  return {
    asOf,
    source: "throughput-points.json: published figures of vLLM and TensorRT-LLM, each point with its source",
    hardware: hardwareOf(values),
    engines: bands.map(({ engine, band: name, from, step, sequence }) => ({
      engine,
      band: name,
      from,
      stepSeconds: values[step.name] ?? step.start,
      sequenceSeconds: values[sequence.name] ?? sequence.start,
      rangeFactor: 1,
      medianErrorPercent: null,
      worstFactor: null,
      fittedPoints: [],
      heldOutPoints: [],
    })),
    coverage: {},
  };
}

/** The fitted values by name: what `calibrationOf` made of them. */
export function valuesOf({ hardware, engines }: SpeedCalibration): Values {
  const { compute, ...rest } = hardware;
  const own = bands.flatMap(({ engine, band: name, step, sequence }) => {
    const found = engines.find((each) => each.engine === engine && each.band === name);
    return found === undefined
      ? []
      : [[step.name, found.stepSeconds] as const, [sequence.name, found.sequenceSeconds] as const];
  });
  return { ...compute, ...rest, ...Object.fromEntries(own) };
}
