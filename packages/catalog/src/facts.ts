import type { GpuModel, MigProfileName } from "./generated/ids.ts";

/** Where a set of facts comes from. Every data file carries one. */
export interface Provenance {
  /** Day the facts were read, ISO 8601 (`2026-07-20`, or `2026-08` where only the month is known). */
  readonly asOf: string;
  /** Public places they were read in: repository@commit path, or a document's name. */
  readonly sources: readonly string[];
}

export type TensorPrecision = "fp16" | "bf16" | "fp8" | "int8" | "fp4";

export interface MigProfileFacts {
  readonly profile: MigProfileName;
  readonly computeSlices: number;
  readonly memorySlices: number;
  /** GiB that a process can use in the instance, as `nvidia-smi mig -lgip` prints it; null: not read anywhere. */
  readonly usableGib: number | null;
  /** Streaming multiprocessors; null: not read. */
  readonly streamingMultiprocessors: number | null;
  readonly maxInstances: number;
  /** Memory slices at which an instance may start, and how many it covers. */
  readonly placementStarts: readonly number[];
  readonly placementSize: number;
  /** Name of MIG Manager's configuration that fills every GPU with this profile. */
  readonly configName: string;
  /** Extended resource under `mig.strategy=mixed`; a plus sign becomes a dot. */
  readonly mixedResource: string;
}

export interface MigFacts {
  readonly computeSlices: number;
  readonly memorySlices: number;
  /** Switching MIG mode needs a GPU reset, in a virtual machine a reboot (Ampere). */
  readonly modeChangeNeedsReset: boolean;
  /** `read`: from a listing of the card; `assumed`: taken to equal the H100's; `inferred`: from slice counts and limits. */
  readonly placementBasis: "read" | "assumed" | "inferred";
  readonly profiles: readonly MigProfileFacts[];
}

export interface GpuFacts {
  readonly id: GpuModel;
  readonly name: string;
  readonly vendor: "nvidia" | "amd";
  readonly architecture: string;
  /** CUDA compute capability (`9.0`), or the gfx target of an AMD part. */
  readonly computeCapability: string;
  /** Total memory as nvidia-smi prints it, GiB; null: not read. */
  readonly memoryGib: number | null;
  readonly bandwidthGBps: number | null;
  /** Dense tensor throughput, 10^12 operations per second, without sparsity. */
  readonly tflopsDense: Readonly<Record<TensorPrecision, number | null>>;
  readonly fp8TensorCores: boolean;
  /** Bidirectional total per GPU; null: no NVLink, or not read. */
  readonly nvlinkGBps: number | null;
  /** Value of the node label `nvidia.com/gpu.product` for the whole GPU; null: not known. Node labels end at 63 characters. */
  readonly productLabel: string | null;
  /** What a reader of the figures has to know: conflicts between sources, figures from memory. */
  readonly notes: readonly string[];
  /** null: the GPU has no MIG. */
  readonly mig: MigFacts | null;
}

export interface CpuPlatformFacts {
  /** Xeon, EPYC or Graviton generation, as in "Sapphire Rapids". */
  readonly generation: string;
  readonly amx: boolean;
  readonly amxFp16: boolean;
  readonly avx512: boolean;
  /** Theoretical peak of the socket divided by its vCPUs; null: not known. */
  readonly memoryGBpsPerVcpu: number | null;
}

export interface InstanceFacts {
  readonly type: string;
  readonly family: string;
  readonly class: "gpu" | "neuron" | "cpu";
  readonly arch: "amd64" | "arm64";
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly cpuManufacturer: "intel" | "amd" | "aws";
  readonly threadsPerCore: number | null;
  readonly numaNodes: number | null;
  readonly cpuPlatform: CpuPlatformFacts | null;
  /**
   * `fractional` types (g6f, gr6f) hold a part of one GPU of `fractionMib` MiB, and `count` is 0, as the EC2 API says it:
   * autoscalers see no `nvidia.com/gpu` before the node is up.
   */
  readonly gpu: {
    readonly model: GpuModel;
    readonly count: number;
    readonly fractional: boolean;
    readonly fractionMib: number | null;
  } | null;
  readonly neuron: { readonly name: string; readonly devices: number; readonly cores: number } | null;
  /** Instance store; null: none. `disks` null: the layout was not read. */
  readonly localNvme: { readonly totalGib: number; readonly disks: number | null } | null;
  readonly networkGbps: number | null;
  readonly ebsGbps: number | null;
  readonly efaInterfaces: number;
  /** null: not read (trn2). */
  readonly networkCards: number | null;
  /** VPC CNI without prefix delegation. */
  readonly maxPods: number;
  /** What EKS recommends with prefix delegation: 110 below 30 vCPU, else 250, and never more than the addresses. */
  readonly maxPodsPrefixDelegation: number;
  readonly bareMetal: boolean;
  /** AMI types of EKS on which the instance's GPU works (managed node groups); empty for CPU types. */
  readonly gpuAmiFamilies: readonly ("al2023" | "bottlerocket")[];
}

/** A price is never read without its date: there is no function that returns the bare number. */
export interface DatedPrice {
  readonly usdPerHour: number | null;
  /** `list`: published for the region; `derived`: the family's factor applied to us-east-1; `unknown`: no price. */
  readonly basis: "list" | "derived" | "unknown";
  readonly asOf: string;
  readonly source: string;
}

/** What the spot advisor's snapshot said: a shape, not a promise. */
export interface SpotFacts {
  /** Saving against on-demand in per cent. */
  readonly savingPercent: number;
  readonly interruptionsPerMonth: "<5%" | "5-10%" | "10-15%" | "15-20%" | ">20%";
  /** Lowest and highest zone price of one later snapshot; null for most types. A price equal to on-demand means no useful spot capacity. */
  readonly sample: { readonly lowUsdPerHour: number; readonly highUsdPerHour: number; readonly asOf: string } | null;
  readonly asOf: string;
}

export interface MoeFacts {
  readonly experts: number;
  readonly expertsPerToken: number;
  readonly expertIntermediateSize: number;
  /** 0: no shared expert. */
  readonly sharedExpertIntermediateSize: number;
  /** Layers at the start that have a plain MLP of `intermediateSize`. */
  readonly firstDenseLayers: number;
}

export interface ModelFacts {
  readonly id: string;
  readonly architecture: string;
  /** False for embedding models and classifiers, which keep no KV cache. */
  readonly generative: boolean;
  readonly layers: number;
  readonly hiddenSize: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Width of the plain MLP; null: every layer is a mixture of experts (see `moe`). */
  readonly intermediateSize: number | null;
  readonly vocabSize: number;
  /** The output head is the embedding; false for encoders, which have no head. */
  readonly tiedEmbeddings: boolean;
  readonly maxPositionEmbeddings: number;
  readonly dtype: "bfloat16" | "float16" | "float32";
  readonly attention: "mha" | "gqa" | "mqa" | "mla" | "encoder" | "encoder-decoder";
  /** As config.json has it. Engines use it only for the layers that `layerTypes` calls sliding or chunked. */
  readonly slidingWindow: number | null;
  /** One entry a layer where layers differ (`full`, `sliding`, `chunked`); null: all alike. */
  readonly layerTypes: readonly ("full" | "sliding" | "chunked")[] | null;
  readonly moe: MoeFacts | null;
  readonly mla: { readonly kvLoraRank: number; readonly ropeHeadDim: number } | null;
  /** `active`: used per token (all of them outside mixtures of experts; null: not read). `lmHead`: 0 where tied or absent. */
  readonly parameters: {
    readonly total: number;
    readonly active: number | null;
    readonly embedding: number;
    readonly lmHead: number;
  };
  /** Bytes of the published 16-bit (or native) checkpoint. */
  readonly checkpointBytes: number;
  /** Quantisation that the native checkpoint itself has (`mxfp4`, `fp8`), else null. */
  readonly nativeQuantization: string | null;
  /** Needs an accepted licence and a token on the hub; null: not known. */
  readonly gated: boolean | null;
  /** `high`: agrees with a published size or a measured load. */
  readonly confidence: "high" | "medium";
  readonly source: string;
}

export type ServingEngine = "vllm" | "vllm-cpu" | "ovms" | "triton" | "tei";
/** Engines of the artefact table: one of them has no server of its own and comes with an image of the user's. */
export type ArtefactEngine = ServingEngine | "onnxruntime-genai";
export type Precision =
  | "bf16"
  | "fp16"
  | "fp32"
  | "fp8"
  | "int8"
  | "int4"
  | "w4a16"
  | "awq"
  | "gptq"
  | "nvfp4"
  | "mxfp4"
  | "bnb-4bit";

export interface ArtefactFacts {
  readonly model: string;
  readonly engine: ArtefactEngine;
  readonly precision: Precision;
  readonly repository: string;
  /** Commit of the repository; null: not read, so pin one when deploying. */
  readonly revision: string | null;
  /** File inside the repository where the engine needs one (`onnx/model.onnx`); null: the whole repository. */
  readonly path: string | null;
  readonly format: "safetensors" | "openvino-ir" | "onnx" | "onnx-genai" | "pytorch";
  readonly bytes: number | null;
  readonly bytesBasis: "read" | "computed" | "recalled" | null;
  readonly gated: boolean | null;
  readonly licence: string | null;
  /** Lowest CUDA compute capability of the fast path; null: none. */
  readonly minComputeCapability: string | null;
  /** `doubtful`: seen only in other people's code; `recalled`: from memory. Check both before use. */
  readonly confidence: "read" | "doubtful" | "recalled";
  readonly source: string;
  /** What sets this artefact apart (8-bit weights only, community conversion, for AMD GPUs ...). */
  readonly note: string | null;
}

export interface VllmFlagFacts {
  readonly name: string;
  /** Takes no value. Most have a `--no-` twin; those that only switch something on (`--headless`, `--grpc`) have none. */
  readonly boolean: boolean;
  /** Other spellings (`-tp`). */
  readonly aliases: readonly string[];
  /** As the parser has it; null: none, or not a literal. */
  readonly default: string | number | boolean | null;
  /** Allowed values; null: free, or not read. */
  readonly choices: readonly string[] | null;
}

/** When a flag came and went; versions between two that were read are not known. */
export interface VllmFlagHistory {
  /** First minor version read that has it; null: already in the oldest one read. */
  readonly since: string | null;
  /** First minor version read that has it no more; null: still there. */
  readonly until: string | null;
}

/** What a vLLM release understands. Looked up by minor version (`0.33`) or exact version (`0.33.0`). */
export interface VllmVersionFacts {
  /** The release that was read for this minor version. */
  readonly version: string;
  /** `0.33` */
  readonly minor: string;
  readonly flags: ReadonlyMap<string, VllmFlagFacts>;
  /** Prometheus names as registered; counters gain `_total` in the exposition. */
  readonly metrics: ReadonlyMap<string, "gauge" | "counter" | "histogram" | "info">;
  readonly environment: ReadonlySet<string>;
}

export interface ChartFacts {
  readonly component: string;
  readonly chart: string;
  readonly version: string;
  /** HTTPS repository, or null for an OCI chart whose `chart` is the whole reference. */
  readonly repository: string | null;
  readonly appVersion: string | null;
  /** Minor versions that upstream supports, both ends included; null: no bound is stated. */
  readonly kubernetes: { readonly min: string | null; readonly max: string | null };
  /** Image tag for each Kubernetes minor version where the component has to follow it; null: the chart's own is right. */
  readonly imageTags: Readonly<Record<string, string>> | null;
  readonly source: string;
  readonly note: string | null;
}
