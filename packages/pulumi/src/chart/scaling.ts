import type { Manifest } from "../kubernetes-object.ts";
import { type Key, key, scaleTarget } from "./references.ts";

/** Most replicas that an autoscaler of the chart may give a workload, by the workload's key. */
export type Autoscaled = ReadonlyMap<Key, number>;

export function autoscaled(manifests: readonly Manifest[]): Autoscaled {
  const max = new Map<Key, number>();
  for (const manifest of manifests) {
    if (manifest.kind !== "ScaledObject" && manifest.kind !== "HorizontalPodAutoscaler") continue;
    const spec = manifest.spec as { maxReplicaCount?: number; maxReplicas?: number } | undefined;
    // KEDA's own default.
    max.set(scaleTarget(manifest), spec?.maxReplicaCount ?? spec?.maxReplicas ?? 100);
  }
  return max;
}

export function workloadKey(manifest: Manifest): Key {
  return key(manifest.kind, manifest.metadata.namespace, manifest.metadata.name);
}
