import { findGpu } from "@capstan/catalog";
import { existingPool, gpuPool } from "../../pool/declare.ts";
import { migLayoutFits } from "../../pool/mig-layout.ts";
import type { GpuPoolProps, Pool } from "../../pool/props.ts";
import { mig, mps, timeSlicing } from "../../pool/sharing.ts";
import { poolRule } from "../rule.ts";

const size = { min: 0, max: 2 };

/** A pool as it may come from a file: past the compiler, which refuses MIG on a GPU without it. */
function unchecked(props: Omit<GpuPoolProps, "sharing"> & { readonly sharing: unknown }): Pool {
  return gpuPool(props as GpuPoolProps);
}

/** MIG-01 */
export const migUnsupported = poolRule({
  id: "gpu.mig.unsupported",
  severity: "error",
  acknowledgeable: false,
  reason: "MIG is a property of the chip, not of the compute capability: L4, L40S, A10G and T4 have none.",
  reference: "NVIDIA MIG User Guide, Supported MIG Profiles",
  check: (pool) =>
    pool.sharing.kind === "mig" && pool.gpu && !findGpu(pool.gpu.model)?.mig
      ? [
          {
            at: "sharing",
            message: `the ${pool.gpu.model} of ${pool.instanceTypes[0]} has no MIG`,
            remedy:
              "share it with timeSlicing(n) or mps(n), or take a type with H100, H200, A100 or B200 such as p5.4xlarge",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "L4",
        declare: () => unchecked({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mig("1g.10gb") }),
        at: "sharing",
      },
      {
        title: "T4",
        declare: () => unchecked({ name: "t4", instanceType: "g4dn.xlarge", size, sharing: mig("1g.10gb") }),
        at: "sharing",
      },
      {
        title: "nodes of others",
        declare: () =>
          existingPool({
            name: "a10g",
            instanceType: "g5.xlarge",
            nodeSelector: { pool: "a10g" },
            size,
            sharing: mig("1g.10gb"),
          }),
        at: "sharing",
      },
    ],
    good: [
      {
        title: "H100",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") }),
      },
    ],
  },
});

/** MIG-02 */
export const migProfileUnknown = poolRule({
  id: "gpu.mig.profile-unknown",
  severity: "error",
  acknowledgeable: false,
  reason: "Profile names carry the memory of one slice, so every GPU model has its own.",
  reference: "NVIDIA MIG User Guide, Supported MIG Profiles",
  check: (pool) => {
    const table = pool.gpu && findGpu(pool.gpu.model)?.mig;
    if (pool.sharing.kind !== "mig" || !table) return [];
    const known = table.profiles.map((p) => p.profile as string);
    return Object.keys(pool.sharing.layout)
      .filter((profile) => !known.includes(profile))
      .map((profile) => ({
        at: "sharing.layout",
        message: `${pool.gpu?.model} has no MIG profile ${profile}; it has ${known.join(", ")}`,
        remedy: `use one of them, for example mig("${known[0]}")`,
      }));
  },
  examples: {
    bad: [
      {
        title: "H100 name on an H200",
        declare: () => unchecked({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.10gb") }),
        at: "sharing.layout",
      },
      {
        title: "a profile that exists nowhere",
        declare: () =>
          unchecked({
            name: "h100",
            instanceType: "p5.4xlarge",
            size,
            sharing: { kind: "mig", layout: "8g.80gb", strategy: "mixed" },
          }),
        at: "sharing.layout",
      },
    ],
    good: [
      {
        title: "H200",
        declare: () => gpuPool({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.18gb") }),
      },
    ],
  },
});

export const migLayoutImpossible = poolRule({
  id: "gpu.mig.layout-impossible",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Instances start at fixed memory slices; a set that overlaps or needs more compute slices than there are cannot be made.",
  reference: "NVIDIA MIG User Guide, Partitioning; nvidia-smi mig -lgipp",
  check: (pool) => {
    const table = pool.gpu && findGpu(pool.gpu.model)?.mig;
    if (pool.sharing.kind !== "mig" || !table) return [];
    const { layout } = pool.sharing;
    const known = new Set(table.profiles.map((p) => p.profile as string));
    if (Object.keys(layout).some((profile) => !known.has(profile)) || migLayoutFits(table, layout)) return [];
    const shown =
      Object.entries(layout)
        .map(([profile, count]) => `${count} x ${profile}`)
        .join(" + ") || "an empty layout";
    return [
      {
        at: "sharing.layout",
        message: `${shown} does not fit one ${pool.gpu?.model}: ${table.computeSlices} compute and ${table.memorySlices} memory slices, each instance at its own places`,
        remedy: `take fewer or smaller instances; alone fit ${table.profiles.map((p) => `${p.maxInstances} x ${p.profile}`).join(", ")}`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "too many slices",
        declare: () =>
          unchecked({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "3g.40gb": 2, "1g.10gb": 1 }) }),
        at: "sharing.layout",
      },
      {
        title: "empty",
        declare: () => unchecked({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({}) }),
        at: "sharing.layout",
      },
      {
        title: "negative",
        declare: () => unchecked({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "1g.10gb": -1 }) }),
        at: "sharing.layout",
      },
      {
        title: "two with media extensions",
        declare: () => unchecked({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "1g.10gb+me": 2 }) }),
        at: "sharing.layout",
      },
    ],
    good: [
      {
        title: "3g + 4 x 1g",
        declare: () =>
          gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }) }),
      },
      {
        title: "balanced",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.4xlarge",
            size,
            sharing: mig({ "1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1 }),
          }),
      },
    ],
  },
});

/** MIG-04 */
export const migSingleMixedLayout = poolRule({
  id: "gpu.mig.single-needs-one-profile",
  severity: "error",
  acknowledgeable: false,
  reason: "With strategy single a node with two profiles advertises no GPU at all and is labelled MIG-INVALID.",
  reference: "NVIDIA/k8s-device-plugin internal/lm/mig-strategy.go",
  check: (pool) =>
    pool.sharing.kind === "mig" &&
    pool.sharing.strategy === "single" &&
    Object.values(pool.sharing.layout).filter((n) => n > 0).length > 1
      ? [
          {
            at: "sharing.strategy",
            message: `strategy single with ${Object.keys(pool.sharing.layout).join(" and ")} on one GPU`,
            remedy: 'use strategy "mixed", or one profile',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "two profiles",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.4xlarge",
            size,
            sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }, { strategy: "single" }),
          }),
        at: "sharing.strategy",
      },
    ],
    good: [
      {
        title: "one profile",
        declare: () =>
          gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb", { strategy: "single" }) }),
      },
    ],
  },
});

export const migOnBottlerocketMixed = poolRule({
  id: "gpu.mig.bottlerocket-layout",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Bottlerocket partitions by one setting for all GPUs of the node, so a layout of several profiles cannot be asked for.",
  reference: "bottlerocket.dev settings.kubelet-device-plugins",
  check: (pool) =>
    pool.ami.family === "bottlerocket" && pool.sharing.kind === "mig" && Object.keys(pool.sharing.layout).length > 1
      ? [
          {
            at: "sharing.layout",
            message: `Bottlerocket takes one MIG profile, got ${Object.keys(pool.sharing.layout).join(", ")}`,
            remedy: 'use one profile, or amiFamily: "al2023"',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "layout",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            amiFamily: "bottlerocket",
            size,
            sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }),
          }),
        at: "sharing.layout",
      },
    ],
    good: [
      {
        title: "one profile",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            amiFamily: "bottlerocket",
            size,
            sharing: mig("1g.10gb"),
          }),
      },
    ],
  },
});

/** Device plugin: replicas of 1 are refused at start, and more than a card can hold is a typo. */
export const sharingReplicas = poolRule({
  id: "gpu.sharing.replicas",
  severity: "error",
  acknowledgeable: false,
  reason: "The device plugin refuses fewer than two replicas; MPS knows at most 48 clients a GPU.",
  reference: "NVIDIA/k8s-device-plugin api/config/v1/replicas.go; CUDA MPS documentation",
  check: (pool) => {
    if (pool.sharing.kind !== "time-slicing" && pool.sharing.kind !== "mps") return [];
    const { replicas } = pool.sharing;
    return Number.isInteger(replicas) && replicas >= 2 && replicas <= 48
      ? []
      : [
          {
            at: "sharing.replicas",
            message: `${replicas} replicas of a GPU; valid are whole numbers from 2 to 48`,
            remedy: replicas === 1 ? "leave sharing out for whole GPUs" : "use a number from 2 to 48",
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "one",
        declare: () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(1) }),
        at: "sharing.replicas",
      },
      {
        title: "zero with MPS",
        declare: () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mps(0) }),
        at: "sharing.replicas",
      },
      {
        title: "hundreds",
        declare: () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(400) }),
        at: "sharing.replicas",
      },
    ],
    good: [
      {
        title: "two",
        declare: () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) }),
      },
    ],
  },
});

export const fractionalGpuSharing = poolRule({
  id: "gpu.fractional.unsupported",
  severity: "error",
  acknowledgeable: false,
  reason:
    "EC2 reports no whole GPU for g6f and gr6f, so neither the autoscaler nor this library knows what the node will advertise.",
  reference: "EC2 DescribeInstanceTypes, GpuInfo of g6f",
  check: (pool) =>
    pool.gpu !== null && pool.gpu.perNode < 1
      ? [
          {
            at: "instanceType",
            message: `${pool.instanceTypes[0]} has a fraction of a GPU: no nvidia.com/gpu is known for it`,
            remedy: "take a whole L4 (g6.xlarge) and share it with timeSlicing(n)",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "g6f", declare: () => gpuPool({ name: "f", instanceType: "g6f.xlarge", size }), at: "instanceType" },
    ],
    good: [{ title: "g6", declare: () => gpuPool({ name: "l4", instanceType: "g6.xlarge", size }) }],
  },
});
