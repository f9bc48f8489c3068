import { nodesFor, type PodGroup, podsPerNode } from "../../plan/nodes/pack.ts";
import type { ResolvedPool } from "../../pool/resolved.ts";
import { fixed, onCpu, onQueue } from "../../scaling/props.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { count } from "../numbers.ts";
import { platformRule } from "../rule.ts";
import { amx, declared, llama, phi, sharedL4, small } from "./examples.ts";
import { servicesByPool } from "./subject.ts";

/** EKS has room for no more; larger numbers have rules of their own and would only take time to pack. */
const MOST_NODES = 10_000;

/** Nodes for so many replicas of each service; null where one alone does not fit, or the numbers are absurd. */
function nodesNeeded(
  pool: ResolvedPool,
  services: readonly ResolvedService[],
  replicas: (service: ResolvedService) => number,
): number | null {
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
      {
        title: "six GPUs of four",
        declare: () => declared({ services: [llama({ scaling: fixed(3) }), llama({ name: "b", scaling: fixed(3) })] }),
        at: "pools.l40s.size.max",
      },
      // Two pods of 14 vCPUs a node: five nodes.
      {
        title: "cores",
        declare: () =>
          declared({ pools: [amx], services: [phi({ scaling: fixed(5) }), phi({ name: "b", scaling: fixed(5) })] }),
        at: "pools.amx.size.max",
      },
      {
        title: "memory of the host: 40 GiB a pod, one on a node of 64 GiB although its GPU has two shares",
        declare: () =>
          declared({
            pools: [sharedL4],
            services: [
              small({ memoryGib: 40, scaling: fixed(2) }),
              small({ name: "b", memoryGib: 40, scaling: fixed(2) }),
            ],
          }),
        at: "pools.l4.size.max",
      },
    ],
    good: [
      {
        title: "four of four",
        declare: () => declared({ services: [llama({ scaling: fixed(2) }), llama({ name: "b", scaling: fixed(2) })] }),
      },
      {
        title: "eight pods on four nodes",
        declare: () =>
          declared({ pools: [amx], services: [phi({ scaling: fixed(4) }), phi({ name: "b", scaling: fixed(4) })] }),
      },
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
      {
        title: "eight GPUs of four",
        declare: () =>
          declared({
            services: [
              llama({ scaling: onQueue({ min: 1, max: 4 }) }),
              llama({ name: "b", scaling: onQueue({ min: 1, max: 4 }) }),
            ],
          }),
        at: "pools.l40s.size.max",
      },
      {
        title: "cores",
        declare: () =>
          declared({
            pools: [amx],
            services: [
              phi({ scaling: onCpu({ min: 1, max: 8 }) }),
              phi({ name: "b", scaling: onCpu({ min: 1, max: 2 }) }),
            ],
          }),
        at: "pools.amx.size.max",
      },
    ],
    good: [
      {
        title: "four of four",
        declare: () =>
          declared({
            services: [
              llama({ scaling: onQueue({ min: 1, max: 2 }) }),
              llama({ name: "b", scaling: onQueue({ min: 1, max: 2 }) }),
            ],
          }),
      },
    ],
  },
});
