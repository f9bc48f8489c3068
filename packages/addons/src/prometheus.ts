import { chart } from "@capstan/catalog";
import {
  deepFreeze,
  ENVIRONMENT_LABEL,
  MODEL_LABEL,
  type MonitoringContext,
  NODE_AGENTS,
  POOL_LABEL,
  type ResolvedMonitoring,
  type ResolvedPlatform,
  TEAM_LABEL,
} from "@capstan/core";
import { type Addon, AddonError } from "./addon.ts";
import { type Resources, reserved } from "./pod.ts";

export interface PrometheusCrdsValues {
  crds: { annotations: Record<string, string> };
}

export interface KubePrometheusStackValues {
  crds: { enabled: boolean };
  prometheus: {
    prometheusSpec: {
      serviceMonitorSelectorNilUsesHelmValues: boolean;
      podMonitorSelectorNilUsesHelmValues: boolean;
      probeSelectorNilUsesHelmValues: boolean;
      ruleSelectorNilUsesHelmValues: boolean;
      scrapeConfigSelectorNilUsesHelmValues: boolean;
      retention: string;
      retentionSize: string;
      resources: Resources;
      storageSpec: { volumeClaimTemplate: { spec: VolumeClaim } };
    };
  };
  kubeControllerManager: { enabled: boolean };
  kubeScheduler: { enabled: boolean };
  kubeEtcd: { enabled: boolean };
  kubeProxy: { enabled: boolean };
  "kube-state-metrics": { metricLabelsAllowlist: string[] };
  "prometheus-node-exporter": { tolerations: { operator: "Exists" }[]; resources: Resources };
  grafana: {
    env: Record<string, string>;
    "grafana.ini": Record<string, Record<string, string | boolean>>;
    sidecar: {
      dashboards: { skipReload: boolean };
      datasources: { skipReload: boolean; initDatasources: boolean };
    };
  };
}

export interface VolumeClaim {
  storageClassName: string;
  accessModes: string[];
  resources: { requests: { storage: string } };
}

/** Definitions of PodMonitor and its family, in a release of their own: everything that is scraped needs them first. */
export function prometheusOperatorCrds(platform: ResolvedPlatform): Addon<PrometheusCrdsValues> {
  return deepFreeze({
    name: "prometheus-operator-crds",
    chart: chart("prometheus-operator-crds"),
    releaseName: "prometheus-operator-crds",
    namespace: monitoringNamespace(platform),
    // Without it an uninstall deletes every monitor and rule of the cluster.
    values: { crds: { annotations: { "helm.sh/resource-policy": "keep" } } },
    crds: "in-chart",
    providesKinds: [
      "monitoring.coreos.com/v1 Prometheus",
      "monitoring.coreos.com/v1 Alertmanager",
      "monitoring.coreos.com/v1 ThanosRuler",
      "monitoring.coreos.com/v1 ServiceMonitor",
      "monitoring.coreos.com/v1 PodMonitor",
      "monitoring.coreos.com/v1 Probe",
      "monitoring.coreos.com/v1 PrometheusRule",
      "monitoring.coreos.com/v1alpha1 PrometheusAgent",
      "monitoring.coreos.com/v1alpha1 ScrapeConfig",
      "monitoring.coreos.com/v1alpha1 AlertmanagerConfig",
    ],
    dependsOn: [],
    timeoutSeconds: 300,
  });
}

/** Prometheus, its operator, node exporter, kube-state-metrics and Grafana. */
export function kubePrometheusStack(platform: ResolvedPlatform): Addon<KubePrometheusStackValues> {
  return deepFreeze({
    name: "kube-prometheus-stack",
    chart: chart("kube-prometheus-stack"),
    releaseName: "kube-prometheus-stack",
    namespace: monitoringNamespace(platform),
    values: stackValues(platform.addons.monitoring),
    crds: "own-release",
    providesKinds: [],
    dependsOn: ["prometheus-operator-crds"],
    timeoutSeconds: 900,
  });
}

/** The namespace that the platform's own context points KEDA and the network policies to. */
function monitoringNamespace(platform: ResolvedPlatform): Addon["namespace"] {
  const monitoring: MonitoringContext | null = platform.context.monitoring;
  if (monitoring === null) {
    throw new AddonError(
      "monitoring is to be installed, but the platform's context names no Prometheus; resolve the platform with monitoring on",
    );
  }
  // Node exporter shares the host's network and process ids.
  return { name: monitoring.namespace, podSecurity: "privileged" };
}

/** Prometheus drops its oldest data before the volume is full, not after it has crashed. */
const RETENTION_SHARE_OF_VOLUME = 0.85;

function stackValues(monitoring: ResolvedMonitoring): KubePrometheusStackValues {
  return {
    crds: { enabled: false },
    prometheus: {
      prometheusSpec: {
        // The chart's own default selects objects of its release only, and GPU metrics are missing without an error.
        serviceMonitorSelectorNilUsesHelmValues: false,
        podMonitorSelectorNilUsesHelmValues: false,
        probeSelectorNilUsesHelmValues: false,
        ruleSelectorNilUsesHelmValues: false,
        scrapeConfigSelectorNilUsesHelmValues: false,
        retention: `${monitoring.retentionDays}d`,
        retentionSize: `${Math.max(1, Math.floor(monitoring.storageGib * RETENTION_SHARE_OF_VOLUME))}GiB`,
        resources: { requests: { cpu: "250m", memory: "1Gi" } },
        storageSpec: { volumeClaimTemplate: { spec: volumeClaim(monitoring) } },
      },
    },
    // EKS keeps its control plane to itself: these would be down for ever and alert about it.
    kubeControllerManager: { enabled: false },
    kubeScheduler: { enabled: false },
    kubeEtcd: { enabled: false },
    kubeProxy: { enabled: false },
    "kube-state-metrics": {
      metricLabelsAllowlist: [`pods=[${TEAM_LABEL},${MODEL_LABEL},${ENVIRONMENT_LABEL}]`, `nodes=[${POOL_LABEL}]`],
    },
    "prometheus-node-exporter": {
      // The one agent that belongs on every node, whatever its taints; the chart's default misses NoExecute.
      tolerations: [{ operator: "Exists" }],
      resources: reserved(NODE_AGENTS.nodeExporter),
    },
    grafana: grafana(),
  };
}

function volumeClaim(monitoring: ResolvedMonitoring): VolumeClaim {
  return {
    storageClassName: monitoring.storageClass,
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: `${monitoring.storageGib}Gi` } },
  };
}

/**
 * Grafana shows its dashboards to whoever can reach it in the cluster, read-only, as Prometheus itself does, and has no
 * administrator: the chart would else make a random password, which differs at every render of a GitOps tree. Who wants
 * one sets `grafana.admin.existingSecret` by `transform` and takes the variable out.
 *
 * Side-cars reload Grafana as administrator; without one they leave it to Grafana, which looks for dashboards every 30 s
 * and reads data sources at its start.
 */
function grafana(): KubePrometheusStackValues["grafana"] {
  return {
    env: { GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: "true" },
    "grafana.ini": { "auth.anonymous": { enabled: true, org_role: "Viewer" } },
    sidecar: {
      dashboards: { skipReload: true },
      datasources: { skipReload: true, initDatasources: true },
    },
  };
}
