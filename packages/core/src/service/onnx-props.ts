import type { Precision } from "@capstan/catalog";
import type { Cache } from "../cache/props.ts";
import type { ModelRef } from "../model/model.ts";
import type { ModelSource } from "../model/source.ts";
import type { CommonServiceProps } from "./common-props.ts";

export type OnnxTask = "text-generation" | "embeddings" | "rerank" | "classification" | "tensor";

/** A server of one's own. Everything that a known engine would bring has to be said. */
export interface CustomEngine {
  readonly kind: "custom-engine";
  readonly name: string;
  readonly port: number;
  readonly healthPath: string;
  readonly args: readonly string[];
  /** Environment variable that sets the number of threads; null: the server takes it from `args`. */
  readonly threadsVariable: string | null;
  readonly metrics: {
    readonly path: string;
    readonly port: number;
    /** Gauge of requests in flight or queued; needed for queue scaling. */
    readonly queueMetric: string | null;
  } | null;
  /** User that the image runs as. */
  readonly runAsUser: number;
}

export type OnnxEngine = "ovms" | "triton" | "tei" | CustomEngine;

export function customEngine(engine: Omit<CustomEngine, "kind">): CustomEngine {
  return Object.freeze({ kind: "custom-engine", ...engine });
}

/** A tensor of a Triton model, where the server cannot complete the configuration from the ONNX file. */
export interface TensorSpec {
  readonly name: string;
  readonly dataType: string;
  readonly dims: readonly number[];
}

export interface OnnxProps extends CommonServiceProps {
  readonly model: ModelRef;
  /** @default - text generation for generative models, embeddings for encoders */
  readonly task?: OnnxTask;
  /** @default "int4" for text generation, "fp32" for TEI, "int8" where there is such an artefact, else "fp32" */
  readonly precision?: Precision;
  /**
   * The server. @default - from the task: OpenVINO Model Server for text generation, TEI for embeddings and rerank,
   * Triton for tensors and classification
   */
  readonly engine?: OnnxEngine;
  /** File or directory of the model in its repository, where the catalog knows none. */
  readonly artefact?: { readonly repository: string; readonly path?: string; readonly bytes: number };
  readonly source?: ModelSource;
  readonly cache?: Cache;
  /** Longest prompt plus answer of a generative model. @default - the model's own maximum, at most 4096 */
  readonly contextTokens?: number;
  /** Requests that run at the same time. @default - 8 for text generation, else 1 a model instance */
  readonly concurrency?: number;
  /** Threads of one inference. @default - whole cores of the container: vCPUs divided by threads per core */
  readonly threads?: number;
  /** Exclusive cores; needs a pool with `cpuManager: "static"`. @default - true on such a pool */
  readonly pinned?: boolean;
  /** Needs AMX. @default - true for int4, int8 and bf16 on a pool that has it */
  readonly amx?: boolean;
  /** Triton: copies of the model in one pod; copies x threads must fit the container. @default 1 */
  readonly instances?: number;
  /** Triton: dynamic batching. @default 8, waiting up to 2 ms */
  readonly batching?: { readonly maxBatchSize: number; readonly maxQueueDelayMicroseconds: number };
  /** Triton: only where the server cannot read them from the model file. */
  readonly tensors?: { readonly inputs: readonly TensorSpec[]; readonly outputs: readonly TensorSpec[] };
  readonly servedModelName?: string;
  readonly extraArgs?: readonly string[];
}

/** A declared CPU service. Made by `onnx`. */
export interface Onnx {
  readonly kind: "onnx";
  readonly name: string;
  readonly props: OnnxProps;
}
