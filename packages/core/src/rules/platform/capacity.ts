import { nvmeCache } from "../../cache/props.ts";
import { s3 } from "../../model/source.ts";
import { type PodGroup, nodesFor, podsPerNode } from "../../plan/nodes/pack.ts";
import type { ResolvedPlatform } from "../../platform/resolved.ts";
import { gpuPool } from "../../pool/declare.ts";
import type { ResolvedPool } from "../../pool/resolved.ts";
import { mps } from "../../pool/sharing.ts";
import { fixed, onCpu, onQueue } from "../../scaling/props.ts";
import type { ResolvedService, ResolvedVllm } from "../../service/resolved.ts";
import { count, gib } from "../numbers.ts";
import { platformRule } from "../rule.ts";
import { amx, cachedLlama, declared, llama, phi, raid, sharedL4, small } from "./examples.ts";

type Unchecked = Omit<ResolvedPlatform, "findings">;

/** EKS has room for no more; larger numbers have rules of their own and would only take time to pack. */
const MOST_NODES = 10_000;

function servicesByPool({ services }: Unchecked): Map<string, ResolvedService[]> {
  const byPool = new Map<string, ResolvedService[]>();
  for (const service of services) {
    const group = byPool.get(service.pool.name);
    if (group) group.push(service);
    else byPool.set(service.pool.name, [service]);
  }
  return byPool;
}

/** Nodes for so many replicas of each service; null where one alone does not fit, or the numbers are absurd. */
function nodesNeeded(pool: ResolvedPool, services: readonly ResolvedService[], replicas: (service: ResolvedService) => number): number | null {
  const groups: PodGroup[] = services.map((service) => ({ service, replicas: replicas(service) }));
  if (pool.size.max > MOST_NODES) return null;
  for (const group of groups) {
    // One service that is too many for the pool has a rule of its own, which names it.
    const most = podsPerNode(group.service) * pool.size.max;
    if (!Number.isInteger(group.replicas) || group.replicas < 0 || most === 0 || group.replicas > most) return null;
  }
  return nodesFor(pool, alike(groups));
}

/** One group of all pods that ask for the same: packing them apart gives the same nodes and takes much longer. */
function alike(groups: readonly PodGroup[]): PodGroup[] {
  const byNeed = new Map<string, { service: ResolvedService; replicas: number }>();
  for (const { service, replicas } of groups) {
    const { cpus, memoryMib, accelerator } = service.resources;
    const pinned = service.kind === "onnx" && service.pinned;
    const need = [cpus, memoryMib, accelerator?.resource, accelerator?.count, pinned].join();
    const group = byNeed.get(need);
    if (group) group.replicas += replicas;
    else byNeed.set(need, { service, replicas });
  }
  return [...byNeed.values()];
}

function list(services: readonly ResolvedService[], replicas: (service: ResolvedService) => number): string {
  const shown = services.filter((s) => replicas(s) > 0).map((s) => `${replicas(s)} x ${s.name}`);
  return shown.length > 6 ? `${shown.slice(0, 6).join(", ")} and ${shown.length - 6} more` : shown.join(", ");
}

/** facts/platform.md 16.18 */
export const minimumTooLarge = platformRule({
  id: "platform.capacity.min",
  severity: "error",
  reason: "The replicas that always run need more nodes than the pool may have, so some of them wait for ever.",
  reference: "Kubernetes scheduling; EKS managed node groups, maxSize",
  check: (platform) => {
    const byPool = servicesByPool(platform);
    return platform.pools.flatMap((pool) => {
      const services = byPool.get(pool.name) ?? [];
      const nodes = nodesNeeded(pool, services, (s) => s.scaling.min);
      return nodes !== null && nodes > pool.size.max
        ? [
            {
              at: `pools.${pool.name}.size.max`,
              message: `${list(services, (s) => s.scaling.min)} need ${count(nodes, "node")} of ${pool.instanceTypes[0]}; pool ${pool.name} has at most ${pool.size.max}`,
              remedy: `raise size.max to ${nodes}, or lower the replicas`,
            },
          ]
        : [];
    });
  },
  examples: {
    bad: [
      { title: "six GPUs of four", declare: () => declared({ services: [llama({ scaling: fixed(3) }), llama({ name: "b", scaling: fixed(3) })] }), at: "pools.l40s.size.max" },
      // Two pods of 14 vCPUs a node: five nodes.
      { title: "cores", declare: () => declared({ pools: [amx], services: [phi({ scaling: fixed(5) }), phi({ name: "b", scaling: fixed(5) })] }), at: "pools.amx.size.max" },
      {
        title: "memory of the host: 40 GiB a pod, one on a node of 64 GiB although its GPU has two shares",
        declare: () => declared({ pools: [sharedL4], services: [small({ memoryGib: 40, scaling: fixed(2) }), small({ name: "b", memoryGib: 40, scaling: fixed(2) })] }),
        at: "pools.l4.size.max",
      },
    ],
    good: [
      { title: "four of four", declare: () => declared({ services: [llama({ scaling: fixed(2) }), llama({ name: "b", scaling: fixed(2) })] }) },
      { title: "eight pods on four nodes", declare: () => declared({ pools: [amx], services: [phi({ scaling: fixed(4) }), phi({ name: "b", scaling: fixed(4) })] }) },
    ],
  },
});

export const peakTooLarge = platformRule({
  id: "platform.capacity.peak",
  severity: "warning",
  reason: "Not all services can be at their largest together: whoever scales last finds no node.",
  reference: "cluster-autoscaler FAQ: max size of a node group",
  check: (platform) => {
    const byPool = servicesByPool(platform);
    return platform.pools.flatMap((pool) => {
      const services = byPool.get(pool.name) ?? [];
      if (services.length < 2) return [];
      const least = nodesNeeded(pool, services, (s) => s.scaling.min);
      const nodes = nodesNeeded(pool, services, (s) => s.scaling.max);
      return least !== null && least <= pool.size.max && nodes !== null && nodes > pool.size.max
        ? [
            {
              at: `pools.${pool.name}.size.max`,
              message: `at their largest, ${list(services, (s) => s.scaling.max)} need ${count(nodes, "node")}; pool ${pool.name} has at most ${pool.size.max}`,
              remedy: `raise size.max to ${nodes}, lower the services' max, or acknowledge that they do not peak together`,
            },
          ]
        : [];
    });
  },
  examples: {
    bad: [
      { title: "eight GPUs of four", declare: () => declared({ services: [llama({ scaling: onQueue({ min: 1, max: 4 }) }), llama({ name: "b", scaling: onQueue({ min: 1, max: 4 }) })] }), at: "pools.l40s.size.max" },
      { title: "cores", declare: () => declared({ pools: [amx], services: [phi({ scaling: onCpu({ min: 1, max: 8 }) }), phi({ name: "b", scaling: onCpu({ min: 1, max: 2 }) })] }), at: "pools.amx.size.max" },
    ],
    good: [{ title: "four of four", declare: () => declared({ services: [llama({ scaling: onQueue({ min: 1, max: 2 }) }), llama({ name: "b", scaling: onQueue({ min: 1, max: 2 }) })] }) }],
  },
});

/** MPS knows no more clients of one card; a larger number of replicas has a rule of its own. */
const MOST_CLIENTS = 48;
/** What the engines of one card may claim together; the rest is contexts, graphs and fragments. */
const CARD_SHARE = 0.9;
const ROUNDING = 1e-6;

/** Part of the card that one pod takes: its fixed KV cache with all that is beside it, or what it may claim. */
function cardShare(service: ResolvedVllm): number {
  const { memory, kvCacheBytes, slot } = service;
  if (kvCacheBytes === null || !memory?.supported || slot.deviceMemoryGib === null) return service.gpuMemoryUtilization;
  const { weightsGib, activationGib, nonTorchGib, samplerTablesGib, cudaGraphGib } = memory.memory;
  return (weightsGib + activationGib + nonTorchGib + samplerTablesGib + cudaGraphGib + kvCacheBytes / 2 ** 30) / slot.deviceMemoryGib;
}

/** SHARE-09 */
export const sharedCardFull = platformRule({
  id: "gpu.shared.sum",
  severity: "error",
  reason: "Nothing divides the memory of a shared GPU: pods that claim more than it has together make the last one die, or all of them.",
  reference: "NVIDIA device plugin, Shared Access to GPUs; case SHARE-09",
  check: (platform) => {
    const byPool = servicesByPool(platform);
    return platform.pools.flatMap((pool) => {
      if (pool.sharing.kind !== "time-slicing" && pool.sharing.kind !== "mps") return [];
      // The scheduler does not know memory, so the largest may meet on one card.
      const largest = (byPool.get(pool.name) ?? [])
        .filter((service): service is ResolvedVllm => service.kind === "vllm")
        .flatMap((service) => Array.from({ length: Math.max(0, Math.min(service.scaling.max, service.slot.sharedBy, MOST_CLIENTS)) }, () => ({ service, share: cardShare(service) })))
        .sort((a, b) => b.share - a.share)
        .slice(0, pool.sharing.replicas);
      const sum = largest.reduce((total, { share }) => total + share, 0);
      const names = new Set(largest.map(({ service }) => service.name));
      if (names.size < 2 || sum <= CARD_SHARE + ROUNDING) return [];
      return [
        {
          at: `pools.${pool.name}.sharing`,
          message: `${largest.map(({ service, share }) => `${service.name} ${share.toFixed(2)}`).join(" + ")} of one ${pool.gpu?.model} are ${sum.toFixed(2)}; together they may take ${CARD_SHARE}`,
          remedy: "leave gpuMemoryUtilization and kvCacheGib out, or lower them so that the largest that can meet stay under it",
        },
      ];
    });
  },
  examples: {
    bad: [
      { title: "0.5 and 0.6", declare: () => declared({ pools: [sharedL4], services: [small({ gpuMemoryUtilization: 0.5 }), small({ name: "b", gpuMemoryUtilization: 0.6 })] }), at: "pools.l4.sharing" },
      {
        title: "MPS",
        declare: () => {
          const pool = gpuPool({ name: "l4-mps", instanceType: "g6.4xlarge", size: { min: 0, max: 2 }, sharing: mps(2) });
          return declared({ pools: [pool], services: [small({ pool, gpuMemoryUtilization: 0.6 }), small({ name: "b", pool, gpuMemoryUtilization: 0.45 })] });
        },
        at: "pools.l4-mps.sharing",
      },
      { title: "by a fixed KV cache", declare: () => declared({ pools: [sharedL4], services: [small({ kvCacheGib: 14 }), small({ name: "b" })] }), at: "pools.l4.sharing" },
    ],
    good: [
      { title: "derived", declare: () => declared({ pools: [sharedL4], services: [small(), small({ name: "b" })] }) },
      { title: "unequal parts", declare: () => declared({ pools: [sharedL4], services: [small({ gpuMemoryUtilization: 0.5 }), small({ name: "b", gpuMemoryUtilization: 0.35 })] }) },
      {
        title: "three on cards for two: any two fit",
        declare: () => declared({ pools: [sharedL4], services: ["a", "b", "c"].map((name) => small({ name })) }),
      },
    ],
  },
});

/** Room for a file that is replaced while the old one is still there, and for what the file system keeps. */
const CACHE_MARGIN = 1.2;
const GIB = 2 ** 30;

/** facts/platform.md 16.24 */
export const cacheTooSmall = platformRule({
  id: "cache.too-small",
  severity: "error",
  reason: "The models of a pool lie together on every node's NVMe, beside images and logs; a full disk evicts the pods that serve from it.",
  reference: "awslabs/amazon-eks-ami nodeadm localStorage; kubelet eviction at 10 % free",
  check: ({ preloaders }) =>
    preloaders.flatMap(({ pool, models }) => {
      const bytes = models.reduce((sum, model) => sum + (model.bytes ?? 0), 0);
      const needed = (bytes / GIB) * CACHE_MARGIN;
      if (pool.nvmeGib === 0 || needed <= pool.nvmeGib) return [];
      const unknown = models.filter((model) => model.bytes === null).length;
      return [
        {
          at: `pools.${pool.name}.localStorage`,
          message: `${count(models.length, "model")} of ${gib(bytes / GIB)}${unknown > 0 ? ` (${unknown} of unknown size not counted)` : ""} need ${gib(needed)} with a fifth to spare; a ${pool.instanceTypes[0]} has ${gib(pool.nvmeGib)}`,
          remedy: "take a type with more instance store, or split the services over two pools",
        },
      ];
    }),
  examples: {
    // 2 x 112 GiB, 268 GiB with a fifth to spare.
    bad: [{ title: "two large models on 233 GiB", declare: () => declared({ pools: [raid], services: [large("a"), large("b")] }), at: "pools.raid.localStorage" }],
    good: [
      { title: "one of them, served twice", declare: () => declared({ pools: [raid], services: [large("a"), large("b", "a")] }) },
      { title: "small ones", declare: () => declared({ pools: [raid], services: [cachedLlama()] }) },
    ],
  },
});

function large(name: string, weights = name) {
  return cachedLlama({ name, cache: nvmeCache({ source: s3(`models/${weights}`, { bytes: 120_000_000_000 }) }) });
}
