import type { GpuModel } from "@capstan/catalog";
import { CACHE_ROOT, type ResolvedPool } from "@capstan/core";
import { kubeletOptions } from "./kubelet.ts";
import { type TomlTable, toToml } from "./toml.ts";

/**
 * GPUs that Bottlerocket's MIG service knows, by the name it knows them by (bottlerocket-os/bottlerocket-core-kit,
 * nvidia-migmanager, read 2026-08). It gives every GPU one profile and advertises slices as `nvidia.com/gpu`.
 */
export const BOTTLEROCKET_MIG_MODELS: Partial<Record<GpuModel, string>> = {
  "a100-40": "a100.40gb",
  "a100-80": "a100.80gb",
  "h100-80": "h100.80gb",
  h200: "h200.141gb",
  b200: "b200.180gb",
};

/** Settings that EKS merges with the cluster's own; null where there is nothing to set. */
export function bottlerocketSettings(pool: ResolvedPool): string | null {
  const settings: TomlTable = {
    ...kubernetesSettings(pool),
    ...devicePluginSettings(pool),
    ...instanceStoreSettings(pool),
  };
  return Object.keys(settings).length > 0 ? toToml({ settings }) : null;
}

function kubernetesSettings(pool: ResolvedPool): TomlTable {
  const options = kubeletOptions(pool);
  if (options === null) return {};
  return {
    kubernetes: {
      "cpu-manager-policy": "static",
      ...(options.wholeCores && { "cpu-manager-policy-options": ["full-pcpus-only"] }),
      ...(options.topologyPolicy && { "topology-manager-policy": options.topologyPolicy }),
      "kube-reserved": { cpu: `${options.reservedCpuMillis}m` },
    },
  };
}

/** The image runs its own device plugin, so sharing is the image's setting and not the GPU Operator's. */
function devicePluginSettings(pool: ResolvedPool): TomlTable {
  const nvidia = sharingSettings(pool);
  return nvidia === null ? {} : { "kubelet-device-plugins": { nvidia } };
}

function sharingSettings(pool: ResolvedPool): TomlTable | null {
  const sharing = pool.sharing;
  switch (sharing.kind) {
    case "whole":
      return null;
    case "time-slicing":
      return {
        "device-sharing-strategy": "time-slicing",
        "time-slicing": {
          replicas: sharing.replicas,
          "rename-by-default": sharing.rename,
          // A pod that asks for two turns would still get one GPU's time: refuse it, as the GPU Operator's config does.
          "fail-requests-greater-than-one": true,
        },
      };
    case "mps":
      return {
        "device-sharing-strategy": "mps",
        mps: { replicas: sharing.replicas, "rename-by-default": sharing.rename },
      };
    case "mig": {
      const model = pool.gpu ? BOTTLEROCKET_MIG_MODELS[pool.gpu.model] : undefined;
      const [profile] = Object.keys(sharing.layout);
      if (model === undefined || profile === undefined) return null;
      return { "device-partitioning-strategy": "mig", mig: { profile: { [model]: profile } } };
    }
  }
}

/**
 * Both commands in one entry: the second binds what the first has made, and makes the directories. The model cache has
 * the same path as on AL2023, where the array itself is mounted above it.
 */
function instanceStoreSettings(pool: ResolvedPool): TomlTable {
  if (pool.localStorage === "none") return {};
  return {
    "bootstrap-commands": {
      "000-instance-store": {
        commands: [
          ["apiclient", "ephemeral-storage", "init"],
          [
            "apiclient",
            "ephemeral-storage",
            "bind",
            "--dirs",
            "/var/lib/containerd",
            "/var/lib/kubelet",
            "/var/log/pods",
            CACHE_ROOT,
          ],
        ],
        essential: true,
        mode: "always",
      },
    },
  };
}
