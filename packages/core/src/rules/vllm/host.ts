import { GIB } from "../../plan/memory/units.ts";
import { gpuPool } from "../../pool/declare.ts";
import { timeSlicing } from "../../pool/sharing.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { engineGib, loadingGib } from "../../service/vllm-host.ts";
import { vllmRule } from "../rule.ts";
import {
  h100Slices,
  LLAMA_1B,
  LLAMA_70B,
  l4Halves,
  l40s,
  l40sFour,
  llama1bShared,
  llama8b,
} from "./example-services.ts";
import { given, hasWholeCounts, isWhole } from "./subject.ts";

const MIB_PER_GIB = 1024;
/** API server and engine core. */
const ENGINE_VCPUS = 2;

const size = { min: 0, max: 2 };
const smallL4 = gpuPool({ name: "l4-small", instanceType: "g6.xlarge", size });
const smallL4Halves = gpuPool({ name: "l4-small-shared", instanceType: "g6.xlarge", size, sharing: timeSlicing(2) });
const smallRoot = gpuPool({ name: "l40s-root", instanceType: "g6e.4xlarge", size, rootVolumeGib: 120 });

interface Need {
  /** Property that changes it. */
  readonly at: string;
  readonly name: string;
  readonly asked: number;
  readonly free: number;
  readonly unit: string;
}

/** What a pod asks of a node's host, beside what serving pods can get there. */
function needs(service: ResolvedVllm): Need[] {
  const { resources, pool } = service;
  return [
    { at: "cpus", name: "CPU", asked: resources.cpus, free: pool.allocatable.cpuMillis / 1000, unit: "vCPUs" },
    {
      at: "memoryGib",
      name: "memory",
      asked: resources.memoryMib / MIB_PER_GIB,
      free: pool.allocatable.memoryMib / MIB_PER_GIB,
      unit: "GiB",
    },
    { at: "pool", name: "disk", asked: resources.ephemeralGib, free: pool.allocatable.ephemeralGib, unit: "GiB" },
  ];
}

function figure(value: number): string {
  return String(Number(value.toFixed(1)));
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function amount(need: Need): string {
  return need.unit === "vCPUs" ? `${figure(need.asked)} vCPUs` : `${figure(need.asked)} ${need.unit} of ${need.name}`;
}

export const largerThanNode = vllmRule({
  id: "vllm.host.larger-than-node",
  severity: "error",
  acknowledgeable: false,
  reason:
    "A pod that asks for more than any node of its pool has free stays pending, and the autoscaler starts nothing for it.",
  reference: "Kubernetes scheduling; kubelet reserve of nodeadm",
  check: (service) =>
    needs(service)
      .filter((need) => need.asked > need.free)
      .map((need) => ({
        at: need.at,
        message: `the pod asks for ${amount(need)}, ${service.pool.instanceTypes[0]} has ${figure(need.free)} for pods`,
        remedy: given(service, need.at)
          ? `use ${Math.floor(need.free)} or less, or a larger instance type`
          : need.at === "pool"
            ? 'use localStorage: "raid0", a larger rootVolumeGib, or nvmeCache(...)'
            : `take a larger instance type, or set ${need.at}`,
      })),
  examples: {
    bad: [
      { title: "8B on 16 GiB of host memory", declare: () => llama8b({ pool: smallL4 }), at: "memoryGib" },
      { title: "all vCPUs of the type", declare: () => llama8b({ cpus: 8 }), at: "cpus" },
      { title: "more memory than the type", declare: () => llama8b({ memoryGib: 64 }), at: "memoryGib" },
      {
        title: "70B downloaded to a small root volume",
        declare: () => llama8b({ model: LLAMA_70B, pool: smallRoot }),
        at: "pool",
      },
    ],
    good: [
      { title: "derived", declare: () => llama8b({}) },
      { title: "four GPUs", declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4 }) },
    ],
  },
});

export const strandedSlots = vllmRule({
  id: "vllm.host.slots-stranded",
  severity: "error",
  reason:
    "GPUs and slices are shared out by count, CPU and memory by size: where the host runs out first, the rest of the GPUs is paid for and never used.",
  reference: "Kubernetes scheduling; DESIGN section 6: two vLLM pods do not fit a g6.xlarge",
  check: (service) => {
    const { slot, gpus, pool } = service;
    const pods = Math.floor(slot.slotsPerNode / gpus);
    if (!hasWholeCounts(service) || pods < 2) return [];
    return needs(service).flatMap((need) => {
      const fit = Math.floor(need.free / need.asked);
      if (!(need.asked > 0) || fit >= pods || fit < 1) return [];
      return [
        {
          at: need.at,
          message: `a node has GPUs for ${pods} such pods and ${need.name} for ${fit}: ${pods} x ${figure(need.asked)} ${need.unit}, ${pool.instanceTypes[0]} has ${figure(need.free)} for pods`,
          remedy: given(service, need.at)
            ? `use ${figure(Math.floor((need.free / pods) * 10) / 10)} or less`
            : "take a larger instance type, fewer pods a GPU, or a smaller model",
        },
      ];
    });
  },
  examples: {
    bad: [
      {
        title: "two pods on a g6.xlarge",
        declare: () => llama8b({ model: LLAMA_1B, pool: smallL4Halves }),
        at: "cpus",
      },
      {
        title: "half a node's cores for one of four GPUs",
        declare: () => llama8b({ pool: l40sFour, cpus: 24 }),
        at: "cpus",
      },
      { title: "half its memory", declare: () => llama8b({ pool: l40sFour, memoryGib: 180 }), at: "memoryGib" },
    ],
    good: [
      { title: "two pods on a g6.2xlarge", declare: () => llama1bShared({}) },
      { title: "all GPUs in one pod", declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4, cpus: 40 }) },
      { title: "seven slices", declare: () => llama8b({ model: LLAMA_1B, pool: h100Slices }) },
    ],
  },
});

export const fewCpus = vllmRule({
  id: "vllm.cpus.few",
  severity: "warning",
  reason:
    "API server, engine core and one worker a GPU poll without pause; on fewer vCPUs they take turns, and the GPU waits.",
  reference: "facts/serving.md A4",
  check: (service) => {
    const { cpus } = service.resources;
    const least = ENGINE_VCPUS + service.gpus;
    if (!hasWholeCounts(service) || !isWhole(cpus) || cpus >= least) return [];
    return [
      {
        at: "cpus",
        message: `${count(cpus, "vCPU")} for ${count(service.gpus, "GPU")}; the engine polls on ${least}`,
        remedy: given(service, "cpus")
          ? `use ${least} or more`
          : "take an instance type with more vCPUs, or fewer pods a GPU",
      },
    ];
  },
  examples: {
    bad: [
      { title: "asked for", declare: () => llama8b({ cpus: 1 }), at: "cpus" },
      {
        title: "four GPUs on four",
        declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4, cpus: 4 }),
        at: "cpus",
      },
      { title: "seven slices on sixteen", declare: () => llama8b({ model: LLAMA_1B, pool: h100Slices }), at: "cpus" },
    ],
    good: [
      { title: "derived", declare: () => llama8b({}) },
      { title: "two on eight", declare: () => llama1bShared({ pool: l4Halves }) },
    ],
  },
});

/** FIT-09 */
export const memoryTooSmall = vllmRule({
  id: "vllm.memory.too-small",
  severity: "error",
  reason: "Python, CUDA and /dev/shm alone take more than the limit: the container is killed (137) while it loads.",
  reference: "facts/serving.md A4; case FIT-09",
  check: (service) => {
    const memoryGib = service.resources.memoryMib / MIB_PER_GIB;
    const least = engineGib(service.gpus);
    if (!given(service, "memoryGib") || !hasWholeCounts(service) || memoryGib >= least) return [];
    return [
      {
        at: "memoryGib",
        message: `${figure(memoryGib)} GiB is under the ${least} GiB that the engine and /dev/shm take for ${count(service.gpus, "GPU")}`,
        remedy: `leave it out, or use ${recommended(service)}`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "70B on four GPUs with 8 GiB",
        declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4, memoryGib: 8 }),
        at: "memoryGib",
      },
      { title: "a small model with 4 GiB", declare: () => llama8b({ model: LLAMA_1B, memoryGib: 4 }), at: "memoryGib" },
    ],
    good: [{ title: "derived", declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4 }) }],
  },
});

/** FIT-09 */
export const memoryTight = vllmRule({
  id: "vllm.memory.tight",
  severity: "warning",
  reason:
    "Weights pass through host memory a shard at a time; below that the page cache is thrown away while it is read, and loading crawls.",
  reference: "facts/serving.md A4; case FIT-09",
  check: (service) => {
    const memoryGib = service.resources.memoryMib / MIB_PER_GIB;
    if (!given(service, "memoryGib") || !hasWholeCounts(service) || memoryGib < engineGib(service.gpus)) return [];
    return memoryGib < recommended(service)
      ? [
          {
            at: "memoryGib",
            message: `${figure(memoryGib)} GiB holds no shard of ${service.model.id} beside the engine; ${recommended(service)} GiB does`,
            remedy: `leave it out, or use ${recommended(service)}`,
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "8B in 12 GiB", declare: () => llama8b({ memoryGib: 12 }), at: "memoryGib" }],
    good: [{ title: "a shard and the engine", declare: () => llama8b({ memoryGib: 24, pool: l40s }) }],
  },
});

function recommended(service: ResolvedVllm): number {
  return Math.ceil(loadingGib((service.model.weightsBytes ?? 0) / GIB, service.gpus));
}
