import type { MigProfileName, Precision, VllmVersion } from "@capstan/catalog";
import type { Cache } from "../cache/props.ts";
import type { ModelRef } from "../model/model.ts";
import type { ModelSource } from "../model/source.ts";
import type { CommonServiceProps } from "./common-props.ts";

export interface VllmProps extends CommonServiceProps {
  readonly model: ModelRef;
  /** @default - the newest version that the catalog has read */
  readonly engineVersion?: VllmVersion;
  /**
   * Picks the published checkpoint.
   * @default "bf16", or what the model's own checkpoint is in
   */
  readonly precision?: Precision;
  /** MIG profile, on a pool that offers several. @default - the pool's only one */
  readonly slice?: MigProfileName;
  /** GPUs of one replica. @default - tensorParallel x pipelineParallel */
  readonly gpus?: number;
  /** @default - `gpus`, else 1 */
  readonly tensorParallel?: number;
  /** @default 1 */
  readonly pipelineParallel?: number;
  /** Longest prompt plus answer, in tokens; `auto` lets the engine take the longest that fits. @default - the model's own maximum */
  readonly maxModelLen?: number | "auto";
  /** @default - the engine's own for this GPU: 1024 from 70 GiB up, else 256 */
  readonly maxNumSeqs?: number;
  /** @default - the engine's own for this GPU: 8192 from 70 GiB up, else 2048 */
  readonly maxNumBatchedTokens?: number;
  /** Share of the device that the engine may claim. @default - the engine version's own; on a shared GPU 0.9 / replicas */
  readonly gpuMemoryUtilization?: number;
  /** @default "auto" (the model's own type) */
  readonly kvCacheDtype?: string;
  /** Fixed KV cache size per GPU. @default - from the plan on shared GPUs, else left to the engine's profiling */
  readonly kvCacheGib?: number;
  /** @default false */
  readonly enforceEager?: boolean;
  /** @default - the model's own */
  readonly dtype?: "auto" | "bfloat16" | "float16" | "float32";
  /** @default - the engine's default */
  readonly prefixCaching?: boolean;
  /** Name that clients use. @default - the model id */
  readonly servedModelName?: string;
  /** Parser of tool calls, such as `llama3_json`; also turns automatic tool choice on. */
  readonly toolCallParser?: string;
  readonly reasoningParser?: string;
  /** Runs code from the model repository. @default false */
  readonly trustRemoteCode?: boolean;
  readonly lora?: { readonly maxAdapters: number; readonly maxRank: number };
  /** Where the weights come from when there is no cache. @default hub() */
  readonly source?: ModelSource;
  readonly cache?: Cache;
  /** Further arguments, `--flag=value`, checked against the engine version. */
  readonly extraArgs?: readonly string[];
  /** A GPU is free for the new pod while the old one still runs. @default false */
  readonly spareGpu?: boolean;
}

/** A declared vLLM service. Made by `vllm`. */
export interface Vllm {
  readonly kind: "vllm";
  readonly name: string;
  readonly props: VllmProps;
}
