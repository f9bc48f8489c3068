import type { GpuModel, Precision } from "@capstan/catalog";
import type { ModelRunner, VllmVerdict } from "../memory/index.ts";
import type { Estimate } from "../speed/index.ts";

/**
 * A question to the planner. The keys are those of the command line in camelCase; null is the same as left out.
 * A model is named (`model`) or described (`modelConfig`); with both, `model` is what the description is called.
 */
export interface FitQuery {
  /** Hub id of the catalog, or the repository of a quantised copy that the catalog knows. */
  readonly model?: string | null;
  /** Contents of a Hugging Face `config.json`. */
  readonly modelConfig?: Readonly<Record<string, unknown>> | null;
  /** With `modelConfig`: all parameters of the model, where they cannot be computed. */
  readonly parameters?: number | null;
  /** With `modelConfig`: GiB of the checkpoint, in place of `parameters`. */
  readonly weightsGib?: number | null;
  /** GPU of the catalog: `h100-80`. */
  readonly gpu?: string | null;
  /** EC2 type with a GPU: `g6e.2xlarge`. */
  readonly instanceType?: string | null;
  /** MIG profile that the replica gets: `1g.10gb`. */
  readonly mig?: string | null;
  /** Engines on the same GPU, this one counted (time-slicing or MPS). @default 1 */
  readonly shared?: number | null;
  /** GPUs of one replica. @default - tensorParallel x pipelineParallel */
  readonly gpus?: number | null;
  /** `vllm@0.19.0`; `tensorrt-llm` for comparison with published tables of speed only. @default - the newest vLLM that was read */
  readonly engine?: string | null;
  /** @default - gpus / pipelineParallel */
  readonly tensorParallel?: number | null;
  /** @default 1 */
  readonly pipelineParallel?: number | null;
  /** @default - the engine's own; 0.9 of the GPU divided by `shared` on a shared one */
  readonly gpuMemoryUtilization?: number | null;
  /** `auto` takes the longest that fits. @default - the model's own maximum */
  readonly maxModelLen?: number | "auto" | null;
  readonly maxNumSeqs?: number | null;
  readonly maxNumBatchedTokens?: number | null;
  readonly blockSize?: number | null;
  /** @default "auto" */
  readonly kvCacheDtype?: string | null;
  /** Precision (`fp8`, `w4a16`) or the engine's name of a method (`gptq_marlin`). @default - what the checkpoint is in */
  readonly quantization?: string | null;
  /** @default "auto" */
  readonly dtype?: string | null;
  /** @default false */
  readonly enforceEager?: boolean | null;
  /** Memory of one GPU as the driver reports it, in place of the catalog's. */
  readonly totalGpuMemoryGib?: number | null;
  /** @default 1024, less where the context is shorter */
  readonly promptTokens?: number | null;
  /** @default 256, less where the context is shorter */
  readonly outputTokens?: number | null;
  /** Requests in flight. @default - as many as fit, the saturated plateau */
  readonly concurrency?: number | null;
  /** Region of the prices. @default "us-east-1" */
  readonly region?: string | null;
  /** Time to the first token that 99 of 100 requests have to meet, milliseconds. @default - none */
  readonly objectiveTtftP99Ms?: number | null;
}

export interface FitRemedy {
  /** As on the command line. */
  readonly change: string;
  /** KV memory per GPU that the change is worth: memory gained, or memory that a request needs less. */
  readonly gainGib: number;
  readonly why: string;
  /** What the verdict becomes with this change alone. */
  readonly verdict: VllmVerdict;
}

/** GiB per GPU; of a pipeline, of the stage that limits the KV cache. */
export interface FitMemory {
  readonly totalGib: number;
  readonly requestedGib: number;
  readonly weightsGib: number;
  readonly activationGib: number;
  readonly nonTorchGib: number;
  readonly samplerTablesGib: number;
  readonly cudaGraphGib: number;
  /** Graphs and tables that this version takes without counting them: they come on top of what was requested. */
  readonly outsideBudgetGib: number;
  readonly availableKvGib: number;
  readonly uncertaintyGib: number;
}

export interface FitThroughput {
  /** Of one replica; null: not even one request of this length fits, or nothing is known of the GPU's speed. */
  readonly outputTokensPerSecond: Estimate | null;
  /** Waiting for a place in the batch counted in where `concurrency` is larger than what fits. */
  readonly ttftSeconds: Estimate | null;
  readonly interTokenSeconds: Estimate | null;
  readonly requestsPerSecond: Estimate | null;
  /** Requests in flight at once that the figures hold for. */
  readonly batch: number | null;
  readonly limitedBy: string | null;
  /** No published figure of this engine, GPU, arithmetic and link was at hand. */
  readonly extrapolated: boolean;
}

export interface FitCost {
  /** Of the whole instance, as it is billed; null: no price, never 0. */
  readonly usdPerHour: number | null;
  /** With every place of the instance taken by such a replica, at full load. */
  readonly usdPerMillionOutputTokens: Estimate | null;
  readonly instanceType: string | null;
  readonly replicasPerInstance: number | null;
  readonly basis: string;
}

/** What the most arrivals that still meet the objective look like, on one replica. */
export interface FitObjective {
  readonly ttftP99Ms: number;
  readonly met: boolean;
  readonly requestsPerSecond: number;
  readonly concurrency: number;
  readonly outputTokensPerSecond: number;
  readonly usdPerMillionOutputTokens: number | null;
}

export interface FitResolved {
  readonly model: string;
  readonly precision: Precision;
  readonly engine: string;
  readonly gpu: GpuModel;
  readonly gpus: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly maxModelLen: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly gpuMemoryUtilization: number;
  readonly kvCacheDtype: string;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly region: string;
}

export interface FitAnswer {
  readonly schemaVersion: 1;
  readonly query: FitQuery;
  readonly verdict: VllmVerdict;
  /** The verdict with the uncertainty against it and for it. */
  readonly verdictRange: { readonly pessimistic: VllmVerdict; readonly optimistic: VllmVerdict };
  readonly memory: FitMemory;
  readonly kvCache: {
    readonly blocks: number;
    readonly tokens: number;
    readonly tokensRange: { readonly low: number; readonly high: number };
    /** Requests of maxModelLen tokens at once. */
    readonly maxConcurrency: number;
    /** Largest context of which one request fits; 0: none. */
    readonly longestContextTokens: number;
  };
  readonly throughput: FitThroughput;
  readonly cost: FitCost;
  /** Null: no objective was given. */
  readonly objective: FitObjective | null;
  readonly calibration: {
    readonly band: string;
    readonly runner: ModelRunner;
    readonly extrapolated: boolean;
    readonly medianErrorPercent: number | null;
  };
  readonly remedies: readonly FitRemedy[];
  readonly resolved: FitResolved;
  /** What was assumed, and what a reader has to know. */
  readonly notes: readonly string[];
}

/** One way of serving the model, with the query that asks for just it. */
export interface FitOption extends FitAnswer {
  readonly instanceType: string;
  readonly mig: string | null;
  readonly tensorParallel: number;
  readonly precision: Precision;
}

/** Every way of serving a model that no target was named for, the cheapest that serves first. */
export interface FitRanking {
  readonly schemaVersion: 1;
  readonly query: FitQuery;
  readonly options: readonly FitOption[];
  /** Index of the cheapest option that serves and meets the objective; null: none does, or none has a price. */
  readonly cheapest: number | null;
  /** Types that could not be judged, and why. */
  readonly notRanked: readonly { readonly instanceType: string; readonly reason: string }[];
}
