import type { ResolvedPool, SlotOffer } from "../pool/resolved.ts";
import type { OriginLog } from "../provenance.ts";
import type { ContainerResources, WritableDirectory } from "./resolved.ts";

/** vLLM's API server and engine core poll without pause; each further GPU adds a worker that does. */
const MOST_VCPUS_PER_GPU = 8;
const FEWEST_VCPUS = 2;
/** Python, CUDA context and pinned buffers of the engine. */
const BASE_GIB = 8;
/** Largest shard of a published checkpoint: most are cut at 5 GB, some at 10. */
const LARGEST_SHARD_GIB = 10;
/** Logs and the container's own layer. */
const SPARE_EPHEMERAL_GIB = 2;

/** `/dev/shm`: message queues of the workers and NCCL. It counts as memory of the container. */
function shmFor(gpus: number): number {
  return 1 + gpus;
}

/** What a start takes: the engine, a shard on its way to the GPU and `/dev/shm`. Less slows loading or kills it. */
export function loadingGib(weightsGib: number, gpus: number): number {
  return BASE_GIB + 1.2 * Math.min(weightsGib, LARGEST_SHARD_GIB) + usedShm(gpus);
}

/** What the engine itself takes before it reads a weight: with less it is killed whatever the model. */
export function engineGib(gpus: number): number {
  return BASE_GIB + usedShm(gpus);
}

/** One GPU's engine leaves /dev/shm empty; workers of several keep their queues in it. */
function usedShm(gpus: number): number {
  return gpus > 1 ? shmFor(gpus) : 0;
}

export interface HostInput {
  readonly pool: ResolvedPool;
  readonly slot: SlotOffer;
  readonly gpus: number;
  readonly cpus: number | undefined;
  readonly memoryGib: number | undefined;
  /** Weights as they are read from disk. */
  readonly weightsGib: number;
  readonly writable: readonly WritableDirectory[];
}

/** CPU, memory and disk of the container. Requests equal limits, and a node holds as many pods as it has slots where it can. */
export function vllmHost(input: HostInput, origins: OriginLog): ContainerResources {
  const { pool, slot } = input;
  // Fewer than one is a mistake that has a rule of its own; the pod is sized as if it had been one.
  const gpus = Math.max(1, input.gpus);
  const podsPerNode = Math.max(1, Math.floor(slot.slotsPerNode / gpus) + otherPods(pool, slot));
  const shmGib = shmFor(gpus);
  const cpus = origins.orDerived(
    "cpus",
    input.cpus,
    () => clamp(Math.floor(pool.allocatable.cpuMillis / 1000 / podsPerNode), FEWEST_VCPUS, MOST_VCPUS_PER_GPU * gpus),
    ["pool.allocatable", "gpus"],
    "the pod's share of the node's CPU, two to eight vCPUs for a GPU",
  );
  const memoryGib = origins.orDerived(
    "memoryGib",
    input.memoryGib,
    () => {
      const needed = loadingGib(input.weightsGib, gpus);
      const comfortable = BASE_GIB + input.weightsGib + shmGib;
      const share = Math.floor(pool.allocatable.memoryMib / 1024 / podsPerNode);
      return Math.ceil(Math.max(needed, Math.min(comfortable, share)));
    },
    ["model.weightsBytes", "gpus", "pool.allocatable"],
    "the engine, the largest shard and /dev/shm; the whole model in page cache where the node has room",
  );
  return {
    cpus,
    memoryMib: Math.round(memoryGib * 1024),
    ephemeralGib: Math.ceil(input.writable.reduce((sum, dir) => sum + dir.sizeGib, SPARE_EPHEMERAL_GIB)),
    accelerator: { resource: slot.resource, count: input.gpus },
    shmGib,
  };
}

/** Pods of the node's other resources: a mixed MIG layout offers several. */
function otherPods(pool: ResolvedPool, slot: SlotOffer): number {
  return pool.slots.filter((s) => s !== slot).reduce((sum, s) => sum + s.slotsPerNode, 0);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
