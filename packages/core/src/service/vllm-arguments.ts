import { findVllm } from "@capstan/catalog";
import { inString } from "../ref.ts";
import type { ResolvedSource } from "./resolved.ts";
import type { VllmProps } from "./vllm-props.ts";

export interface ArgumentValues {
  readonly engineVersion: string;
  readonly repository: string;
  readonly modelPath: string | null;
  readonly source: ResolvedSource;
  readonly servedModelName: string;
  readonly port: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly maxModelLen: number | "auto" | null;
  readonly gpuMemoryUtilization: number;
  readonly kvCacheBytes: number | null;
  readonly drainSeconds: number;
}

/**
 * Arguments of `vllm serve`: the model first, then one `--flag=value` an entry, no shell. The image's entry point is
 * `vllm serve` since 0.11.1.
 */
export function vllmArguments(props: VllmProps, values: ArgumentValues): string[] {
  const flags: [string, string | number | null | undefined][] = [
    ["--served-model-name", values.servedModelName],
    ["--port", values.port],
    ["--revision", values.modelPath === null && values.source.kind === "hub" ? values.source.revision : null],
    ["--load-format", streamsFromS3(values) ? "runai_streamer" : null],
    ["--tensor-parallel-size", values.tensorParallel > 1 ? values.tensorParallel : null],
    ["--pipeline-parallel-size", values.pipelineParallel > 1 ? values.pipelineParallel : null],
    ["--max-model-len", values.maxModelLen],
    ["--max-num-seqs", props.maxNumSeqs],
    ["--max-num-batched-tokens", props.maxNumBatchedTokens],
    ["--gpu-memory-utilization", values.gpuMemoryUtilization],
    ["--kv-cache-memory-bytes", values.kvCacheBytes],
    ["--kv-cache-dtype", props.kvCacheDtype],
    ["--dtype", props.dtype],
    ["--tool-call-parser", props.toolCallParser],
    ["--reasoning-parser", props.reasoningParser],
    ["--max-loras", props.lora?.maxAdapters],
    ["--max-lora-rank", props.lora?.maxRank],
    ["--shutdown-timeout", drains(values) ? values.drainSeconds : null],
  ];
  const switches: [string, boolean | undefined][] = [
    ["--enforce-eager", props.enforceEager === true ? true : undefined],
    ["--enable-prefix-caching", props.prefixCaching],
    ["--enable-auto-tool-choice", props.toolCallParser === undefined ? undefined : true],
    ["--enable-lora", props.lora === undefined ? undefined : true],
    ["--trust-remote-code", props.trustRemoteCode === true ? true : undefined],
  ];
  return [
    modelArgument(values),
    ...flags.flatMap(([flag, value]) => (value === null || value === undefined ? [] : [`${flag}=${value}`])),
    ...switches.flatMap(([flag, on]) =>
      on === undefined ? [] : [on ? flag : flag.replace("--enable-", "--no-enable-")],
    ),
    ...(props.extraArgs ?? []),
  ];
}

function modelArgument(values: ArgumentValues): string {
  if (values.modelPath !== null) return values.modelPath;
  return values.source.kind === "s3"
    ? `s3://${inString(values.source.bucket)}/${values.source.prefix}`
    : values.repository;
}

function streamsFromS3(values: ArgumentValues): boolean {
  return values.modelPath === null && values.source.kind === "s3";
}

/** Without the flag SIGTERM aborts what runs. It came with 0.18. */
function drains(values: ArgumentValues): boolean {
  return findVllm(values.engineVersion)?.flags.has("--shutdown-timeout") ?? false;
}
