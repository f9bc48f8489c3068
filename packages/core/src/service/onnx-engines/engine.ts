import type { EnvironmentVariable } from "../common-props.ts";
import type { OnnxProps, OnnxTask } from "../onnx-props.ts";
import type {
  ResolvedCache,
  ResolvedFetch,
  ResolvedIdentity,
  ResolvedModel,
  ResolvedSource,
  ServerFile,
  WritableDirectory,
} from "../resolved.ts";

/** What a server is told; the same facts for every engine. */
export interface ServerInput {
  readonly props: OnnxProps;
  readonly task: OnnxTask;
  readonly model: ResolvedModel;
  readonly source: ResolvedSource;
  readonly cache: ResolvedCache | null;
  readonly servedModelName: string;
  readonly threads: number;
  readonly instances: number;
  readonly concurrency: number;
  readonly contextTokens: number | null;
  readonly kvCacheGib: number;
  readonly batching: { readonly maxBatchSize: number; readonly maxQueueDelayMicroseconds: number };
  readonly weightsGib: number;
}

/** How one server is started and watched. */
export interface Server {
  readonly args: readonly string[];
  readonly environmentVariables: readonly EnvironmentVariable[];
  readonly files: readonly ServerFile[];
  readonly port: number;
  readonly paths: { readonly ready: string; readonly live: string };
  readonly metrics: { readonly port: number; readonly portName: string; readonly path: string } | null;
  /** Gauges of requests in flight; empty: none. */
  readonly loadMetrics: readonly string[];
  /** The gauges are there only after the first request. @default false */
  readonly gaugesAfterFirstRequest?: boolean;
  readonly modelPath: string | null;
  readonly fetch: ResolvedFetch | null;
  readonly writable: readonly WritableDirectory[];
  readonly identity: ResolvedIdentity;
}

export const MODEL_DIRECTORY = "/models";
export const CONFIG_DIRECTORY = "/etc/capstan";

export const TMP: WritableDirectory = { name: "tmp", mountPath: "/tmp", sizeGib: 2 };

/** Room for a download: the files and their temporary copies. */
export function modelVolume(weightsGib: number, mountPath: string): WritableDirectory {
  return { name: "models", mountPath, sizeGib: Math.max(1, Math.ceil(weightsGib * 1.2)) };
}

/** A file name as the model servers want it in a directory: no slash. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A model's name inside a server, which is also a directory and part of URLs. */
export function serverModelName(name: string): string {
  return name.replaceAll("/", "--");
}
