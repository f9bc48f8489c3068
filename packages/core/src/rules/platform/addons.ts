import { type ChartComponent, chart } from "@capstan/catalog";
import { existingPrometheus, kubecost } from "../../platform/props.ts";
import { existingPool } from "../../pool/declare.ts";
import type { ResolvedPool } from "../../pool/resolved.ts";
import { timeSlicing } from "../../pool/sharing.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { count } from "../numbers.ts";
import { platformRule } from "../rule.ts";
import { amx, declared, l40s, llama, phi, sharedL4, small } from "./examples.ts";
import type { Unchecked } from "./subject.ts";

const size = { min: 0, max: 2 };

export const autoscalerMissing = platformRule({
  id: "platform.autoscaler.missing",
  severity: "warning",
  reason: "Node groups start at their min and stay there; pods that need more nodes wait until somebody adds them.",
  reference: "EKS user guide, Cluster Autoscaler",
  check: ({ pools, services, addons }) => {
    if (addons.clusterAutoscaler !== "none") return [];
    const used = new Set(services.filter((s) => s.scaling.max > 0).map((s) => s.pool.name));
    return pools
      .filter(
        (pool) =>
          pool.managed &&
          used.has(pool.name) &&
          pool.size.desired < pool.size.max &&
          (pool.size.desired === 0 || grows(pool, services)),
      )
      .map((pool) => ({
        at: "clusterAutoscaler",
        message: `nothing adds nodes to pool ${pool.name}, which starts with ${count(pool.size.desired, "node")} of ${pool.size.max}`,
        remedy:
          'leave clusterAutoscaler out, use "present" where the cluster has one, or set size.min to what is needed',
      }));
  },
  examples: {
    bad: [
      {
        title: "pool from zero",
        declare: () => declared({ pools: [sharedL4], services: [small()], clusterAutoscaler: "none" }),
        at: "clusterAutoscaler",
      },
      {
        title: "a service that grows",
        declare: () =>
          declared({ services: [llama({ scaling: onQueue({ min: 1, max: 4 }) })], clusterAutoscaler: "none" }),
        at: "clusterAutoscaler",
      },
    ],
    good: [
      { title: "default", declare: () => declared({ pools: [sharedL4], services: [small()] }) },
      {
        title: "nodes that are there",
        declare: () => declared({ pools: [l40s], services: [llama({ scaling: fixed(1) })], clusterAutoscaler: "none" }),
      },
    ],
  },
});

/** More than one replica somewhere: the nodes that are there may not do. */
function grows(pool: ResolvedPool, services: Unchecked["services"]): boolean {
  return services.some((service) => service.pool.name === pool.name && service.scaling.max > service.scaling.min);
}

/** facts/platform.md 16.27 */
export const kubernetesRange = platformRule({
  id: "platform.kubernetes.unsupported",
  severity: "error",
  reason:
    "Upstream does not support the component on this version of Kubernetes: it may not start, or calls an API that is gone.",
  reference: "versions and ranges in packages/catalog/data/charts.json",
  check: ({ context, addons }) => {
    const installed: [ChartComponent, boolean][] = [
      ["gpu-operator", addons.gpuOperator === "install"],
      ["keda", addons.keda === "install"],
      ["kube-prometheus-stack", addons.monitoring.mode === "install"],
      ["cluster-autoscaler", addons.clusterAutoscaler === "install"],
      ["kubecost", addons.kubecost !== null],
    ];
    return installed.flatMap(([component, on]) => {
      const { kubernetes, version } = chart(component);
      const { min, max } = kubernetes;
      const below = min !== null && minor(context.kubernetes) < minor(min);
      const above = max !== null && minor(context.kubernetes) > minor(max);
      if (!on || !(below || above)) return [];
      const range = min === null ? `up to ${max}` : max === null ? `${min} or newer` : `${min} to ${max}`;
      return [
        {
          at: "kubernetes",
          message: `${component} ${version} supports Kubernetes ${range}; the cluster has ${context.kubernetes}`,
          remedy: `use kubernetes: "${below ? min : max}", or leave ${component} out`,
        },
      ];
    });
  },
  examples: {
    bad: [
      {
        title: "Kubecost on 1.35",
        declare: () => declared({ kubernetes: "1.35", cost: kubecost({ clusterId: "search-dev" }) }),
        at: "kubernetes",
      },
      { title: "GPU Operator on 1.32", declare: () => declared({ kubernetes: "1.32" }), at: "kubernetes" },
    ],
    good: [
      { title: "1.34 with everything", declare: () => declared({ cost: kubecost({ clusterId: "search-dev" }) }) },
      { title: "1.35 without Kubecost", declare: () => declared({ kubernetes: "1.35" }) },
      {
        title: "1.32 with CPU pools that do not grow",
        declare: () => declared({ kubernetes: "1.32", pools: [amx], services: [phi()], clusterAutoscaler: "none" }),
      },
    ],
  },
});

/** 34 in `1.34` */
function minor(version: string): number {
  return Number(version.split(".")[1]);
}

export const prometheusUrl = platformRule({
  id: "platform.monitoring.url-invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "KEDA asks Prometheus under this URL; one that cannot be reached leaves every scaler in error.",
  reference: "KEDA Prometheus scaler, serverAddress",
  check: ({ context: { monitoring } }) => {
    if (monitoring === null) return [];
    const url = URL.canParse(monitoring.prometheusUrl) ? new URL(monitoring.prometheusUrl) : null;
    return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
      ? []
      : [
          {
            at: "monitoring.prometheusUrl",
            message: `"${monitoring.prometheusUrl}" is not an http or https URL`,
            remedy: 'write it like "http://prometheus-operated.monitoring.svc:9090"',
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "host alone",
        declare: () => declared({ monitoring: prometheus("prometheus-operated.monitoring:9090") }),
        at: "monitoring.prometheusUrl",
      },
      { title: "empty", declare: () => declared({ monitoring: prometheus("") }), at: "monitoring.prometheusUrl" },
    ],
    good: [
      { title: "URL", declare: () => declared({ monitoring: prometheus("http://prometheus.monitoring.svc:9090") }) },
      { title: "the platform's own", declare: () => declared({}) },
    ],
  },
});

function prometheus(prometheusUrl: string) {
  return existingPrometheus({ prometheusUrl, namespace: "monitoring", monitorLabels: { release: "prometheus" } });
}

export const untaggedGroups = platformRule({
  id: "platform.autoscaler.foreign-nodes",
  severity: "info",
  reason:
    "cluster-autoscaler learns of shared and partitioned GPUs of a group at zero from tags on the Auto Scaling group, which is not ours to tag here.",
  reference: "cluster-autoscaler cloudprovider/aws README, node-template resources",
  check: ({ pools, addons }) =>
    addons.clusterAutoscaler === "none"
      ? []
      : pools
          .filter(
            (pool) =>
              !pool.managed && pool.size.min === 0 && pool.slots.some((slot) => slot.resource !== "nvidia.com/gpu"),
          )
          .map((pool) => ({
            at: `pools.${pool.name}.size.min`,
            message: `pool ${pool.name} of others starts at zero and offers ${pool.slots.map((slot) => slot.resource).join(", ")}`,
            remedy: `see that its group has the tag k8s.io/cluster-autoscaler/node-template/resources/${pool.slots[0]?.resource}`,
          })),
  examples: {
    bad: [
      {
        title: "shared GPUs",
        declare: () => {
          const pool = existingPool({
            name: "theirs",
            instanceType: "g6.4xlarge",
            nodeSelector: { pool: "gpu" },
            size,
            sharing: timeSlicing(2),
          });
          return declared({ pools: [pool], services: [small({ pool })], clusterAutoscaler: "present" });
        },
        at: "pools.theirs.size.min",
      },
    ],
    good: [
      {
        title: "whole GPUs",
        declare: () =>
          declared({
            pools: [existingPool({ name: "theirs", instanceType: "g6.4xlarge", nodeSelector: { pool: "gpu" }, size })],
            services: [],
            clusterAutoscaler: "present",
          }),
      },
    ],
  },
});
