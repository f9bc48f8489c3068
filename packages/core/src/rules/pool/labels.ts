import { eks } from "@capstan/catalog";
import {
  ACCELERATOR_LABEL,
  DEVICE_PLUGIN_CONFIG_LABEL,
  GPU_TAINT,
  LABEL_VALUE,
  MIG_CONFIG_LABEL,
  POOL_LABEL,
} from "../../labels.ts";
import { existingPool } from "../../pool/declare.ts";
import { poolRule } from "../rule.ts";
import { g6, size } from "./examples.ts";

/** The domains that the kubelet may not label itself in, and EKS's own. */
const RESERVED_DOMAIN = /(^|\.)(kubernetes\.io|k8s\.io|eks\.amazonaws\.com)$/;
/** The two inside of them that are free. */
const FREE_DOMAIN = /(^|\.)(node|kubelet)\.kubernetes\.io$/;
/** In a free domain, and set by the node itself. */
const SET_BY_NODE = ["node.kubernetes.io/instance-type"];
const TAINT_OR_LABEL_KEY = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** NODE-22 */
export const untaintedGpu = poolRule({
  id: "pool.gpu.untainted",
  severity: "warning",
  reason: "Without a taint ordinary pods fill CPU and memory of GPU nodes, and GPU pods wait for room.",
  reference: "NVIDIA GPU Operator and Karpenter documentation: taint nvidia.com/gpu",
  check: (pool) =>
    pool.kind === "gpu" &&
    pool.managed &&
    !pool.taints.some((t) => t.key === GPU_TAINT || t.effect !== "PreferNoSchedule")
      ? [
          {
            at: "untainted",
            message: "nothing keeps ordinary pods off these GPU nodes",
            remedy: "remove untainted, or give a taint of your own",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "asked for", declare: () => g6({ untainted: true }), at: "untainted" }],
    good: [
      { title: "default", declare: () => g6({}) },
      {
        title: "own taint",
        declare: () => g6({ untainted: true, taints: [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }] }),
      },
    ],
  },
});

export const reservedKeys = poolRule({
  id: "pool.label.reserved",
  severity: "error",
  reason:
    "These labels select nodes and drive device plugin, MIG Manager and autoscaler; a second value would contradict the pool.",
  reference: "packages/core/src/labels.ts",
  check: (pool) => {
    const own = new Set<string>([POOL_LABEL, MIG_CONFIG_LABEL, DEVICE_PLUGIN_CONFIG_LABEL, ACCELERATOR_LABEL]);
    return Object.entries(pool.givenLabels)
      .filter(([key]) => own.has(key))
      .map(([key]) => ({
        at: `labels.${key}`,
        message: `${key} is set by the pool itself`,
        remedy: "remove it; the pool's name, sharing and instance type decide it",
      }));
  },
  examples: {
    bad: [
      {
        title: "pool label",
        declare: () => g6({ labels: { "capstan.dev/pool": "other" } }),
        at: "labels.capstan.dev/pool",
      },
      {
        title: "MIG config",
        declare: () => g6({ labels: { "nvidia.com/mig.config": "all-1g.10gb" } }),
        at: "labels.nvidia.com/mig.config",
      },
    ],
    good: [{ title: "own label", declare: () => g6({ labels: { "example.com/tier": "a" } }) }],
  },
});

export const reservedDomain = poolRule({
  id: "pool.label.reserved-domain",
  severity: "error",
  acknowledgeable: false,
  reason:
    "EKS refuses a group with labels of its own domain, and a kubelet that is told to set others of Kubernetes does not start, so no node joins.",
  reference: "Kubernetes NodeRestriction admission; kubelet --node-labels; EKS CreateNodegroup labels",
  check: (pool) =>
    Object.keys(pool.givenLabels)
      .filter((key) => {
        const domain = key.includes("/") ? key.slice(0, key.indexOf("/")) : "";
        return SET_BY_NODE.includes(key) || (RESERVED_DOMAIN.test(domain) && !FREE_DOMAIN.test(domain));
      })
      .map((key) => ({
        at: `labels.${key}`,
        message: `${key} is in a domain that belongs to Kubernetes or EKS`,
        remedy: "use a domain of your own, or node.kubernetes.io",
      })),
  examples: {
    bad: [
      "eks.amazonaws.com/nodegroup",
      "kubernetes.io/hostname",
      "node-role.kubernetes.io/worker",
      "app.kubernetes.io/name",
      "topology.kubernetes.io/zone",
      "node.k8s.io/capacity-type",
      "k8s.io/tier",
      "node.kubernetes.io/instance-type",
    ].map((key) => ({ title: key, declare: () => g6({ labels: { [key]: "a" } }), at: `labels.${key}` })),
    good: [
      "node.kubernetes.io/tier",
      "gpu.node.kubernetes.io/tier",
      "kubelet.kubernetes.io/tier",
      "example.com/kubernetes.io",
      "mykubernetes.io/tier",
      "k8s.amazonaws.com/tier",
      "tier",
    ].map((key) => ({ title: key, declare: () => g6({ labels: { [key]: "a" } }) })),
  },
});

export const labelSyntax = poolRule({
  id: "pool.label.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The kubelet does not register with a label or taint that the API server refuses, so the node never joins.",
  reference: "Kubernetes labels and selectors, syntax; EKS managed node group limits",
  check: (pool) => {
    const hits = [];
    const { labels, taints } = eks().nodeGroupLimits;
    for (const [key, value] of Object.entries(pool.givenLabels)) {
      if (!TAINT_OR_LABEL_KEY.test(key))
        hits.push({
          at: `labels.${key}`,
          message: `"${key}" is not a label key`,
          remedy: "write prefix/name with letters, digits, dashes, dots",
        });
      if (!LABEL_VALUE.test(value))
        hits.push({
          at: `labels.${key}`,
          message: `"${value}" is not a label value: at most 63 letters, digits, dashes, dots, underscores`,
          remedy: "shorten it or replace the other characters",
        });
    }
    for (const [index, taint] of pool.taints.entries()) {
      if (!TAINT_OR_LABEL_KEY.test(taint.key) || !LABEL_VALUE.test(taint.value))
        hits.push({
          at: `taints.${index}`,
          message: `taint ${taint.key}=${taint.value} is not valid`,
          remedy: "write key and value like a label's",
        });
    }
    const twice = pool.taints.map((t) => `${t.key}:${t.effect}`).filter((id, i, all) => all.indexOf(id) !== i);
    for (const id of new Set(twice))
      hits.push({
        at: "taints",
        message: `taint ${id} is given twice`,
        remedy: "keep one; the pool brings its own taint",
      });
    if (Object.keys(pool.labels).length > labels)
      hits.push({
        at: "labels",
        message: `${Object.keys(pool.labels).length} labels; EKS takes ${labels}`,
        remedy: "remove some",
      });
    if (pool.taints.length > taints)
      hits.push({ at: "taints", message: `${pool.taints.length} taints; EKS takes ${taints}`, remedy: "remove some" });
    return hits;
  },
  examples: {
    bad: [
      { title: "key", declare: () => g6({ labels: { "not a key": "x" } }), at: "labels.not a key" },
      { title: "value", declare: () => g6({ labels: { tier: "has space" } }), at: "labels.tier" },
      {
        title: "taint twice",
        declare: () => g6({ taints: [{ key: "nvidia.com/gpu", value: "yes", effect: "NoSchedule" }] }),
        at: "taints",
      },
    ],
    good: [{ title: "prefixed", declare: () => g6({ labels: { "example.com/cost-centre": "a.1" } }) }],
  },
});

export const existingNeedsSelector = poolRule({
  id: "pool.selector.empty",
  severity: "error",
  acknowledgeable: false,
  reason: "An empty selector matches every node of the cluster, so pods land anywhere.",
  reference: "Kubernetes assigning pods to nodes",
  check: (pool) =>
    Object.keys(pool.nodeSelector).length === 0
      ? [
          {
            at: "nodeSelector",
            message: "no label selects these nodes",
            remedy: "give the labels that only these nodes have",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "empty",
        declare: () => existingPool({ name: "x", instanceType: "g6.xlarge", nodeSelector: {}, size }),
        at: "nodeSelector",
      },
    ],
    good: [
      {
        title: "label",
        declare: () => existingPool({ name: "x", instanceType: "g6.xlarge", nodeSelector: { pool: "x" }, size }),
      },
    ],
  },
});
