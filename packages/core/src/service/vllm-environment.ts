import type { SecretKey } from "../model/source.ts";
import type { EnvironmentVariable } from "./common-props.ts";
import { secretVariables } from "./common-values.ts";
import type { ResolvedSource, WritableDirectory } from "./resolved.ts";
import type { VllmProps } from "./vllm-props.ts";

/** The one writable place for downloads and compile caches: the image's user has no home that can be written. */
export const CACHE_DIRECTORY = "/var/cache/capstan";
/** torch.compile artefacts, Triton kernels, tokenizer files. */
const COMPILE_CACHE_GIB = 5;
/** The engine gives its own processes ten minutes to shake hands. */
const HANDSHAKE_SECONDS = 600;

export interface VllmEnvironment {
  readonly environmentVariables: readonly EnvironmentVariable[];
  readonly secretEnvironment: readonly { readonly name: string; readonly secret: SecretKey }[];
}

export function vllmEnvironment(
  props: VllmProps,
  local: boolean,
  source: ResolvedSource,
  startupSeconds: number,
): VllmEnvironment {
  const own: EnvironmentVariable[] = [
    { name: "HOME", value: CACHE_DIRECTORY },
    { name: "HF_HOME", value: `${CACHE_DIRECTORY}/huggingface` },
    { name: "VLLM_CACHE_ROOT", value: `${CACHE_DIRECTORY}/vllm` },
    { name: "TORCHINDUCTOR_CACHE_DIR", value: `${CACHE_DIRECTORY}/torchinductor` },
    { name: "TRITON_CACHE_DIR", value: `${CACHE_DIRECTORY}/triton` },
    { name: "VLLM_NO_USAGE_STATS", value: "1" },
  ];
  // A cached model must not be looked up on the hub: no token, no outage, no other revision.
  if (local) own.push({ name: "HF_HUB_OFFLINE", value: "1" });
  if (startupSeconds > HANDSHAKE_SECONDS) {
    own.push({ name: "VLLM_ENGINE_READY_TIMEOUT_S", value: String(startupSeconds) });
  }
  const given = props.environmentVariables ?? [];
  const names = new Set(given.map((v) => v.name));
  return {
    environmentVariables: [...own.filter((v) => !names.has(v.name)), ...given],
    secretEnvironment: secretVariables(props, source, local),
  };
}

/** Directories of the pod itself; a download from the hub lands in the cache directory too. */
export function vllmWritable(downloadGib: number): WritableDirectory[] {
  return [
    { name: "cache", mountPath: CACHE_DIRECTORY, sizeGib: Math.ceil(COMPILE_CACHE_GIB + downloadGib * 1.1) },
    { name: "tmp", mountPath: "/tmp", sizeGib: 4 },
  ];
}
