import type { ResolvedPool } from "@capstan/core";

export interface ClusterCoordinates {
  readonly name: string;
  readonly endpoint: string;
  /** Base64, as the EKS API gives it. */
  readonly certificateAuthority: string;
}

/**
 * Canonical's EKS images join through `/etc/eks/bootstrap.sh`. EKS adds nothing to the user data of an image that is
 * not its own, so the script says all that a node has to know, labels and taints included.
 */
export function ubuntuScript(pool: ResolvedPool, cluster: ClusterCoordinates): string {
  const labels = Object.entries(pool.labels).map(([key, value]) => `${key}=${value}`);
  const taints = pool.taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`);
  const kubelet = [
    ...(labels.length > 0 ? [`--node-labels=${labels.join(",")}`] : []),
    ...(taints.length > 0 ? [`--register-with-taints=${taints.join(",")}`] : []),
  ];
  return [
    "#!/bin/bash",
    "set -euo pipefail",
    [
      "/etc/eks/bootstrap.sh",
      quoted(cluster.name),
      "--apiserver-endpoint",
      quoted(cluster.endpoint),
      "--b64-cluster-ca",
      quoted(cluster.certificateAuthority),
      ...(kubelet.length > 0 ? ["--kubelet-extra-args", quoted(kubelet.join(" "))] : []),
    ].join(" "),
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
