import type { ResolvedSource } from "@capstan/core";

export type SourceKind = ResolvedSource["kind"];

/** Directory of the tools' configuration, logs and temporary files. */
export const WORK_DIRECTORY = "/tmp";

/** What the tools need to run as any user with a read-only root. */
export function toolEnvironment(kind: SourceKind): { name: string; value: string }[] {
  const common = [
    { name: "HOME", value: WORK_DIRECTORY },
    { name: "WORK_DIRECTORY", value: WORK_DIRECTORY },
  ];
  if (kind === "s3") return common;
  return [
    ...common,
    { name: "HF_HOME", value: `${WORK_DIRECTORY}/huggingface` },
    { name: "HF_HUB_DISABLE_PROGRESS_BARS", value: "1" },
    { name: "HF_HUB_DISABLE_TELEMETRY", value: "1" },
    // Nothing is downloaded twice, so chunks need not be kept; the default keeps up to 10 GB of them.
    { name: "HF_XET_CHUNK_CACHE_SIZE_BYTES", value: "0" },
  ];
}
