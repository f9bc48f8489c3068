import { chart } from "@capstan/catalog";
import { deepFreeze, ENVIRONMENT_LABEL, MODEL_LABEL, type ResolvedPlatform, TEAM_LABEL } from "@capstan/core";
import { type Addon, AddonError } from "./addon.ts";

/** Values of Kubecost 3. Keys of 2.x make the chart fail. */
export interface KubecostValues {
  global: {
    clusterId: string;
    defaultStorageClass: string;
    platforms: { cicd: { enabled: boolean; skipSanityChecks: boolean } };
  };
  kubecostProductConfigs: {
    labelMappingConfigs: { team_label: string; product_label: string; environment_label: string };
  };
  networkCosts: { enabled: boolean };
  clusterController: { enabled: boolean };
}

/** Kubecost 3, with costs by the team label of every workload. */
export function kubecostAddon(platform: ResolvedPlatform): Addon<KubecostValues> {
  const { kubecost, gpuOperator } = platform.addons;
  if (kubecost === null)
    throw new AddonError("the platform declares no cost tool; give it cost: kubecost({ clusterId })");
  return deepFreeze({
    name: "kubecost",
    chart: chart("kubecost"),
    releaseName: "kubecost",
    namespace: { name: "kubecost", podSecurity: "baseline" },
    values: {
      global: {
        clusterId: kubecost.clusterId,
        defaultStorageClass: kubecost.storageClass,
        // The chart looks into the cluster while it renders, which neither a preview nor a GitOps tree can.
        platforms: { cicd: { enabled: true, skipSanityChecks: true } },
      },
      kubecostProductConfigs: {
        labelMappingConfigs: {
          team_label: prometheusLabel(TEAM_LABEL),
          product_label: prometheusLabel(MODEL_LABEL),
          environment_label: prometheusLabel(ENVIRONMENT_LABEL),
        },
      },
      // A privileged agent on every node, whose requests no pool has set aside.
      networkCosts: { enabled: false },
      // It may rewrite the requests of running Deployments, behind the back of what declares them.
      clusterController: { enabled: false },
    },
    crds: "none",
    providesKinds: [],
    // GPU use comes from the operator's exporter.
    dependsOn: gpuOperator === "install" ? ["gpu-operator"] : [],
    timeoutSeconds: 900,
  });
}

/** The agent spells label names as Prometheus does. */
function prometheusLabel(label: string): string {
  return label.replace(/[^A-Za-z0-9_]/g, "_");
}
