import { findModel, type ModelFacts, type ModelId } from "@capstan/catalog";
import type { EngineConstants, HardwareConstants, SpeedCalibration } from "../calibration-types.ts";
import { engineSpeed } from "../engine-speed.ts";
import type { SpeedEstimate, SpeedInput } from "../types.ts";

export function model(id: ModelId): ModelFacts {
  const found = findModel(id);
  if (!found) throw new Error(`${id} is not in the catalog`);
  return found;
}

/** Llama 3.1 8B in 16 bits on one H100 with vLLM. */
export function input(change: Partial<SpeedInput> = {}): SpeedInput {
  return {
    model: model("meta-llama/Llama-3.1-8B-Instruct"),
    engine: "vllm",
    precision: "bf16",
    kvCacheDtype: "auto",
    gpu: "h100-80",
    tensorParallel: 1,
    pipelineParallel: 1,
    deviceShare: { bandwidth: 1, compute: 1 },
    kvTokens: 400_000,
    maxNumSeqs: 1024,
    maxNumBatchedTokens: 8192,
    promptTokens: 1000,
    outputTokens: 500,
    concurrency: null,
    ...change,
  };
}

export function supported(of: SpeedInput): SpeedEstimate {
  const result = engineSpeed(of);
  if (!result.supported) throw new Error(result.reason);
  return result;
}

/** Published peaks as they are, nothing on top: what a person can work out. */
const perfectHardware: HardwareConstants = {
  compute: { half: 1, byte: 1, nibble: 1 },
  unpackedCompute: 1,
  expertCompute: 1,
  attentionCompute: 1,
  weightBandwidth: 1,
  kvBandwidth: 1,
  activationPasses: 0,
  nvlink: 1,
  pcie: 1,
  allReduceSeconds: 0,
  layerSeconds: 0,
  expertLayerSeconds: 0,
};

const freeEngine: EngineConstants = {
  engine: "vllm",
  band: "all",
  from: null,
  stepSeconds: 0,
  sequenceSeconds: 0,
  rangeFactor: 1.5,
  medianErrorPercent: null,
  worstFactor: null,
  fittedPoints: [],
  heldOutPoints: [],
};

export function perfect(
  hardware: Partial<HardwareConstants> = {},
  engine: Partial<EngineConstants> = {},
): SpeedCalibration {
  return {
    asOf: "2026-01-01",
    source: "a test",
    hardware: { ...perfectHardware, ...hardware },
    engines: [
      { ...freeEngine, ...engine },
      { ...freeEngine, engine: "tensorrt-llm", ...engine },
    ],
    coverage: {},
  };
}
