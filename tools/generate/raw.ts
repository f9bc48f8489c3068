/** Shapes of the raw fact files, as far as the generator reads them. */

export interface RawMigProfile {
  profile: string;
  computeSlices: number;
  memorySlices: number;
  usableGiB: number | null;
  sms: number | null;
  maxInstances: number;
  placementStarts: number[];
  placementSize: number;
  migConfigAll: string;
  resourceMixed: string;
}

export interface RawGpu {
  name: string;
  vendor: "nvidia" | "amd";
  architecture: string;
  computeCapability: string;
  gfdProductLabel: string | null;
  memory: { nvidiaSmiMiB: number | null; bandwidthGBps: number | null };
  tflopsDense: Record<"fp16" | "bf16" | "fp8" | "int8" | "fp4", number | null>;
  fp8: { tensorCores: boolean };
  nvlink: { present: boolean; totalGBpsBidirectional?: number | null };
  notes?: string[];
  mig: {
    supported: boolean;
    computeSlices?: number;
    memorySlices?: number;
    modeChangeNeedsGpuReset?: boolean;
    profiles?: RawMigProfile[];
  };
}

export interface RawGpus {
  _about: { sources: { repository?: string; document?: string; commit?: string; files?: string; used: string }[] };
  migCombinations: {
    sevenSlice: { verifiedPlacements: string[]; assumedSamePlacements: string[] };
    fourSlice: { gpus: string[]; verified: boolean };
  };
  gpus: Record<string, RawGpu>;
}

export interface RawInstance {
  family: string;
  class: "gpu" | "neuron" | "cpu";
  arch: "amd64" | "arm64";
  vcpus: number;
  memoryMiB: number;
  cpu: {
    manufacturer: "intel" | "amd" | "aws";
    model: string | null;
    threadsPerCore: number | null;
    numaNodes: number | null;
  };
  gpu: { ref: string; count: number; fractional: boolean; apiMemoryMiBEach: number } | null;
  neuron?: { name: string; devices: number; cores: number };
  localNvme: { totalGiB: number; disks: number | null } | null;
  networkGbpsBaseline: number | null;
  ebsGbpsMax: number | null;
  efaInterfaces: number;
  eni: { networkCards: number } | null;
  bareMetal: boolean;
  maxPods: number;
  maxPodsPrefixDelegation: number;
  onDemandUsdPerHour: Record<string, number | null>;
  onDemandUsdPerHourDerived?: Record<string, number>;
  spotAdvisor?: Record<string, [number, number]>;
}

export interface RawCpuPlatform {
  generation: string;
  families: string[];
  amx: { fp16: boolean } | null;
  avx512: boolean;
  memoryGBpsPerVcpu: number | null;
  model: string;
}

export interface RawInstances {
  spotBands: { index: number; interruptionsPerMonth: string }[];
  pricing: { spotUsdPerHourSamples: Record<string, unknown> };
  cpuPlatforms: { platforms: RawCpuPlatform[]; unknownHosts: string[] };
  eksGpuNodes: { amiSupport: Record<string, unknown> };
  instanceTypes: Record<string, RawInstance>;
}

export interface RawModel {
  model_id: string;
  aliases: string[];
  architecture: string;
  num_hidden_layers: number;
  hidden_size: number;
  num_attention_heads: number;
  num_key_value_heads: number;
  head_dim: number;
  intermediate_size: number | null;
  vocab_size: number;
  tie_word_embeddings: boolean | null;
  max_position_embeddings: number;
  torch_dtype: string;
  attention: string;
  sliding_window: number | null;
  layer_types: string[] | null;
  moe: {
    num_experts: number;
    experts_per_token: number;
    moe_intermediate_size: number;
    shared_expert_intermediate_size: number;
    first_dense_layers: number;
  } | null;
  mla: { kv_lora_rank: number; qk_rope_head_dim: number } | null;
  params: { total: number; active?: number; embedding?: number; lm_head?: number };
  safetensors_total_bytes: number;
  quantization?: { method: string } | null;
  confidence: string;
  source: string;
}

export interface RawArtefact {
  model: string;
  alias?: string;
  engine: string;
  precision: string;
  repository: string;
  path: string | null;
  format: string;
  bytes: number | null;
  bytesBasis: string | null;
  gated: boolean | null;
  licence: string | null;
  minGpu: string | null;
  source: string;
  confidence: "read" | "recalled";
  note?: string;
}

export interface RawFlag {
  boolean?: boolean;
  choices?: string[];
  aliases?: string[];
  default?: string | number | boolean;
}

/** One release as a syntax-tree walk of its wheel gives it. */
export interface RawVllmVersion {
  flags: Record<string, RawFlag>;
  metrics: Record<string, string | null>;
  env: string[];
}
