import type { ResolvedPool } from "@capstan/core";

const PREFIX = "k8s.io/cluster-autoscaler";

/** A tag on the Auto Scaling group. */
export interface AutoscalerTag {
  /** Stable part of the Pulumi name; says nothing of the cluster, whose name may be unknown. */
  readonly id: string;
  /** Key, given the cluster's name. */
  readonly key: (clusterName: string) => string;
  readonly value: string;
}

/**
 * All that cluster-autoscaler has to know of a node that does not exist yet. It builds its template node from tags of
 * the Auto Scaling group: EKS copies neither the node group's labels and taints nor its tags there, and the autoscaler's
 * own table of instance types knows whole GPUs only.
 */
export function autoscalerTags(pool: ResolvedPool): AutoscalerTag[] {
  return [
    fixed("enabled", `${PREFIX}/enabled`, "true"),
    { id: "cluster", key: (clusterName) => `${PREFIX}/${clusterName}`, value: "owned" },
    ...Object.entries(pool.labels).map(([key, value]) => template("label", key, value)),
    ...taintTags(pool),
    ...Object.entries(templateResources(pool)).map(([key, value]) => template("resources", key, value)),
  ];
}

/** Resources that the autoscaler cannot work out from the instance type. */
export function templateResources(pool: ResolvedPool): Record<string, string> {
  const resources: Record<string, string> = {};
  for (const slot of pool.slots) resources[slot.resource] = String(slot.slotsPerNode);
  if (pool.efaInterfaces > 0) resources["vpc.amazonaws.com/efa"] = String(pool.efaInterfaces);
  // Without it a pod that requests ephemeral storage fits no node, and nothing scales up.
  resources["ephemeral-storage"] = `${pool.allocatable.ephemeralGib}Gi`;
  return resources;
}

/** One tag a key: the autoscaler reads one value per key, and the same key with two effects needs no second tag. */
function taintTags(pool: ResolvedPool): AutoscalerTag[] {
  const byKey = new Map(pool.taints.map((taint) => [taint.key, taint]));
  return [...byKey.values()].map(({ key, value, effect }) => template("taint", key, `${value}:${effect}`));
}

function template(kind: "label" | "taint" | "resources", key: string, value: string): AutoscalerTag {
  return fixed(`${kind}-${key}`, `${PREFIX}/node-template/${kind}/${key}`, value);
}

function fixed(id: string, key: string, value: string): AutoscalerTag {
  return { id, key: () => key, value };
}
