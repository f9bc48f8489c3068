import type { ModelFacts, Precision } from "@capstan/catalog";

/** One GPU, or one MIG instance, as the engine sees it. */
export interface VllmDevice {
  /** Total memory in GiB as the driver reports it (`nvidia-smi`), or the usable memory of the MIG instance. */
  readonly totalGib: number;
  /** CUDA compute capability, `9.0`. */
  readonly computeCapability: string;
  /** vLLM reads "a100" in the device's name and gives it the small batch tier. */
  readonly isA100: boolean;
  /** Devices that one replica gets; fewer than tensorParallel x pipelineParallel cannot start. */
  readonly gpusPerReplica: number;
  /**
   * Bounds a masking buffer of the sampler (at most 0.1 GiB).
   * @default 132, those of the H100 that the model was calibrated on
   */
  readonly streamingMultiprocessors?: number | undefined;
}

export interface VllmMemoryInput {
  readonly model: ModelFacts;
  /** Exact vLLM version, `0.33.0`. */
  readonly version: string;
  readonly device: VllmDevice;
  /** Precision of the weights. */
  readonly precision: Precision;
  /** `--kv-cache-dtype`: `auto`, `fp8`, ... */
  readonly kvCacheDtype: string;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  /** @default 0.90 up to vLLM 0.19, 0.92 from 0.20 */
  readonly gpuMemoryUtilization?: number | undefined;
  /** `auto` takes the longest that fits. @default - the model's maxPositionEmbeddings */
  readonly maxModelLen?: number | "auto" | undefined;
  /** @default - the engine's tier for the device: 1024 or 256 */
  readonly maxNumSeqs?: number | undefined;
  /** @default - the engine's tier for the device: 16384, 8192 or 2048 */
  readonly maxNumBatchedTokens?: number | undefined;
  /** Tokens of one KV block. @default - what the attention backend takes: 16, or 32 for MLA on Blackwell */
  readonly blockSize?: number | undefined;
  /** No CUDA graphs. @default false */
  readonly enforceEager?: boolean | undefined;
  /** `--kv-cache-memory-bytes`, per GPU: takes the place of utilisation and profiling. */
  readonly kvCacheMemoryBytes?: number | undefined;
  /** `--num-gpu-blocks-override`: takes the place of the number of blocks, also in the engine's own checks. */
  readonly numGpuBlocksOverride?: number | undefined;
  /**
   * Resolved and reported. It moves no figure here: prefix caching costs start-up memory only in models with
   * Mamba-like state, which this model refuses.
   * @default true
   */
  readonly prefixCaching?: boolean | undefined;
  /** Weights per GPU as a real start logged them, in place of the computed figure. */
  readonly weightsGibOverride?: number | undefined;
}

export type VllmVerdict = "serves" | "cannot-serve-one-request" | "does-not-load";
export type ModelRunner = "v1" | "v2";

export interface ArithmeticLine {
  readonly name: string;
  readonly gib: number;
  readonly how: string;
}

/** Why there is no figure. A model that is not understood is refused, never guessed. */
export interface Unsupported {
  readonly supported: false;
  readonly reason: string;
}

export interface VllmMemory {
  readonly supported: true;
  readonly verdict: VllmVerdict;
  /** The verdict with `uncertaintyGib` less and more of KV memory. They differ where the fit is a close call. */
  readonly verdictRange: { readonly pessimistic: VllmVerdict; readonly optimistic: VllmVerdict };
  /** Per GPU; of a pipeline, the stage that limits the number of blocks. */
  readonly memory: {
    readonly totalGib: number;
    readonly requestedGib: number;
    readonly weightsGib: number;
    readonly activationGib: number;
    readonly nonTorchGib: number;
    /** Tables of Model Runner V2 that live for ever; 0 with V1. */
    readonly samplerTablesGib: number;
    readonly cudaGraphGib: number;
    /** Graphs and tables that this version takes without counting them: they come out of what utilisation leaves. */
    readonly outsideBudgetGib: number;
    readonly availableKvGib: number;
    readonly uncertaintyGib: number;
  };
  readonly kvCache: {
    /** Tokens of one block. */
    readonly blockSize: number;
    readonly bytesPerBlock: number;
    readonly blocks: number;
    /** The figure that this version logs as "GPU KV cache size". */
    readonly tokens: number;
    readonly tokensRange: { readonly low: number; readonly high: number };
    /** Requests of maxModelLen tokens at once, as logged. */
    readonly maxConcurrency: number;
    readonly blocksPerRequest: number;
  };
  readonly resolved: {
    readonly maxModelLen: number;
    readonly maxNumSeqs: number;
    readonly maxNumBatchedTokens: number;
    readonly gpuMemoryUtilization: number;
    readonly prefixCaching: boolean;
    readonly runner: ModelRunner;
  };
  readonly calibration: {
    readonly band: string;
    readonly runner: ModelRunner;
    /** No measured start of this band: constants come from another band or from reading the source. */
    readonly extrapolated: boolean;
    /** Of `kvCache.tokens`, on points the constants were not fitted to; null: no such point. */
    readonly medianErrorPercent: number | null;
  };
  /** Largest max-model-len that still serves one request, all else equal; 0: none. */
  readonly longestContextTokens: number;
  readonly arithmetic: readonly ArithmeticLine[];
}

export type VllmMemoryResult = VllmMemory | Unsupported;
