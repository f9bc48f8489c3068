import { findInstance } from "@capstan/catalog";
import { gpuPool } from "../../pool/declare.ts";
import { mig } from "../../pool/sharing.ts";
import { poolRule } from "../rule.ts";
import { g6, size } from "./examples.ts";

/** NODE-06 */
export const gpuImage = poolRule({
  id: "pool.ami.no-driver",
  severity: "error",
  reason: "The image has no driver for the instance's GPU, so NVML finds none and GPU pods wait for ever.",
  reference: "EKS user guide ml-eks-optimized-ami; awslabs/amazon-eks-ami doc/usage/g7-ami.md",
  check: (pool) => {
    if (pool.kind !== "gpu" || !pool.managed || pool.ami.family === "ubuntu") return [];
    const family = pool.ami.family;
    const without = pool.instanceTypes.filter((type) => !findInstance(type)?.gpuAmiFamilies.includes(family));
    return without.length > 0
      ? [
          {
            at: "amiFamily",
            message: `no ${family} image of EKS drives the GPU of ${without.join(", ")}`,
            remedy: 'use another type, or amiFamily: "ubuntu" with an amiId whose driver fits',
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "G7", declare: () => gpuPool({ name: "g7", instanceType: "g7.2xlarge", size }), at: "amiFamily" }],
    good: [
      { title: "G6", declare: () => g6({}) },
      { title: "Bottlerocket", declare: () => g6({ amiFamily: "bottlerocket", amiRelease: "1.34.0-1" }) },
    ],
  },
});

export const ubuntuNeedsAmi = poolRule({
  id: "pool.ami.id-needed",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Managed node groups have no Ubuntu image by name, and looking one up would make previews differ from day to day.",
  reference: "EKS CreateNodegroup amiType",
  check: (pool) => {
    if (pool.managed && pool.ami.family === "ubuntu" && pool.ami.id === null)
      return [
        {
          at: "amiId",
          message: "amiFamily ubuntu without amiId",
          remedy: "give the id of the Ubuntu EKS image for your region",
        },
      ];
    if (pool.ami.family !== "ubuntu" && pool.ami.id !== null)
      return [
        {
          at: "amiId",
          message: `amiId is for ubuntu; ${pool.ami.family} is chosen by amiRelease`,
          remedy: "remove amiId",
        },
      ];
    return [];
  },
  examples: {
    bad: [
      { title: "missing", declare: () => g6({ amiFamily: "ubuntu" }), at: "amiId" },
      { title: "not used", declare: () => g6({ amiId: "ami-0123456789abcdef0" }), at: "amiId" },
    ],
    good: [{ title: "given", declare: () => g6({ amiFamily: "ubuntu", amiId: "ami-0123456789abcdef0" }) }],
  },
});

/** NODE-11 */
export const unpinnedImage = poolRule({
  id: "pool.ami.unpinned",
  severity: "warning",
  reason:
    "Without a release EKS takes the newest image at creation and again when it is updated: nodes differ, and a driver change arrives unseen.",
  reference: "EKS CreateNodegroup releaseVersion; case NODE-11",
  check: (pool, context) =>
    pool.managed && pool.ami.family !== "ubuntu" && pool.ami.release === null
      ? [
          {
            at: "amiRelease",
            message: `no release of ${pool.ami.type} for Kubernetes ${context.kubernetes} is in the catalog`,
            remedy: "give amiRelease, as aws eks describe-nodegroup shows it",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "Bottlerocket", declare: () => g6({ amiFamily: "bottlerocket" }), at: "amiRelease" }],
    good: [
      { title: "catalog's", declare: () => g6({}) },
      { title: "given", declare: () => g6({ amiFamily: "bottlerocket", amiRelease: "1.34.0-abcd" }) },
    ],
  },
});

export const migRebootOnAmpere = poolRule({
  id: "gpu.mig.needs-reboot",
  severity: "info",
  reason:
    "An A100 changes MIG mode only through a reset, in a virtual machine a reboot, so a new node is ready minutes later.",
  reference: "NVIDIA GPU Operator documentation, MIG: WITH_REBOOT",
  check: (pool) =>
    pool.sharing.kind === "mig" && pool.gpu?.model.startsWith("a100")
      ? [
          {
            at: "sharing",
            message: `nodes with ${pool.gpu.model} reboot once before their slices are there`,
            remedy: "keep min above 0, or allow for it in cold starts",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "A100",
        declare: () => gpuPool({ name: "a100", instanceType: "p4d.24xlarge", size, sharing: mig("1g.5gb") }),
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
