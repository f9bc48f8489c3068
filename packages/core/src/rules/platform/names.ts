import { gpuPool } from "../../pool/declare.ts";
import { platformRule } from "../rule.ts";
import { amx, cachedLlama, declared, l40s, llama, phi, raid, sharedL4, small } from "./examples.ts";

const otherL40s = gpuPool({ name: "l40s", instanceType: "g6e.4xlarge", size: { min: 0, max: 2 } });

/** What occurs more than once, each with all its holders. */
function repeated<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const group = byKey.get(key(item));
    if (group) group.push(item);
    else byKey.set(key(item), [item]);
  }
  return [...byKey].filter(([, group]) => group.length > 1);
}

export const duplicatePool = platformRule({
  id: "platform.pool.duplicate",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The name selects the nodes: pods of one pool would land on the other's, and both node groups would claim one set of resources.",
  reference: "packages/core/src/labels.ts, capstan.dev/pool",
  check: ({ pools }) =>
    repeated(pools, (pool) => pool.name).map(([name, group]) => ({
      at: `pools.${name}`,
      message: `${group.length} pools are called ${name} (${group.map((pool) => pool.instanceTypes[0]).join(", ")})`,
      remedy: "give each a name of its own",
    })),
  examples: {
    bad: [
      { title: "two shapes", declare: () => declared({ pools: [l40s, otherL40s] }), at: "pools.l40s" },
      { title: "the same twice", declare: () => declared({ pools: [l40s, l40s] }), at: "pools.l40s" },
    ],
    good: [{ title: "two names", declare: () => declared({ pools: [l40s, amx], services: [llama(), phi()] }) }],
  },
});

/** PUL-07: two services never match each other's pods. */
export const duplicateService = platformRule({
  id: "platform.service.duplicate",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Two services of one name in a namespace are one Deployment, whose model changes with whoever was deployed last.",
  reference: "Kubernetes object names and IDs",
  check: ({ services }) =>
    repeated(services, (s) => `${s.namespace}/${s.name}`).map(([name, group]) => ({
      at: `services.${group[0]?.name}`,
      message: `${group.length} services are called ${name} (${group.map((s) => s.model.id).join(", ")})`,
      remedy: "rename one, or give it another namespace",
    })),
  examples: {
    bad: [
      {
        title: "two models",
        declare: () => declared({ services: [llama(), llama({ model: "Qwen/Qwen2.5-1.5B-Instruct" })] }),
        at: "services.llama-8b",
      },
      {
        title: "two kinds",
        declare: () => declared({ pools: [l40s, amx], services: [llama(), phi({ name: "llama-8b", team: "search" })] }),
        at: "services.llama-8b",
      },
    ],
    good: [{ title: "two namespaces", declare: () => declared({ services: [llama(), llama({ team: "ads" })] }) }],
  },
});

export const volumeCollision = platformRule({
  id: "platform.volume.collision",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Volumes belong to the cluster: two of one name are one, bound to whichever claim came first, and the other service waits for ever.",
  reference: "Kubernetes persistent volumes",
  check: ({ services }) => {
    const owners = services.flatMap(({ cache, namespace, name }) =>
      cache?.kind === "nvme" ? [{ volume: cache.volumeName, name, owner: `${namespace}/${name}` }] : [],
    );
    return repeated(owners, ({ volume }) => volume)
      .filter(([, group]) => new Set(group.map(({ owner }) => owner)).size > 1)
      .map(([volume, group]) => ({
        at: `services.${group[1]?.name}`,
        message: `volume ${volume} is that of ${group.map(({ owner }) => owner).join(" and ")}`,
        remedy: "rename one of the services",
      }));
  },
  examples: {
    bad: [
      {
        title: "a-b/c and a/b-c",
        declare: () =>
          declared({
            pools: [raid],
            services: [cachedLlama({ name: "c", team: "a-b" }), cachedLlama({ name: "b-c", team: "a" })],
          }),
        at: "services.b-c",
      },
    ],
    good: [
      {
        title: "no dashes to move",
        declare: () => declared({ pools: [raid], services: [cachedLlama(), cachedLlama({ team: "ads" })] }),
      },
    ],
  },
});

export const unknownPool = platformRule({
  id: "platform.pool.not-declared",
  severity: "error",
  acknowledgeable: false,
  reason: "A pool that only a service names gets no node group, so its pods have no node.",
  reference: "DESIGN section 2: one pool object is the contract",
  check: ({ pools, services }) => {
    const names = new Set(pools.map((pool) => pool.name));
    return services
      .filter((service) => !names.has(service.pool.name))
      .map((service) => ({
        at: `services.${service.name}.pool`,
        message: `pool ${service.pool.name} is not among the platform's pools (${[...names].join(", ") || "none"})`,
        remedy: "add it to pools, or use one of them",
      }));
  },
  examples: {
    bad: [
      {
        title: "left out",
        declare: () => declared({ pools: [l40s], services: [llama(), phi()] }),
        at: "services.phi-3-mini.pool",
      },
      { title: "no pools", declare: () => declared({ pools: [] }), at: "services.llama-8b.pool" },
    ],
    good: [{ title: "there", declare: () => declared({}) }],
  },
});

export const otherPool = platformRule({
  id: "platform.pool.differs",
  severity: "error",
  acknowledgeable: false,
  reason: "The service was sized, priced and placed for a pool that is not the one the platform makes under that name.",
  reference: "DESIGN section 2: one pool object is the contract",
  check: ({ pools, services }) => {
    const byName = new Map(pools.map((pool) => [pool.name, pool]));
    const compared = new Map<object, boolean>();
    return services.flatMap((service) => {
      const pool = byName.get(service.pool.name);
      if (pool === undefined || pool === service.pool) return [];
      const known = compared.get(service.pool) ?? JSON.stringify(service.pool) === JSON.stringify(pool);
      compared.set(service.pool, known);
      return known
        ? []
        : [
            {
              at: `services.${service.name}.pool`,
              message: `pool ${pool.name} of the service (${service.pool.instanceTypes[0]}) is another than the platform's (${pool.instanceTypes[0]})`,
              remedy: "declare the pool once, and give the same object to both",
            },
          ];
    });
  },
  examples: {
    bad: [{ title: "another type", declare: () => declared({ pools: [otherL40s] }), at: "services.llama-8b.pool" }],
    good: [
      { title: "the same object", declare: () => declared({}) },
      {
        title: "declared alike",
        declare: () =>
          declared({ pools: [gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 4 } })] }),
      },
    ],
  },
});

export const unusedPool = platformRule({
  id: "platform.pool.unused",
  severity: "info",
  reason: "Nodes that no service of the platform uses are paid for.",
  reference: "EKS managed node groups, minSize",
  check: ({ pools, services }) => {
    const used = new Set(services.map((service) => service.pool.name));
    return pools
      .filter((pool) => !used.has(pool.name))
      .map((pool) => ({
        at: `pools.${pool.name}`,
        message: `no service uses pool ${pool.name}${pool.size.min > 0 ? `, which keeps ${pool.size.min} nodes` : ""}`,
        remedy: "remove it, unless others schedule onto it",
      }));
  },
  examples: {
    bad: [{ title: "left over", declare: () => declared({ pools: [l40s, amx] }), at: "pools.amx" }],
    good: [{ title: "all used", declare: () => declared({}) }],
  },
});

export const twoTeams = platformRule({
  id: "platform.namespace.two-teams",
  severity: "warning",
  reason: "Quota, network policy, secrets and cost are by namespace: teams that share one share all four.",
  reference: "Kubernetes multi-tenancy",
  check: ({ namespaces }) =>
    namespaces
      .filter(({ teams }) => teams.length > 1)
      .map(({ name, teams }) => ({
        at: `namespaces.${name}`,
        message: `teams ${teams.join(", ")} share namespace ${name}`,
        remedy: "leave namespace out, so that each team has its own",
      })),
  examples: {
    bad: [
      {
        title: "two in one",
        declare: () =>
          declared({
            services: [llama({ namespace: "models" }), llama({ name: "other", team: "ads", namespace: "models" })],
          }),
        at: "namespaces.models",
      },
    ],
    good: [
      { title: "one each", declare: () => declared({ services: [llama(), llama({ team: "ads" })] }) },
      {
        title: "one team in two",
        declare: () => declared({ services: [llama(), llama({ name: "b", namespace: "search-batch" })] }),
      },
    ],
  },
});

export const sharedCards = platformRule({
  id: "platform.sharing.no-isolation",
  severity: "info",
  reason:
    "Pods that share a GPU by time or MPS have neither memory nor speed of their own: one team's load is the other's latency, and its crash may take both.",
  reference: "NVIDIA device plugin, Shared Access to GPUs; CUDA MPS, error containment",
  check: ({ pools, services }) =>
    pools.flatMap((pool) => {
      if (pool.sharing.kind !== "time-slicing" && pool.sharing.kind !== "mps") return [];
      const teams = [...new Set(services.filter((s) => s.pool.name === pool.name).map((s) => s.team))].sort();
      return teams.length > 1
        ? [
            {
              at: `pools.${pool.name}.sharing`,
              message: `teams ${teams.join(", ")} share GPUs of pool ${pool.name} without isolation`,
              remedy: "give each a pool, or MIG slices of an H100",
            },
          ]
        : [];
    }),
  examples: {
    bad: [
      {
        title: "two teams on one L4",
        declare: () => declared({ pools: [sharedL4], services: [small(), small({ name: "b", team: "ads" })] }),
        at: "pools.l4.sharing",
      },
    ],
    good: [
      { title: "one team", declare: () => declared({ pools: [sharedL4], services: [small(), small({ name: "b" })] }) },
    ],
  },
});
