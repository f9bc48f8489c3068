export { type ActivationInput, type ActivationPeak, activationPeak } from "./activation.ts";
export { allocatorWasteBytes } from "./allocator.ts";
export { type MemoryBand, memoryBand, memoryBands } from "./bands.ts";
export { calibration } from "./calibration.ts";
export type { BandConstants, MemoryCalibration } from "./calibration-types.ts";
export type { CpuEngine } from "./cpu-assumptions.ts";
export {
  type CpuEngineMemory,
  type CpuEngineMemoryInput,
  type CpuEngineMemoryResult,
  cpuEngineMemory,
} from "./cpu-engine.ts";
export { captureSizes, cudaGraphs } from "./cuda-graphs.ts";
export { type BatchTier, batchTier, type VllmDefaults, vllmDefaults } from "./defaults.ts";
export { type EngineVersion, parseEngineVersion } from "./engine-version.ts";
export { loggedTokens, longestLength, maxConcurrency } from "./kv-capacity.ts";
export { blocksPerRequest, concurrentBatches, type KvGroup, kvGroups, layerKinds } from "./kv-groups.ts";
export { kvBytesPerTokenPerLayer } from "./kv-pages.ts";
export { nonTorch } from "./non-torch.ts";
export { runnerOf } from "./runner.ts";
export { type PipelineStage, pipelineStages } from "./stages.ts";
export type {
  ArithmeticLine,
  ModelRunner,
  Unsupported,
  VllmDevice,
  VllmMemory,
  VllmMemoryInput,
  VllmMemoryResult,
  VllmVerdict,
} from "./types.ts";
export { describeUnsupported } from "./unsupported.ts";
export { vllmMemory, vllmMemoryWith } from "./vllm-memory.ts";
export { type StageWeights, type WeightPart, weightBytesPerRank } from "./weights.ts";
