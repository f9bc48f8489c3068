import type { ResolvedPool } from "@capstan/core";
import { stringify } from "yaml";
import { kubeletOptions } from "./kubelet.ts";

/** nodeadm's `NodeConfig`, as far as a pool has something to say; EKS adds the cluster's part to it. */
export interface NodeConfig {
  readonly apiVersion: "node.eks.aws/v1alpha1";
  readonly kind: "NodeConfig";
  readonly spec: {
    readonly instance?: { readonly localStorage: { readonly strategy: "RAID0" } };
    readonly kubelet?: { readonly config: KubeletConfig };
  };
}

/** Fields of `kubelet.config.k8s.io/v1beta1` that are merged over nodeadm's own. */
interface KubeletConfig {
  readonly cpuManagerPolicy: "static";
  readonly cpuManagerPolicyOptions?: Readonly<Record<string, string>>;
  readonly topologyManagerPolicy?: string;
  readonly kubeReserved: { readonly cpu: string };
}

/** Null where nodeadm's defaults are what the pool wants: no user data then, and nodes that EKS alone configures. */
export function nodeConfig(pool: ResolvedPool): NodeConfig | null {
  const kubelet = kubeletOptions(pool);
  if (pool.localStorage === "none" && kubelet === null) return null;
  return {
    apiVersion: "node.eks.aws/v1alpha1",
    kind: "NodeConfig",
    spec: {
      ...(pool.localStorage === "raid0" && { instance: { localStorage: { strategy: "RAID0" } } }),
      ...(kubelet && {
        kubelet: {
          config: {
            cpuManagerPolicy: "static",
            ...(kubelet.wholeCores && { cpuManagerPolicyOptions: { "full-pcpus-only": "true" } }),
            ...(kubelet.topologyPolicy && { topologyManagerPolicy: kubelet.topologyPolicy }),
            kubeReserved: { cpu: `${kubelet.reservedCpuMillis}m` },
          },
        },
      }),
    },
  };
}

const BOUNDARY = "==NODECONFIG==";

/** The multipart message in which AL2023 looks for configuration; EKS puts its own part into the same message. */
export function nodeConfigMessage(config: NodeConfig): string {
  return [
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    "",
    `--${BOUNDARY}`,
    "Content-Type: application/node.eks.aws",
    "",
    stringify(config).trimEnd(),
    "",
    `--${BOUNDARY}--`,
    "",
  ].join("\n");
}
