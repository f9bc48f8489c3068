import { findInstance } from "@capstan/catalog";
import { cpuPool } from "../../pool/declare.ts";
import { poolRule } from "../rule.ts";

const size = { min: 1, max: 4 };

/** CPU-09, for the types of one pool. */
export const mixedInstructionSets = poolRule({
  id: "cpu.instruction-set.mixed",
  severity: "error",
  reason:
    "A pod may land on any type of the pool: where one lacks AMX or AVX-512, or is of another architecture, the service is slow there or does not start.",
  reference: "EC2 processor features; NFD cpu-cpuid labels",
  check: (pool) => {
    if (pool.kind !== "cpu") return [];
    const [first, ...others] = pool.instanceTypes;
    const reference = features(first ?? "");
    return others
      .filter((type) => features(type) !== reference)
      .map((type) => ({
        at: "instanceTypes",
        message: `${type} has ${features(type)}, ${first} has ${reference}`,
        remedy: "keep types of one generation (c7i, m7i, r7i share AMX), or declare a second pool",
      }));
  },
  examples: {
    bad: [
      {
        title: "AMX and none",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.4xlarge", "c6i.4xlarge"], size }),
        at: "instanceTypes",
      },
      {
        title: "two architectures",
        declare: () => cpuPool({ name: "mixed", instanceTypes: ["c7i.4xlarge", "c7g.4xlarge"], size }),
        at: "instanceTypes",
      },
    ],
    good: [
      {
        title: "one generation",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"], size }),
      },
    ],
  },
});

function features(type: string): string {
  const facts = findInstance(type);
  const platform = facts?.cpuPlatform;
  return [facts?.arch, platform?.amx ? "AMX" : null, platform?.avx512 ? "AVX-512" : null]
    .filter(Boolean)
    .join(" with ");
}

/** The plan counts with the first type, so a smaller one would not hold what the plan puts on it. */
export const smallerAlternative = poolRule({
  id: "cpu.instance-types.smaller",
  severity: "error",
  reason:
    "The plan counts with the first type; a node of a smaller one has no room for pods that were sized for the first.",
  reference: "DESIGN section 2: one pool object is the contract",
  check: (pool) => {
    const first = findInstance(pool.instanceTypes[0] ?? "");
    return pool.instanceTypes
      .slice(1)
      .map((type) => ({ type, other: findInstance(type) }))
      .filter(
        ({ other }) => (other?.vcpus ?? 0) < (first?.vcpus ?? 0) || (other?.memoryMib ?? 0) < (first?.memoryMib ?? 0),
      )
      .map(({ type, other }) => ({
        at: pool.kind === "gpu" ? "alternativeInstanceTypes" : "instanceTypes",
        message: `${type} (${other?.vcpus} vCPU, ${Math.round((other?.memoryMib ?? 0) / 1024)} GiB) is smaller than ${first?.type} (${first?.vcpus} vCPU, ${Math.round((first?.memoryMib ?? 0) / 1024)} GiB)`,
        remedy: "put the smallest type first",
      }));
  },
  examples: {
    bad: [
      {
        title: "half the cores",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge", "c7i.4xlarge"], size }),
        at: "instanceTypes",
      },
    ],
    good: [
      {
        title: "same cores, more memory",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"], size }),
      },
    ],
  },
});

export const staticManagerTooSmall = poolRule({
  id: "cpu.static.no-cores",
  severity: "error",
  acknowledgeable: false,
  reason: "The static CPU manager keeps whole cores for the system; on a small node nothing is left for pods.",
  reference: "Kubernetes CPU management policies, reserved CPUs",
  check: (pool) =>
    pool.cpu.manager === "static" && pool.cpu.largestSlotVcpus < pool.cpu.threadsPerCore
      ? [
          {
            at: "cpuManager",
            message: `${pool.instanceTypes[0]} has no whole core left for pods`,
            remedy: "take a larger type, or leave cpuManager out",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "one core",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.large"], cpuManager: "static", size }),
        at: "cpuManager",
      },
    ],
    good: [
      {
        title: "sixteen cores",
        declare: () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size }),
      },
    ],
  },
});
