import type { ResolvedPool } from "../../pool/resolved.ts";
import type { ResolvedService } from "../../service/resolved.ts";

export interface PodGroup {
  readonly service: ResolvedService;
  readonly replicas: number;
}

interface Node {
  cpuMillis: number;
  memoryMib: number;
  ephemeralGib: number;
  pods: number;
  /** vCPUs left on each NUMA node, under the static CPU manager. */
  numa: number[];
  slots: Map<string, number>;
}

interface Need {
  readonly cpuMillis: number;
  readonly memoryMib: number;
  readonly ephemeralGib: number;
  readonly vcpus: number;
  readonly resource: string | null;
  readonly count: number;
}

/**
 * Nodes of a pool that hold these pods: first fit, largest pods first, as the scheduler packs in the best case.
 *
 * @param limit stop counting here: a mistyped number of replicas is for the rules to name, not to fill memory with
 */
export function nodesFor(pool: ResolvedPool, groups: readonly PodGroup[], limit = Number.POSITIVE_INFINITY): number {
  const nodes: Node[] = [];
  const sorted = [...groups].sort((a, b) => size(pool, b) - size(pool, a));
  for (const { service, replicas } of sorted) {
    const need = needOf(service);
    if (podsThatFit(pool, emptyNode(pool), need) === 0) continue;
    let left = replicas;
    for (const node of nodes) {
      if (left === 0) break;
      left -= take(pool, node, need, left);
    }
    while (left > 0) {
      if (nodes.length >= limit) return limit;
      const node = emptyNode(pool);
      left -= take(pool, node, need, left);
      nodes.push(node);
    }
  }
  return nodes.length;
}

/** Pods of a service on an empty node of its pool; 0: it never fits. */
export function podsPerNode(service: ResolvedService): number {
  return podsThatFit(service.pool, emptyNode(service.pool), needOf(service));
}

/** Largest part of a node that one pod takes, of all that it asks for. */
export function nodeShare(service: ResolvedService): number {
  return Math.min(1, size(service.pool, { service, replicas: 1 }));
}

function size(pool: ResolvedPool, group: PodGroup): number {
  const need = needOf(group.service);
  const slots = pool.slots.find((s) => s.resource === need.resource)?.slotsPerNode ?? 0;
  return Math.max(
    need.cpuMillis / Math.max(1, pool.allocatable.cpuMillis),
    need.memoryMib / Math.max(1, pool.allocatable.memoryMib),
    need.ephemeralGib / Math.max(1, pool.allocatable.ephemeralGib),
    need.count === 0 || slots === 0 ? 0 : need.count / slots,
  );
}

function needOf(service: ResolvedService): Need {
  const { cpus, memoryMib, ephemeralGib, accelerator } = service.resources;
  return {
    cpuMillis: cpus * 1000,
    memoryMib,
    ephemeralGib,
    vcpus: service.kind === "onnx" && service.pinned ? cpus : 0,
    resource: accelerator?.resource ?? null,
    count: accelerator?.count ?? 0,
  };
}

function emptyNode(pool: ResolvedPool): Node {
  return {
    cpuMillis: pool.allocatable.cpuMillis,
    memoryMib: pool.allocatable.memoryMib,
    ephemeralGib: pool.allocatable.ephemeralGib,
    pods: pool.allocatable.pods,
    numa: pool.cpu.manager === "static" ? [...pool.cpu.vcpusPerNuma] : [],
    slots: new Map(pool.slots.map((s) => [s.resource, s.slotsPerNode])),
  };
}

function podsThatFit(pool: ResolvedPool, node: Node, need: Need): number {
  let fit = Math.min(
    node.pods,
    Math.floor(node.cpuMillis / need.cpuMillis),
    Math.floor(node.memoryMib / need.memoryMib),
    Math.floor(node.ephemeralGib / need.ephemeralGib),
  );
  if (need.resource !== null) fit = Math.min(fit, Math.floor((node.slots.get(need.resource) ?? 0) / need.count));
  if (need.vcpus > 0 && pool.cpu.manager === "static") fit = Math.min(fit, pinnedFit(node, need.vcpus));
  return Math.max(0, Number.isFinite(fit) ? fit : 0);
}

/** Exclusive cores of one pod come from one NUMA node where they can; a larger pod takes whole NUMA nodes. */
function pinnedFit(node: Node, vcpus: number): number {
  const within = node.numa.reduce((sum, left) => sum + Math.floor(left / vcpus), 0);
  return within > 0 ? within : Math.floor(node.numa.reduce((a, b) => a + b, 0) / vcpus);
}

function take(pool: ResolvedPool, node: Node, need: Need, wanted: number): number {
  const count = Math.min(wanted, podsThatFit(pool, node, need));
  if (count === 0) return 0;
  node.cpuMillis -= count * need.cpuMillis;
  node.memoryMib -= count * need.memoryMib;
  node.ephemeralGib -= count * need.ephemeralGib;
  node.pods -= count;
  if (need.resource !== null) node.slots.set(need.resource, (node.slots.get(need.resource) ?? 0) - count * need.count);
  if (need.vcpus > 0) for (let i = 0; i < count; i++) takePinned(node, need.vcpus);
  return count;
}

function takePinned(node: Node, vcpus: number): void {
  const best = node.numa.findIndex((left) => left >= vcpus);
  if (best >= 0) {
    node.numa[best] = (node.numa[best] ?? 0) - vcpus;
    return;
  }
  let left = vcpus;
  for (const [i, free] of node.numa.entries()) {
    const used = Math.min(free, left);
    node.numa[i] = free - used;
    left -= used;
  }
}
