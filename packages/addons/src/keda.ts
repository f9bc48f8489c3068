import { chart } from "@capstan/catalog";
import { deepFreeze, type MonitoringContext, type ResolvedPlatform } from "@capstan/core";
import type { Addon } from "./addon.ts";
import { monitorDependencies, monitoringOf } from "./monitoring.ts";

export interface KedaValues {
  image: { pullPolicy: string };
  crds: { install: boolean; additionalAnnotations: Record<string, string> };
  operator: { replicaCount: number };
  metricsServer: { replicaCount: number };
  webhooks: { enabled: boolean; replicaCount: number };
  podDisruptionBudget: { operator: KedaDisruption; metricServer: KedaDisruption; webhooks: KedaDisruption };
  prometheus: { operator: KedaMetrics; metricServer: KedaMetrics; webhooks: KedaMetrics };
}

export interface KedaDisruption {
  maxUnavailable: number;
}

export interface KedaMetrics {
  enabled: boolean;
  serviceMonitor: { enabled: boolean; additionalLabels: Record<string, string> };
}

/** KEDA, highly available, on the system pool: it tolerates nothing. */
export function keda(platform: ResolvedPlatform): Addon<KedaValues> {
  const metrics = kedaMetrics(monitoringOf(platform));
  return deepFreeze({
    name: "keda",
    chart: chart("keda"),
    releaseName: "keda",
    namespace: { name: "keda", podSecurity: "restricted" },
    values: {
      // The chart says Always, which makes every restart depend on the registry.
      image: { pullPolicy: "IfNotPresent" },
      // The chart has the definitions as templates: an uninstall would delete every ScaledObject with them.
      crds: { install: true, additionalAnnotations: { "helm.sh/resource-policy": "keep" } },
      operator: { replicaCount: 2 },
      metricsServer: { replicaCount: 2 },
      webhooks: { enabled: true, replicaCount: 2 },
      podDisruptionBudget: {
        operator: { maxUnavailable: 1 },
        metricServer: { maxUnavailable: 1 },
        webhooks: { maxUnavailable: 1 },
      },
      prometheus: { operator: metrics, metricServer: metrics, webhooks: metrics },
    },
    crds: "in-chart",
    providesKinds: [
      "keda.sh/v1alpha1 ScaledObject",
      "keda.sh/v1alpha1 ScaledJob",
      "keda.sh/v1alpha1 TriggerAuthentication",
      "keda.sh/v1alpha1 ClusterTriggerAuthentication",
      "eventing.keda.sh/v1alpha1 CloudEventSource",
      "eventing.keda.sh/v1alpha1 ClusterCloudEventSource",
    ],
    dependsOn: monitorDependencies(platform),
    timeoutSeconds: 600,
  });
}

function kedaMetrics(monitoring: MonitoringContext | null): KedaMetrics {
  return {
    enabled: true,
    serviceMonitor: { enabled: monitoring !== null, additionalLabels: { ...monitoring?.monitorLabels } },
  };
}
