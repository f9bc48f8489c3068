import type { Taint } from "../pool/props.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { OriginLog } from "../provenance.ts";
import type { ResolvedService } from "../service/resolved.ts";
import type { AddonMode, PlatformProps, PrometheusStack } from "./props.ts";
import type { ResolvedAddons, ResolvedMonitoring } from "./resolved.ts";

const RETENTION_DAYS = 15;
const STORAGE_GIB = 50;
const STORAGE_CLASS = "gp3";

export function resolveAddons(
  props: PlatformProps,
  pools: readonly ResolvedPool[],
  services: readonly ResolvedService[],
  origins: OriginLog,
): ResolvedAddons {
  const install = (needed: boolean): AddonMode => (needed ? "install" : "none");
  return {
    gpuOperator: origins.orDerived(
      "gpuOperator",
      props.gpuOperator,
      () => install(pools.some((p) => p.gpu !== null && p.managed)),
      ["pools"],
      "a pool has NVIDIA GPUs",
    ),
    keda: origins.orDerived(
      "keda",
      props.keda,
      () => install(services.some((s) => s.scaling.by === "keda")),
      ["services"],
      "a service scales by KEDA",
    ),
    monitoring: resolveMonitoring(props, origins),
    clusterAutoscaler: origins.orDerived(
      "clusterAutoscaler",
      props.clusterAutoscaler,
      () => install(pools.some((p) => p.managed && p.size.max > p.size.min)),
      ["pools"],
      "a pool may grow",
    ),
    kubecost: props.cost
      ? {
          clusterId: props.cost.clusterId,
          storageClass: origins.orDefault(
            "cost.storageClass",
            props.cost.storageClass,
            STORAGE_CLASS,
            "the encrypted class of the cluster",
          ),
        }
      : null,
    nodeAgentTaints: uniqueTaints(pools),
  };
}

function resolveMonitoring(props: PlatformProps, origins: OriginLog): ResolvedMonitoring {
  const stack: Partial<PrometheusStack> =
    typeof props.monitoring === "object" && props.monitoring.kind === "prometheus-stack" ? props.monitoring : {};
  const mode: AddonMode =
    props.monitoring === "none" ? "none" : props.monitoring?.kind === "existing-prometheus" ? "present" : "install";
  return {
    mode,
    retentionDays: origins.orDefault(
      "monitoring.retentionDays",
      stack.retentionDays,
      RETENTION_DAYS,
      "two weeks and a day",
    ),
    storageGib: origins.orDefault(
      "monitoring.storageGib",
      stack.storageGib,
      STORAGE_GIB,
      "metrics of some fifty nodes over the retention",
    ),
    storageClass: origins.orDefault(
      "monitoring.storageClass",
      stack.storageClass,
      STORAGE_CLASS,
      "the encrypted class of the cluster",
    ),
  };
}

/** Node agents tolerate what the pools have, and nothing else. */
function uniqueTaints(pools: readonly ResolvedPool[]): Required<Taint>[] {
  const byId = new Map<string, Required<Taint>>();
  for (const taint of pools.flatMap((pool) => pool.taints))
    byId.set(`${taint.key}=${taint.value}:${taint.effect}`, taint);
  // Sorted: the order of pools in a declaration must not roll every node agent.
  return [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, taint]) => taint);
}
