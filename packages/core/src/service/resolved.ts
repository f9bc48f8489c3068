import type { ModelFacts, Precision, ServingEngine } from "@capstan/catalog";
import type { Acknowledgements } from "../finding.ts";
import type { ModelSource, SecretKey } from "../model/source.ts";
import type { ColdStart } from "../plan/cold-start.ts";
import type { CpuEngineMemory, VllmMemoryResult } from "../plan/memory/index.ts";
import type { ResolvedPool, SlotOffer } from "../pool/resolved.ts";
import type { Origins } from "../provenance.ts";
import type { Identity, Ref } from "../ref.ts";
import type { ResolvedScaling } from "../scaling/resolved.ts";
import type { IngressNamespaces, Objective, Traffic } from "./common-props.ts";
import type { OnnxTask, TensorSpec } from "./onnx-props.ts";

export interface ResolvedModel {
  readonly id: string;
  /** `llama-3.1-8b-instruct`: fits a label value and a file name; ids that would collide carry a hash. */
  readonly slug: string;
  readonly facts: ModelFacts | null;
  /** Repository or prefix that is downloaded. */
  readonly repository: string;
  readonly path: string | null;
  readonly revision: string | null;
  readonly weightsBytes: number | null;
  readonly gated: boolean;
}

export type ResolvedSource =
  | {
      readonly kind: "hub";
      readonly repository: string;
      readonly revision: string | null;
      readonly token: SecretKey | null;
    }
  | { readonly kind: "s3"; readonly bucket: Identity; readonly prefix: string };

export type ResolvedCache =
  | {
      readonly kind: "nvme";
      /** One preloader serves a pool; its name. */
      readonly preloader: string;
      /** Directory of this model on the node, below the pool's cache root. */
      readonly hostPath: string;
      readonly source: ResolvedSource;
      /** File or directory inside the source that the server reads; null: all of it. */
      readonly path: string | null;
      readonly bytes: number | null;
      /** Claim in the service's namespace that is bound to the node path, read-only. */
      readonly claimName: string;
      readonly volumeName: string;
    }
  | { readonly kind: "claim"; readonly claimName: string; readonly accessMode: string; readonly path: string };

export interface ResolvedFetch {
  /** Image of the init container, with its tag. */
  readonly image: string;
  readonly source: ResolvedSource;
  /** File inside the source; null: all of it. */
  readonly path: string | null;
  /** Directory it goes to, inside one of `writable`. */
  readonly directory: string;
  readonly bytes: number | null;
}

export interface ContainerResources {
  /** Whole vCPUs; requests equal limits. */
  readonly cpus: number;
  readonly memoryMib: number;
  readonly ephemeralGib: number;
  /** Extended resource and count, for GPU services. */
  readonly accelerator: { readonly resource: string; readonly count: number } | null;
  /** `/dev/shm`; null: the container default is enough. */
  readonly shmGib: number | null;
}

export interface ResolvedProbes {
  /** Says that requests are answered: for start-up and readiness. */
  readonly readyPath: string;
  /** Says that the process is not stuck. */
  readonly livePath: string;
  readonly startup: { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly readiness: { readonly periodSeconds: number; readonly failureThreshold: number };
  readonly liveness: {
    readonly periodSeconds: number;
    readonly failureThreshold: number;
    readonly timeoutSeconds: number;
  };
}

export interface ResolvedDrain {
  /** Sleep before SIGTERM, while the endpoint is taken out. */
  readonly preStopSeconds: number;
  readonly drainSeconds: number;
  readonly graceSeconds: number;
}

export interface ResolvedRollout {
  readonly strategy: "Recreate" | "RollingUpdate";
  readonly maxSurge: number | string | null;
  readonly maxUnavailable: number | string | null;
  readonly progressDeadlineSeconds: number;
  readonly revisionHistoryLimit: number;
}

export interface ResolvedIdentity {
  readonly runAsUser: number;
  readonly runAsGroup: number;
  readonly fsGroup: number;
  readonly nonRoot: boolean;
  readonly readOnlyRootFilesystem: boolean;
}

/** Over what replicas are spread where there is room; a replica that finds none starts all the same. */
export interface ResolvedSpread {
  readonly zones: boolean;
  readonly nodes: boolean;
}

/** A directory that must be writable, as an `emptyDir`. */
export interface WritableDirectory {
  readonly name: string;
  readonly mountPath: string;
  readonly sizeGib: number;
}

export interface ServiceMetrics {
  readonly port: number;
  readonly portName: string;
  readonly path: string;
  readonly intervalSeconds: number;
  readonly monitorLabels: Readonly<Record<string, string>>;
  /** Namespace that the scraper runs in; the network policy lets it in. */
  readonly scraperNamespace: string;
}

export interface ResolvedServiceBase {
  readonly name: string;
  readonly team: string;
  readonly namespace: string;
  readonly environment: string;
  readonly model: ResolvedModel;
  readonly precision: Precision;
  readonly servedModelName: string;
  readonly pool: ResolvedPool;
  readonly image: { readonly repository: string; readonly tag: string | null; readonly digest: string | null };
  /** `repository:tag@digest`, as the container gets it. */
  readonly imageReference: string;
  readonly imageGib: number | null;
  readonly port: number;
  readonly args: readonly string[];
  /** Identities that occur as tokens in `args` and other strings. */
  readonly refs: readonly Ref[];
  readonly environmentVariables: readonly { readonly name: string; readonly value: string }[];
  readonly secretEnvironment: readonly { readonly name: string; readonly secret: SecretKey }[];
  readonly source: ResolvedSource;
  /** `source` as it was declared; null: left out. A cache with a source of its own is read instead of it. */
  readonly givenSource: ModelSource | null;
  readonly cache: ResolvedCache | null;
  /** What an init container puts into a directory of the pod before the server starts; null: the server fetches itself. */
  readonly fetch: ResolvedFetch | null;
  /** Where the container finds the model; null: it downloads from the hub itself. */
  readonly modelPath: string | null;
  readonly writable: readonly WritableDirectory[];
  readonly resources: ContainerResources;
  readonly probes: ResolvedProbes;
  readonly drain: ResolvedDrain;
  readonly rollout: ResolvedRollout;
  readonly identity: ResolvedIdentity;
  /** PodDisruptionBudget; null where one replica is all there can be. */
  readonly disruption: { readonly maxUnavailable: string } | null;
  readonly spread: ResolvedSpread;
  readonly doNotDisrupt: boolean;
  readonly metrics: ServiceMetrics | null;
  /** Namespaces let in besides the service's own. */
  readonly ingressNamespaces: IngressNamespaces;
  readonly scaling: ResolvedScaling;
  readonly coldStart: ColdStart;
  readonly traffic: Required<Traffic> | null;
  readonly objective: Objective | null;
  /** On every object. Selectors use the two `app.kubernetes.io` keys of `selector` only. */
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly acknowledge: Acknowledgements;
  readonly origins: Origins;
}

export interface ResolvedVllm extends ResolvedServiceBase {
  readonly kind: "vllm";
  readonly engineVersion: string;
  readonly slot: SlotOffer;
  readonly gpus: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly maxModelLen: number | "auto" | null;
  /** Given, or what the engine fills in for this GPU; null where the plan does not know it. */
  readonly maxNumSeqs: number | null;
  /** Given, or what the engine fills in for this GPU; null where the plan does not know it. */
  readonly maxNumBatchedTokens: number | null;
  readonly gpuMemoryUtilization: number;
  readonly kvCacheDtype: string;
  readonly kvCacheBytes: number | null;
  readonly enforceEager: boolean;
  readonly dtype: "auto" | "bfloat16" | "float16" | "float32";
  /** Null: the engine version's default. */
  readonly prefixCaching: boolean | null;
  readonly toolCallParser: string | null;
  readonly reasoningParser: string | null;
  readonly trustRemoteCode: boolean;
  readonly lora: { readonly maxAdapters: number; readonly maxRank: number } | null;
  readonly extraArgs: readonly string[];
  /** Null where the facts of model or device are missing; the rule that says so is `vllm.fit.unknown`. */
  readonly memory: VllmMemoryResult | null;
}

/** A file that the server reads beside the model, in a ConfigMap. */
export interface ServerFile {
  /** Absolute, where the server looks for it. */
  readonly path: string;
  readonly content: string;
}

export interface ResolvedOnnx extends ResolvedServiceBase {
  readonly kind: "onnx";
  readonly engine: ServingEngine | "custom";
  readonly task: OnnxTask;
  readonly pinned: boolean;
  readonly amx: boolean;
  readonly threads: number;
  readonly instances: number;
  readonly contextTokens: number | null;
  readonly concurrency: number;
  readonly batching: { readonly maxBatchSize: number; readonly maxQueueDelayMicroseconds: number } | null;
  readonly tensors: { readonly inputs: readonly TensorSpec[]; readonly outputs: readonly TensorSpec[] } | null;
  readonly serverFiles: readonly ServerFile[];
  readonly memory: CpuEngineMemory;
}

export type ResolvedService = ResolvedVllm | ResolvedOnnx;
