import type { ResolvedPlatform } from "@capstan/core";
import { type Addon, AddonError } from "./addon.ts";
import { type AddonCluster, type ClusterAutoscalerValues, clusterAutoscaler } from "./cluster-autoscaler.ts";
import { type GpuOperatorValues, gpuOperator } from "./gpu-operator.ts";
import { type KedaValues, keda } from "./keda.ts";
import { type KubecostValues, kubecostAddon } from "./kubecost.ts";
import {
  type KubePrometheusStackValues,
  kubePrometheusStack,
  type PrometheusCrdsValues,
  prometheusOperatorCrds,
} from "./prometheus.ts";

/** Every add-on that the platform may install, with the type of its values. */
export type PlatformAddon =
  | Addon<PrometheusCrdsValues>
  | Addon<KubePrometheusStackValues>
  | Addon<ClusterAutoscalerValues>
  | Addon<GpuOperatorValues>
  | Addon<KedaValues>
  | Addon<KubecostValues>;

/**
 * The add-ons that the platform installs, each after what it depends on: definitions of monitors, then what creates
 * nodes, then what makes GPUs usable, then scaling and cost. Throws `AddonError` where two cannot run together.
 */
export function addonsFor(platform: ResolvedPlatform, cluster: AddonCluster): readonly PlatformAddon[] {
  const { addons } = platform;
  const list: PlatformAddon[] = [];
  if (addons.monitoring.mode === "install") list.push(prometheusOperatorCrds(platform), kubePrometheusStack(platform));
  if (addons.clusterAutoscaler === "install") list.push(clusterAutoscaler(platform, cluster));
  if (addons.gpuOperator === "install") list.push(gpuOperator(platform));
  if (addons.keda === "install") list.push(keda(platform));
  if (addons.kubecost !== null) list.push(kubecostAddon(platform));
  return inOrder(list);
}

/**
 * The same add-ons, each after what it depends on and otherwise in the order given. Names a dependency that is missing
 * or circular, and two add-ons that claim one release or one kind of object.
 */
export function inOrder<A extends Addon>(addons: readonly A[]): readonly A[] {
  refuseDuplicates(addons);
  const byName = new Map(addons.map((addon) => [addon.name, addon]));
  const done = new Set<A>();
  const visit = (addon: A, path: readonly string[]) => {
    if (done.has(addon)) return;
    if (path.includes(addon.name)) {
      throw new AddonError(
        `add-ons depend on each other in a circle: ${[...path.slice(path.indexOf(addon.name)), addon.name].join(" -> ")}`,
      );
    }
    for (const name of addon.dependsOn) {
      const dependency = byName.get(name);
      if (dependency === undefined) {
        throw new AddonError(
          `add-on ${addon.name} depends on ${name}, which is not installed; add it before ${addon.name}`,
        );
      }
      visit(dependency, [...path, addon.name]);
    }
    done.add(addon);
  };
  for (const addon of addons) visit(addon, []);
  return [...done];
}

function refuseDuplicates(addons: readonly Addon[]): void {
  const claims = new Map<string, string>();
  for (const addon of addons) {
    const own = [
      `the name ${addon.name}`,
      `the release ${addon.releaseName} in namespace ${addon.namespace.name}`,
      ...addon.providesKinds.map((kind) => `the definition of ${kind}`),
    ];
    for (const claim of own) {
      const other = claims.get(claim);
      if (other !== undefined) {
        throw new AddonError(`add-ons ${other} and ${addon.name} both have ${claim}; install one of them`);
      }
      claims.set(claim, addon.name);
    }
  }
}
