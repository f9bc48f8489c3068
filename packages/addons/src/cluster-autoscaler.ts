import { chart } from "@capstan/catalog";
import { deepFreeze, type Identity, type MonitoringContext, type ResolvedPlatform } from "@capstan/core";
import { type Addon, AddonError } from "./addon.ts";
import { monitorDependencies, monitoringOf } from "./monitoring.ts";
import type { Resources } from "./pod.ts";

/** The cluster, as far as an add-on has to know it. */
export interface AddonCluster {
  /** Name of the EKS cluster; a `Ref` where the same program makes it. */
  readonly name: Identity;
  /** AWS region; null: the pod's identity brings it along. */
  readonly region: string | null;
}

export interface ClusterAutoscalerValues {
  cloudProvider: "aws";
  awsRegion?: string;
  autoDiscovery: { clusterName: Identity };
  fullnameOverride: string;
  image: { tag: string };
  replicaCount: number;
  rbac: { serviceAccount: { create: boolean; name: string } };
  extraArgs: Record<string, string | number | boolean>;
  resources: Resources;
  securityContext: Record<string, string | number | boolean | Record<string, string>>;
  containerSecurityContext: Record<string, boolean | { drop: string[] }>;
  serviceMonitor: { enabled: boolean; namespace?: string; interval?: string; selector?: Record<string, string> };
}

/** What the autoscaler's IAM role is associated with. Contract: renaming it takes the pod its permissions. */
export const CLUSTER_AUTOSCALER_SERVICE_ACCOUNT = Object.freeze({
  namespace: "cluster-autoscaler",
  name: "cluster-autoscaler",
});

/** cluster-autoscaler's own limit for a pod's termination, which cuts longer drains short. */
const DEFAULT_MAX_GRACE_SECONDS = 600;
/** The unprivileged user of the image. */
const NOBODY = 65534;

/** cluster-autoscaler, for the node groups that carry its tags. */
export function clusterAutoscaler(platform: ResolvedPlatform, cluster: AddonCluster): Addon<ClusterAutoscalerValues> {
  return deepFreeze({
    name: "cluster-autoscaler",
    chart: chart("cluster-autoscaler"),
    releaseName: "cluster-autoscaler",
    namespace: { name: CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.namespace, podSecurity: "restricted" },
    values: {
      cloudProvider: "aws",
      ...(cluster.region === null ? {} : { awsRegion: cluster.region }),
      autoDiscovery: { clusterName: cluster.name },
      fullnameOverride: "cluster-autoscaler",
      image: { tag: imageTag(platform.context.kubernetes) },
      // One works, the other waits for its lease.
      replicaCount: 2,
      rbac: { serviceAccount: { create: true, name: CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.name } },
      extraArgs: extraArgs(platform),
      resources: { requests: { cpu: "100m", memory: "300Mi" }, limits: { memory: "600Mi" } },
      securityContext: {
        runAsNonRoot: true,
        runAsUser: NOBODY,
        runAsGroup: NOBODY,
        fsGroup: NOBODY,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containerSecurityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      serviceMonitor: serviceMonitor(monitoringOf(platform)),
    },
    crds: "none",
    providesKinds: [],
    dependsOn: monitorDependencies(platform),
    timeoutSeconds: 600,
  });
}

/** It simulates the scheduler of its own minor version, so it has to be the cluster's. */
function imageTag(kubernetes: string): string {
  const tags = chart("cluster-autoscaler").imageTags ?? {};
  const tag = tags[kubernetes];
  if (tag === undefined) {
    throw new AddonError(
      `there is no cluster-autoscaler for Kubernetes ${kubernetes} in the catalog, which has it for ` +
        `${Object.keys(tags).join(", ")}; use one of these, or set clusterAutoscaler: "present" and install your own`,
    );
  }
  return tag;
}

function extraArgs(platform: ResolvedPlatform): ClusterAutoscalerValues["extraArgs"] {
  const delay = `${platform.scaleDownDelaySeconds}s`;
  const longestGrace = Math.max(0, ...platform.services.map((service) => service.drain.graceSeconds));
  return {
    expander: "least-waste",
    "balance-similar-node-groups": true,
    // Caches and scratch directories are local volumes on every serving pod; no node would ever go.
    "skip-nodes-with-local-storage": false,
    "scale-down-unneeded-time": delay,
    "scale-down-delay-after-add": delay,
    "max-graceful-termination-sec": Math.max(DEFAULT_MAX_GRACE_SECONDS, longestGrace),
  };
}

function serviceMonitor(monitoring: MonitoringContext | null): ClusterAutoscalerValues["serviceMonitor"] {
  if (monitoring === null) return { enabled: false };
  return {
    enabled: true,
    namespace: monitoring.namespace,
    interval: `${monitoring.scrapeIntervalSeconds}s`,
    selector: { ...monitoring.monitorLabels },
  };
}
