import { existingPool, gpuPool } from "../../pool/declare.ts";
import type { ResolvedPool } from "../../pool/resolved.ts";
import { mig } from "../../pool/sharing.ts";
import { platformRule } from "../rule.ts";
import { amx, declared, l40s, llama, mpsL4, phi, sharedL4, slices, small } from "./examples.ts";
import type { Unchecked } from "./subject.ts";

const size = { min: 0, max: 2 };

const bottlerocket = gpuPool({
  name: "br",
  instanceType: "g6.2xlarge",
  amiFamily: "bottlerocket",
  amiRelease: "1.50.0-0a1b2c3d",
  size,
});

const ubuntu = gpuPool({
  name: "ubuntu",
  instanceType: "g6.2xlarge",
  amiFamily: "ubuntu",
  amiId: "ami-0123456789abcdef0",
  size,
});

const single = gpuPool({
  name: "single",
  instanceType: "p5.4xlarge",
  size,
  sharing: mig("1g.10gb", { strategy: "single" }),
});

const customLayout = gpuPool({
  name: "mixed",
  instanceType: "p5.4xlarge",
  size,
  sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }),
});

/** Pools whose GPUs the operator makes usable: ours, and not those of images that do it themselves. */
function operated({ pools }: Unchecked): readonly ResolvedPool[] {
  return pools.filter((pool) => pool.gpu !== null && pool.managed && pool.ami.family !== "bottlerocket");
}

function names(pools: readonly ResolvedPool[]): string {
  return pools.map((pool) => pool.name).join(", ");
}

/** SHARE-03 */
export const mixedDrivers = platformRule({
  id: "gpu.driver.mixed",
  severity: "error",
  acknowledgeable: false,
  reason:
    "One setting of the operator installs driver and toolkit on all nodes or on none: Ubuntu needs it on, and the images of EKS that carry both break under it.",
  reference: "NVIDIA GPU Operator, driver.enabled and toolkit.enabled; EKS ml-eks-optimized-ami",
  check: ({ pools, addons }) => {
    const ours = pools.filter((pool) => pool.gpu !== null && pool.managed);
    const without = ours.filter((pool) => pool.ami.family === "ubuntu");
    const carrying = ours.filter((pool) => pool.ami.family !== "ubuntu");
    return addons.gpuOperator === "install" && without.length > 0 && carrying.length > 0
      ? [
          {
            at: `pools.${without[0]?.name}.amiFamily`,
            message: `${names(without)} (ubuntu) need the operator's driver; ${carrying.map((pool) => `${pool.name} (${pool.ami.family})`).join(", ")} bring their own`,
            remedy: 'use one kind of image for all GPU pools, usually amiFamily: "al2023"',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "Ubuntu beside AL2023",
        declare: () => declared({ pools: [l40s, ubuntu], services: [llama()] }),
        at: "pools.ubuntu.amiFamily",
      },
    ],
    good: [
      { title: "AL2023 and Bottlerocket", declare: () => declared({ pools: [l40s, bottlerocket] }) },
      { title: "Ubuntu alone", declare: () => declared({ pools: [ubuntu], services: [] }) },
    ],
  },
});

/** facts/platform.md 1 and 16.3 */
export const migStrategies = platformRule({
  id: "gpu.mig.strategies-differ",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The strategy is one setting of the operator: under mixed, slices of a pool declared single are not called nvidia.com/gpu, and its pods find none.",
  reference: "NVIDIA GPU Operator, mig.strategy",
  check: (platform) => {
    const strategies = operated(platform).flatMap((pool) =>
      pool.sharing.kind === "mig" ? [{ pool, strategy: pool.sharing.strategy }] : [],
    );
    const other = strategies.find(({ strategy }) => strategy !== strategies[0]?.strategy);
    return other
      ? [
          {
            at: `pools.${other.pool.name}.sharing.strategy`,
            message: strategies.map(({ pool, strategy }) => `${pool.name} is ${strategy}`).join(", "),
            remedy: 'use strategy "mixed", the default, for all MIG pools',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "single beside mixed",
        declare: () => declared({ pools: [slices, single], services: [] }),
        at: "pools.single.sharing.strategy",
      },
    ],
    good: [
      { title: "both mixed", declare: () => declared({ pools: [slices, customLayout], services: [] }) },
      { title: "single alone", declare: () => declared({ pools: [single], services: [] }) },
    ],
  },
});

/** facts/platform.md 3 and 16.6 */
export const mpsBesideMig = platformRule({
  id: "gpu.mps.beside-mig",
  severity: "error",
  reason:
    "The device plugin runs MPS on whole GPUs only and refuses it under a MIG strategy, which is one setting for all nodes.",
  reference: "NVIDIA/k8s-device-plugin README, CUDA MPS; cmd/mps-control-daemon",
  check: (platform) => {
    const pools = operated(platform);
    const migPools = pools.filter((pool) => pool.sharing.kind === "mig");
    return migPools.length === 0
      ? []
      : pools
          .filter((pool) => pool.sharing.kind === "mps")
          .map((pool) => ({
            at: `pools.${pool.name}.sharing`,
            message: `MPS on pool ${pool.name} beside MIG on ${names(migPools)}`,
            remedy: "use timeSlicing(n) here, or put one of them into another cluster",
          }));
  },
  examples: {
    bad: [
      {
        title: "in one cluster",
        declare: () => declared({ pools: [slices, mpsL4], services: [] }),
        at: "pools.l4-mps.sharing",
      },
    ],
    good: [
      { title: "time-slicing beside MIG", declare: () => declared({ pools: [slices, sharedL4], services: [] }) },
      { title: "MPS alone", declare: () => declared({ pools: [mpsL4], services: [] }) },
    ],
  },
});

/** SHARE-04 */
export const bottlerocketPlugin = platformRule({
  id: "gpu.bottlerocket.own-plugin",
  severity: "info",
  reason:
    "Bottlerocket's NVIDIA images run a device plugin of their own and partition GPUs by their own settings; labels keep the operator's off those nodes.",
  reference: "bottlerocket.dev settings.kubelet-device-plugins",
  check: ({ pools, addons }) =>
    addons.gpuOperator === "none"
      ? []
      : pools
          .filter((pool) => pool.gpu !== null && pool.managed && pool.ami.family === "bottlerocket")
          .map((pool) => ({
            at: `pools.${pool.name}.amiFamily`,
            message: `GPUs of pool ${pool.name} are offered by Bottlerocket itself; of the operator only the exporter runs there`,
            remedy: "nothing to do; look for sharing and MIG settings in the node's user data",
          })),
  examples: {
    bad: [
      {
        title: "with the operator",
        declare: () => declared({ pools: [l40s, bottlerocket] }),
        at: "pools.br.amiFamily",
      },
    ],
    good: [{ title: "AL2023", declare: () => declared({}) }],
  },
});

export const operatorMissing = platformRule({
  id: "platform.gpu-operator.missing",
  severity: "error",
  reason:
    "The images of EKS for AL2023 and Ubuntu have no device plugin: without the operator no node offers a GPU, and every GPU pod waits for ever.",
  reference: "EKS user guide, ml-eks-optimized-ami; NVIDIA GPU Operator",
  check: (platform) => {
    const pools = operated(platform);
    return platform.addons.gpuOperator === "none" && pools.length > 0
      ? [
          {
            at: "gpuOperator",
            message: `gpuOperator is none, and nothing else makes the GPUs of ${names(pools)} usable`,
            remedy: 'leave gpuOperator out, or use "present" where the cluster has it',
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "switched off", declare: () => declared({ gpuOperator: "none" }), at: "gpuOperator" }],
    good: [
      { title: "default", declare: () => declared({}) },
      { title: "CPU only", declare: () => declared({ pools: [amx], services: [phi()], gpuOperator: "none" }) },
      {
        title: "Bottlerocket brings its own",
        declare: () => declared({ pools: [bottlerocket], services: [], gpuOperator: "none" }),
      },
      {
        title: "nodes of others",
        declare: () =>
          declared({
            pools: [existingPool({ name: "theirs", instanceType: "g6.4xlarge", nodeSelector: { pool: "gpu" }, size })],
            services: [],
            gpuOperator: "none",
          }),
      },
    ],
  },
});

/** SHARE-07, MIG-05 */
export const foreignOperator = platformRule({
  id: "platform.gpu-operator.foreign-config",
  severity: "warning",
  reason:
    "Nodes ask for their sharing or MIG layout by a name that only the operator's configuration gives a meaning; with one that others installed the name may lead nowhere.",
  reference: "NVIDIA GPU Operator, devicePlugin.config and migManager.config",
  check: (platform) =>
    platform.addons.gpuOperator === "present"
      ? operated(platform).flatMap((pool) => {
          const { sharing } = pool;
          const key =
            sharing.kind === "time-slicing" || sharing.kind === "mps"
              ? `key ${pool.name} in the device plugin's ConfigMap`
              : sharing.kind === "mig" && sharing.customConfig
                ? `layout ${sharing.configName} in MIG Manager's ConfigMap`
                : null;
          return key === null
            ? []
            : [
                {
                  at: `pools.${pool.name}.sharing`,
                  message: `pool ${pool.name} needs ${key} of the operator that is there`,
                  remedy: 'add it there, or let the platform bring the operator: gpuOperator: "install"',
                },
              ];
        })
      : [],
  examples: {
    bad: [
      {
        title: "time-slicing",
        declare: () => declared({ pools: [sharedL4], services: [small()], gpuOperator: "present" }),
        at: "pools.l4.sharing",
      },
      {
        title: "layout of one's own",
        declare: () => declared({ pools: [customLayout], services: [], gpuOperator: "present" }),
        at: "pools.mixed.sharing",
      },
    ],
    good: [
      {
        title: "a layout that MIG Manager has",
        declare: () => declared({ pools: [slices], services: [], gpuOperator: "present" }),
      },
      { title: "installed", declare: () => declared({ pools: [sharedL4], services: [small()] }) },
    ],
  },
});
