import type { ResolvedPool, ResolvedService } from "@capstan/core";

/**
 * What the scheduler counts of a node and of a pod, written down once more and packed by trial: the planner's own
 * packing is what is tested with it.
 */
type Room = Readonly<Record<string, number>>;

export function roomOfNode(pool: ResolvedPool): Room {
  return {
    cpuMillis: pool.allocatable.cpuMillis,
    memoryMib: pool.allocatable.memoryMib,
    ephemeralGib: pool.allocatable.ephemeralGib,
    pods: pool.allocatable.pods,
    // Of a static pool the kubelet hands out these alone.
    exclusiveVcpus:
      pool.cpu.manager === "static" ? pool.cpu.vcpusPerNuma.reduce((sum, n) => sum + n, 0) : Number.POSITIVE_INFINITY,
    ...Object.fromEntries(pool.slots.map(({ resource, slotsPerNode }) => [resource, slotsPerNode])),
  };
}

export function needOfPod({ resources }: ResolvedService): Room {
  return {
    cpuMillis: resources.cpus * 1000,
    memoryMib: resources.memoryMib,
    ephemeralGib: resources.ephemeralGib,
    pods: 1,
    exclusiveVcpus: resources.cpus,
    ...(resources.accelerator ? { [resources.accelerator.resource]: resources.accelerator.count } : {}),
  };
}

/**
 * Pods of one kind on one empty node, put there one after the other. The plan leaves cores unused that a pod would have to
 * take from two NUMA nodes, although the kubelet would give them.
 */
export function podsOnNode(pool: ResolvedPool, need: Room): number {
  const numa = pool.cpu.manager === "static" ? pool.cpu.vcpusPerNuma : [];
  const vcpus = need.exclusiveVcpus ?? 0;
  const within = numa.reduce((sum, free) => sum + Math.floor(free / vcpus), 0);
  let left = roomOfNode(pool);
  for (let pods = 0; within === 0 || pods < within; pods++) {
    const next = minus(left, need);
    if (next === null) return pods;
    left = next;
  }
  return within;
}

/** True where somebody can put all pods on that many nodes: largest first by each of the measures, then any way at all. */
export function fitsOn(nodes: number, node: Room, pods: readonly Room[]): boolean {
  const measures = [
    ...Object.keys(node).map((key) => (pod: Room) => share(node, pod, key)),
    (pod: Room) => largestShare(node, pod),
  ];
  const empty = Array.from({ length: nodes }, () => node);
  return (
    measures.some((measure) =>
      firstFit(
        empty,
        [...pods].sort((a, b) => measure(b) - measure(a)),
      ),
    ) || search(empty, pods, 0, { left: 20_000 })
  );
}

function firstFit(nodes: readonly Room[], pods: readonly Room[]): boolean {
  const left = [...nodes];
  return pods.every((pod) => {
    const index = left.findIndex((room) => minus(room, pod) !== null);
    const room = left[index];
    if (room !== undefined) left[index] = minus(room, pod) ?? room;
    return room !== undefined;
  });
}

/** Depth first over all places of each pod; gives up after so many steps. */
function search(nodes: readonly Room[], pods: readonly Room[], index: number, steps: { left: number }): boolean {
  const pod = pods[index];
  if (pod === undefined) return true;
  const tried = new Set<string>();
  for (const [i, room] of nodes.entries()) {
    const rest = minus(room, pod);
    const key = JSON.stringify(room);
    // Nodes with the same room are the same place.
    if (rest === null || tried.has(key) || steps.left-- <= 0) continue;
    tried.add(key);
    if (search(nodes.with(i, rest), pods, index + 1, steps)) return true;
  }
  return false;
}

function minus(room: Room, need: Room): Room | null {
  const left: Record<string, number> = { ...room };
  for (const [key, asked] of Object.entries(need)) {
    const rest = (room[key] ?? 0) - asked;
    if (rest < 0) return null;
    left[key] = rest;
  }
  return left;
}

function share(node: Room, pod: Room, key: string): number {
  const all = node[key] ?? 0;
  return Number.isFinite(all) && all > 0 ? (pod[key] ?? 0) / all : 0;
}

function largestShare(node: Room, pod: Room): number {
  return Math.max(...Object.keys(node).map((key) => share(node, pod, key)));
}
