import { eks, findInstance } from "@capstan/catalog";
import {
  ACCELERATOR_LABEL,
  DEVICE_PLUGIN_CONFIG_LABEL,
  DNS_LABEL,
  GPU_TAINT,
  LABEL_VALUE,
  MIG_CONFIG_LABEL,
  POOL_LABEL,
} from "../../labels.ts";
import { capacityBlock } from "../../pool/capacity.ts";
import { cpuPool, existingPool, gpuPool } from "../../pool/declare.ts";
import type { CpuPoolProps, GpuPoolProps } from "../../pool/props.ts";
import { mig } from "../../pool/sharing.ts";
import { poolRule } from "../rule.ts";

const size = { min: 0, max: 2 };
const g6 = (props: Partial<GpuPoolProps<"g6.2xlarge">>) =>
  gpuPool<"g6.2xlarge">({ name: "l4", instanceType: "g6.2xlarge", size, ...props });
const c7i = (props: Partial<CpuPoolProps>) => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, ...props });

const LONGEST_POOL_NAME = 40;
const SMALLEST_GPU_ROOT_GIB = 100;
/** AWS's default quota "Nodes per managed node group", which can be raised; recalled from the EKS user guide, not read. */
const NODES_PER_GROUP_QUOTA = 450;

export const poolName = poolRule({
  id: "pool.name.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The name becomes a label value and part of resource names, which AWS and Kubernetes cut or refuse.",
  reference: "Kubernetes object names and IDs; IAM role name limit of 64",
  check: (pool) =>
    DNS_LABEL.test(pool.name) && pool.name.length <= LONGEST_POOL_NAME
      ? []
      : [
          {
            at: "name",
            message: `"${pool.name}" is not a name of at most ${LONGEST_POOL_NAME} lower-case letters, digits and dashes`,
            remedy: "write it like l40s or h100-mig",
          },
        ],
  examples: {
    bad: [
      { title: "upper case", declare: () => g6({ name: "L4" }), at: "name" },
      { title: "underscore", declare: () => c7i({ name: "amx_pool" }), at: "name" },
      { title: "empty", declare: () => c7i({ name: "" }), at: "name" },
      { title: "too long", declare: () => g6({ name: "a".repeat(41) }), at: "name" },
    ],
    good: [{ title: "plain", declare: () => g6({ name: "l4-spot" }) }],
  },
});

export const poolSize = poolRule({
  id: "pool.size.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "EKS refuses a size outside min <= desired <= max, and ignoring desired hides it until apply.",
  reference: "EKS CreateNodegroup scalingConfig; cloudposse/terraform-aws-eks-node-group#12",
  check: ({ size: { min, max, desired } }) => {
    if (min < 0) return [{ at: "size.min", message: `min ${min} is negative`, remedy: "use 0 or more" }];
    if (max < 1)
      return [{ at: "size.max", message: `max ${max} allows no node`, remedy: "use 1 or more, or remove the pool" }];
    if (min > max)
      return [{ at: "size", message: `min ${min} is above max ${max}`, remedy: `raise max to ${min} or lower min` }];
    if (desired < min || desired > max)
      return [
        {
          at: "size.desired",
          message: `desired ${desired} is outside ${min} to ${max}`,
          remedy: "leave desired out, or choose a number inside",
        },
      ];
    return [];
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => g6({ size: { min: 3, max: 2 } }), at: "size" },
      { title: "negative", declare: () => g6({ size: { min: -1, max: 2 } }), at: "size.min" },
      { title: "no node", declare: () => c7i({ size: { min: 0, max: 0 } }), at: "size.max" },
      { title: "desired outside", declare: () => c7i({ size: { min: 1, max: 2, desired: 5 } }), at: "size.desired" },
    ],
    good: [{ title: "from zero", declare: () => g6({ size: { min: 0, max: 4 } }) }],
  },
});

export const aboveQuota = poolRule({
  id: "pool.size.above-quota",
  severity: "warning",
  reason: "EKS refuses a node group above the account's quota of nodes per managed node group, 450 until it is raised.",
  reference: "EKS user guide, service quotas: nodes per managed node group",
  check: ({ managed, size: { max } }) =>
    managed && max > NODES_PER_GROUP_QUOTA
      ? [
          {
            at: "size.max",
            message: `max ${max} is above ${NODES_PER_GROUP_QUOTA}, the default quota of nodes in one group`,
            remedy: `lower max to ${NODES_PER_GROUP_QUOTA} or declare a second pool, or have the quota raised first`,
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "GPU", declare: () => g6({ size: { min: 0, max: 451 } }), at: "size.max" },
      { title: "CPU", declare: () => c7i({ size: { min: 0, max: 1000 } }), at: "size.max" },
    ],
    good: [
      { title: "as many as the quota allows", declare: () => g6({ size: { min: 0, max: 450 } }) },
      {
        title: "nodes that are there",
        declare: () =>
          existingPool({
            name: "x",
            instanceType: "g6.xlarge",
            nodeSelector: { pool: "x" },
            size: { min: 0, max: 600 },
          }),
      },
    ],
  },
});

export const repeatedType = poolRule({
  id: "pool.instance-type.repeated",
  severity: "error",
  acknowledgeable: false,
  reason: "A type that is named twice adds no capacity; most often another was meant.",
  reference: "EKS CreateNodegroup instanceTypes",
  check: (pool) => {
    const twice = pool.instanceTypes.filter((type, i, all) => all.indexOf(type) !== i);
    return [...new Set(twice)].map((type) => ({
      at: pool.kind === "gpu" ? "alternativeInstanceTypes" : "instanceTypes",
      message: `${type} is named more than once`,
      remedy: "remove it, or write the type that was meant",
    }));
  },
  examples: {
    bad: [
      {
        title: "the first again",
        declare: () => g6({ alternativeInstanceTypes: ["g6.2xlarge"] }),
        at: "alternativeInstanceTypes",
      },
      {
        title: "an alternative twice",
        declare: () => g6({ alternativeInstanceTypes: ["g6.4xlarge", "g6.4xlarge"] }),
        at: "alternativeInstanceTypes",
      },
      {
        title: "CPU",
        declare: () => c7i({ instanceTypes: ["c7i.8xlarge", "m7i.8xlarge", "c7i.8xlarge"] }),
        at: "instanceTypes",
      },
    ],
    good: [{ title: "each once", declare: () => c7i({ instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"] }) }],
  },
});

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

/** The domains that the kubelet may not label itself in, and EKS's own. */
const RESERVED_DOMAIN = /(^|\.)(kubernetes\.io|k8s\.io|eks\.amazonaws\.com)$/;
/** The two inside of them that are free. */
const FREE_DOMAIN = /(^|\.)(node|kubelet)\.kubernetes\.io$/;
/** In a free domain, and set by the node itself. */
const SET_BY_NODE = ["node.kubernetes.io/instance-type"];

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

const TAINT_OR_LABEL_KEY = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

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

/** CACHE-05 */
export const raidWithoutDisks = poolRule({
  id: "pool.local-storage.no-disks",
  severity: "error",
  acknowledgeable: false,
  reason: "A type without instance store has no array to build; the cache would land on the root volume.",
  reference: "EC2 instance types, instance store; awslabs/amazon-eks-ami nodeadm localStorage",
  check: (pool) => {
    if (pool.localStorage !== "raid0") return [];
    const without = pool.instanceTypes.filter((type) => !findInstance(type)?.localNvme);
    return without.length === 0
      ? []
      : [
          {
            at: "localStorage",
            message: `${without.join(", ")} ${without.length === 1 ? "has" : "have"} no instance store`,
            remedy: "leave localStorage out, or take types with NVMe (g6, g6e, p5)",
          },
        ];
  },
  examples: {
    bad: [{ title: "c7i", declare: () => c7i({ localStorage: "raid0" }), at: "localStorage" }],
    good: [{ title: "g6", declare: () => g6({ localStorage: "raid0" }) }],
  },
});

/** NODE-12 */
export const smallRoot = poolRule({
  id: "pool.root-volume.too-small",
  severity: "error",
  reason: "A vLLM image is 20 GiB unpacked and is there twice during an upgrade; a full root volume evicts every pod.",
  reference: "Docker Hub sizes of vllm/vllm-openai; kubelet nodefs eviction at 10 %",
  check: (pool) => {
    const least = pool.kind === "gpu" && pool.localStorage === "none" ? SMALLEST_GPU_ROOT_GIB : 20;
    return pool.rootVolumeGib < least
      ? [
          {
            at: "rootVolumeGib",
            message: `${pool.rootVolumeGib} GiB is under the ${least} GiB that images and logs need`,
            remedy: `use ${least} or more`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "GPU without NVMe", declare: () => g6({ rootVolumeGib: 20 }), at: "rootVolumeGib" },
      { title: "CPU", declare: () => c7i({ rootVolumeGib: 8 }), at: "rootVolumeGib" },
    ],
    good: [{ title: "default", declare: () => g6({}) }],
  },
});

/** NODE-13 */
export const spotSingleType = poolRule({
  id: "pool.spot.single-type",
  severity: "warning",
  reason: "One instance type is one capacity pool: when it is reclaimed, all nodes go together.",
  reference: "EC2 Spot best practices: be flexible about instance types",
  check: (pool) =>
    pool.managed && pool.capacity.kind === "spot" && pool.instanceTypes.length === 1
      ? [
          {
            at: "capacity",
            message: `spot with ${pool.instanceTypes[0]} alone`,
            remedy:
              pool.kind === "gpu" ? "add alternativeInstanceTypes with the same GPU" : "add further instanceTypes",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "GPU", declare: () => g6({ capacity: "spot" }), at: "capacity" },
      { title: "CPU", declare: () => c7i({ capacity: "spot" }), at: "capacity" },
    ],
    good: [
      { title: "two types", declare: () => c7i({ capacity: "spot", instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"] }) },
      { title: "on-demand", declare: () => g6({}) },
    ],
  },
});

/** NODE-14 */
export const reservationId = poolRule({
  id: "pool.reservation.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Capacity type, market type and reservation id must agree, or EKS makes the group without the reservation.",
  reference: "EKS user guide, Capacity Blocks for ML",
  check: (pool) => {
    const { kind, reservationId: id } = pool.capacity;
    if (id === null) return [];
    if (!/^cr-[0-9a-f]{8,17}$/.test(id))
      return [
        {
          at: "capacity.reservationId",
          message: `"${id}" is not a capacity reservation id`,
          remedy: "give the id as EC2 shows it, cr- and 17 hex digits",
        },
      ];
    if (kind === "capacity-block" && pool.instanceTypes.length > 1)
      return [
        {
          at: "alternativeInstanceTypes",
          message: "a capacity block is sold for one instance type",
          remedy: "remove the alternatives",
        },
      ];
    return [];
  },
  examples: {
    bad: [
      {
        title: "empty",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: capacityBlock("") }),
        at: "capacity.reservationId",
      },
      {
        title: "something else's id",
        declare: () =>
          gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: capacityBlock("i-0123456789abcdef0") }),
        at: "capacity.reservationId",
      },
    ],
    good: [
      {
        title: "id",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            zones: ["us-east-1a"],
            capacity: capacityBlock("cr-0123456789abcdef0"),
          }),
      },
    ],
  },
});

export const blockNeedsOneZone = poolRule({
  id: "pool.zones.one-needed",
  severity: "error",
  reason: "A reservation and an EFA placement group live in one zone; nodes in another are refused or cannot talk.",
  reference: "EKS user guide, Capacity Blocks and EFA; EC2 cluster placement groups",
  check: (pool) => {
    const why = pool.efaInterfaces > 0 ? "EFA" : pool.capacity.kind === "capacity-block" ? "a capacity block" : null;
    return why !== null && pool.managed && pool.zones !== null && pool.zones.length !== 1
      ? [
          {
            at: "zones",
            message: `${why} needs one zone, got ${pool.zones.length === 0 ? "none" : pool.zones.join(", ")}`,
            remedy: 'name the one zone, for example zones: ["us-east-1a"]',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "EFA over three",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            efa: true,
            zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
          }),
        at: "zones",
      },
      {
        title: "block over two",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            zones: ["us-east-1a", "us-east-1b"],
            capacity: capacityBlock("cr-0123456789abcdef0"),
          }),
        at: "zones",
      },
    ],
    good: [
      {
        title: "one",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, efa: true, zones: ["us-east-1a"] }),
      },
    ],
  },
});

export const scarceOnDemand = poolRule({
  id: "pool.capacity.scarce",
  severity: "warning",
  reason:
    "The large GPU types are practically sold as capacity blocks and reservations; on-demand requests wait for ever.",
  reference: "facts of the EC2 capacity documentation, 2026; case NODE-14",
  check: (pool) =>
    pool.managed &&
    pool.capacity.kind === "on-demand" &&
    /^(p5|p5e|p5en|p6-b200|p6-b300)\.48xlarge$/.test(pool.instanceTypes[0] ?? "")
      ? [
          {
            at: "capacity",
            message: `${pool.instanceTypes[0]} on-demand is rarely to be had`,
            remedy: "use capacityBlock(id) or reservation(id), or p5.4xlarge for single GPUs",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "p5.48xlarge",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size }),
        at: "capacity",
      },
    ],
    good: [{ title: "p5.4xlarge", declare: () => gpuPool({ name: "h100", instanceType: "p5.4xlarge", size }) }],
  },
});

/** NODE-17 */
export const efaUnsupported = poolRule({
  id: "pool.efa.unsupported",
  severity: "error",
  acknowledgeable: false,
  reason: "Only the largest types have EFA; a launch template that asks for it on another is refused.",
  reference: "EC2 DescribeInstanceTypes, NetworkInfo.EfaInfo",
  check: (pool) => {
    const without = pool.efaAsked
      ? pool.instanceTypes.filter((type) => (findInstance(type)?.efaInterfaces ?? 0) === 0)
      : [];
    return without.length > 0
      ? [
          {
            at: "efa",
            message: `${without.join(", ")} ${without.length === 1 ? "has" : "have"} no EFA`,
            remedy: "remove efa, or take p5.48xlarge, p5en.48xlarge or g6e.48xlarge",
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "g6", declare: () => g6({ efa: true, zones: ["us-east-1a"] }), at: "efa" }],
    good: [
      {
        title: "p5",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, efa: true, zones: ["us-east-1a"] }),
      },
    ],
  },
});

export const mixedGpus = poolRule({
  id: "pool.alternatives.differ",
  severity: "error",
  acknowledgeable: false,
  reason: "Slots, memory and fit are counted for one node shape; another GPU or number of GPUs makes all three wrong.",
  reference: "DESIGN section 2: one pool object is the contract",
  check: (pool) => {
    const [first] = pool.instanceTypes;
    const facts = findInstance(first ?? "");
    return pool.instanceTypes
      .slice(1)
      .map((type) => ({ type, other: findInstance(type) }))
      .filter(
        ({ other }) =>
          pool.kind === "gpu" &&
          (other?.gpu?.model !== facts?.gpu?.model ||
            other?.gpu?.count !== facts?.gpu?.count ||
            other?.arch !== facts?.arch),
      )
      .map(({ type, other }) => ({
        at: "alternativeInstanceTypes",
        message: `${type} has ${other?.gpu?.count ?? 0} x ${other?.gpu?.model ?? "no GPU"}, ${first} has ${facts?.gpu?.count} x ${facts?.gpu?.model}`,
        remedy: "take types with the same GPU and number, or declare a second pool",
      }));
  },
  examples: {
    bad: [
      {
        title: "other GPU",
        declare: () => g6({ alternativeInstanceTypes: ["g6e.2xlarge"] }),
        at: "alternativeInstanceTypes",
      },
      {
        title: "other number",
        declare: () => g6({ alternativeInstanceTypes: ["g6.12xlarge"] }),
        at: "alternativeInstanceTypes",
      },
    ],
    good: [{ title: "larger host", declare: () => g6({ alternativeInstanceTypes: ["g6.4xlarge"] }) }],
  },
});

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
