import { findInstance } from "@capstan/catalog";
import { gpuPool } from "../../pool/declare.ts";
import { poolRule } from "../rule.ts";
import { c7i, g6, size } from "./examples.ts";

const SMALLEST_GPU_ROOT_GIB = 100;

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
