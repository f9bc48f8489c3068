export { type ArtefactQuery, findArtefacts } from "./artefacts.ts";
export { type ChartComponent, chart, chartComponents } from "./charts.ts";
export { eks } from "./eks.ts";
export { engine } from "./engines.ts";
export type {
  ArtefactEngine,
  ArtefactFacts,
  ChartFacts,
  CpuPlatformFacts,
  DatedPrice,
  GpuFacts,
  InstanceFacts,
  MigFacts,
  MigProfileFacts,
  ModelFacts,
  MoeFacts,
  Precision,
  Provenance,
  ServingEngine,
  SpotFacts,
  TensorPrecision,
  VllmFlagFacts,
  VllmFlagHistory,
  VllmVersionFacts,
} from "./facts.ts";
export {
  type ArtefactModelId,
  artefactModelIds,
  type CpuInstanceType,
  cpuInstanceTypes,
  type GpuByInstanceType,
  type GpuInstanceType,
  type GpuModel,
  gpuInstanceTypes,
  gpuModels,
  type InstanceFamily,
  type InstanceType,
  type MigCapableGpu,
  type MigProfileName,
  type MigProfilesByGpu,
  type ModelAlias,
  type ModelId,
  modelAliases,
  modelIds,
  type NeuronInstanceType,
  neuronInstanceTypes,
  type Region,
  regions,
  type VllmVersion,
  vllmVersions,
} from "./generated/ids.ts";
export { findGpu, gpu } from "./gpus.ts";
export { findInstance, instance } from "./instances.ts";
export { knownMetrics } from "./metrics.ts";
export { findModel } from "./models.ts";
export { nearest } from "./nearest.ts";
export type {
  AmiFamily,
  EksAddonName,
  EksFacts,
  EngineFacts,
  ImageUser,
  KnownMetrics,
  KubeletReserveFacts,
} from "./platform-facts.ts";
export { onDemandPrice, pricesAsOf, spotFacts } from "./prices.ts";
export { type VcpuQuota, vcpuQuotas } from "./quotas.ts";
export { downloadImage } from "./tools.ts";
export type { GpuOf, MigProfile, MigProfileOf } from "./types.ts";
export { findVllm, latestVllm, vllmFlagHistory } from "./vllm.ts";
