import type { ResolvedSource } from "@capstan/core";

export type SourceKind = ResolvedSource["kind"];

/**
 * Images that the downloads run in: one for each kind of source, and only where it is needed. Both have a shell and
 * coreutils, are built for amd64 and arm64, and take any user.
 *
 * - S3: Amazon's own image of the AWS CLI, whose `s3 sync` resumes and takes the credentials of Pod Identity.
 * - Hub: KServe's storage initializer, because it has the hub's own `hf` with the Xet transfer in a small image. The
 *   image of vLLM has it too, but a CPU node would pull ten GiB for it.
 *
 * Tags read on 2026-08-30: gallery.ecr.aws/aws-cli/aws-cli; kserve/kserve release v0.20.0
 * (`python/storage-initializer.Dockerfile`, `python/storage/pyproject.toml`).
 */
export const TOOL_IMAGES: Readonly<Record<SourceKind, string>> = {
  s3: "public.ecr.aws/aws-cli/aws-cli:2.36.15",
  hub: "docker.io/kserve/storage-initializer:v0.20.0",
};

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
