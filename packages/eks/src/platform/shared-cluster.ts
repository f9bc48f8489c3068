import type { Finding, ResolvedAddons, ResolvedPlatform } from "@capstan/core";
import type { Cluster } from "../cluster/cluster.ts";
import { finding, listed } from "../findings.ts";

/** Platforms of this program by the cluster that they are on. */
const platformsOn = new WeakMap<Cluster, ResolvedPlatform[]>();

export function remember(platform: ResolvedPlatform, cluster: Cluster): void {
  platformsOn.set(cluster, [...(platformsOn.get(cluster) ?? []), platform]);
}

/** Helm refuses a second release of the name, halfway through a deployment; two operators would fight over the nodes. */
export function installedTwice(platform: ResolvedPlatform, cluster: Cluster): Finding[] {
  const there = new Set((platformsOn.get(cluster) ?? []).flatMap(({ addons }) => installed(addons)));
  const twice = installed(platform.addons).filter((name) => there.has(name));
  if (twice.length === 0) return [];
  return [
    finding(
      "error",
      {
        id: "cluster.addons.twice",
        path: "platform.addons",
        message: `another platform on this cluster installs ${listed(twice)} already`,
        remedy:
          'say "present" for these add-ons in one of the platforms, or declare one platform with all pools and services',
      },
      {},
    ),
  ];
}

function installed({ gpuOperator, keda, monitoring, clusterAutoscaler, kubecost }: ResolvedAddons): string[] {
  const modes = { gpuOperator, keda, monitoring: monitoring.mode, clusterAutoscaler };
  const names = Object.entries(modes).flatMap(([name, mode]) => (mode === "install" ? [name] : []));
  return kubecost === null ? names : [...names, "kubecost"];
}
