import { eks, type InstanceFacts } from "@capstan/catalog";
import { nodeAgents } from "./node-agents.ts";
import type { Allocatable, PoolCpu, Reserve } from "./resolved.ts";

/** XFS metadata and the images themselves; what is left of the array or root volume for pods. */
const EPHEMERAL_SHARE = 0.9;
const HUGE_PAGE_MIB = 2;

/** CPU that nodeadm reserves for the kubelet: a falling share of each core (80m of 4 vCPUs, 190m of 48). */
function kubeletCpuMillis(vcpus: number): number {
  let millis = 0;
  let counted = 0;
  for (const { upToCores, percent } of eks().kubeletReserve.cpuSteps) {
    const upTo = Math.min(vcpus, upToCores ?? vcpus);
    millis += Math.max(0, upTo - counted) * percent * 10;
    counted = Math.max(counted, upTo);
  }
  return Math.ceil(millis);
}

/** Memory that nodeadm reserves for the kubelet: a base, and some for every pod the node may hold. */
function kubeletMemoryMib(maxPods: number): number {
  const { memoryBaseMib, memoryPerPodMib } = eks().kubeletReserve;
  return memoryBaseMib + memoryPerPodMib * maxPods;
}

export function allocatable(
  instance: InstanceFacts,
  options: {
    readonly localStorage: "none" | "raid0";
    readonly rootVolumeGib: number;
    readonly efa: boolean;
  },
): Allocatable {
  const gpu = instance.gpu !== null;
  const overhead = instance.bareMetal ? 0 : Math.ceil((instance.memoryMib * eks().vmMemoryOverheadPercent) / 100);
  const system: Reserve[] = [
    { cpuMillis: 0, memoryMib: overhead, why: "hypervisor and kernel" },
    {
      cpuMillis: kubeletCpuMillis(instance.vcpus),
      memoryMib: kubeletMemoryMib(instance.maxPods) + eks().kubeletReserve.evictionHardMemoryMib,
      why: "kubelet reserve and eviction threshold",
    },
  ];
  if (options.efa)
    system.push({ cpuMillis: 0, memoryMib: eks().hugePages2MiOnEfaHosts * HUGE_PAGE_MIB, why: "huge pages of EFA" });
  const agents = nodeAgents({ gpu, localStorage: options.localStorage });
  const node = less({ cpuMillis: instance.vcpus * 1000, memoryMib: instance.memoryMib }, system);
  const pods = less(node, agents);
  const disk =
    options.localStorage === "raid0" && instance.localNvme ? instance.localNvme.totalGib : options.rootVolumeGib;
  return {
    cpuMillis: pods.cpuMillis,
    memoryMib: pods.memoryMib,
    ephemeralGib: Math.floor(disk * EPHEMERAL_SHARE),
    pods: instance.maxPods - agents.length,
    reserves: [...system, ...agents],
    node,
  };
}

function less(
  from: { readonly cpuMillis: number; readonly memoryMib: number },
  reserves: readonly Reserve[],
): { cpuMillis: number; memoryMib: number } {
  return {
    cpuMillis: from.cpuMillis - reserves.reduce((sum, r) => sum + r.cpuMillis, 0),
    memoryMib: from.memoryMib - reserves.reduce((sum, r) => sum + r.memoryMib, 0),
  };
}

/**
 * vCPUs that pods can get. The static CPU manager takes the kubelet's reserve out as whole physical cores of the first
 * NUMA node, and hands out whole cores only (`full-pcpus-only`), so it gives less than allocatable says.
 */
export function poolCpu(instance: InstanceFacts, manager: "none" | "static", cpuMillis: number): PoolCpu {
  const threadsPerCore = instance.threadsPerCore ?? (instance.cpuManufacturer === "aws" ? 1 : 2);
  const numaNodes = instance.numaNodes ?? 1;
  const schedulable = Math.floor(cpuMillis / 1000);
  const perNode = Math.floor(instance.vcpus / numaNodes);
  const reservedCores = Math.ceil(Math.ceil(kubeletCpuMillis(instance.vcpus) / 1000) / threadsPerCore);
  const vcpusPerNuma =
    manager === "static"
      ? Array.from({ length: numaNodes }, (_, i) => perNode - (i === 0 ? reservedCores * threadsPerCore : 0))
      : spread(schedulable, numaNodes);
  const largest = Math.min(Math.max(...vcpusPerNuma), schedulable);
  return {
    manager,
    amx: instance.cpuPlatform?.amx ?? false,
    avx512: instance.cpuPlatform?.avx512 ?? false,
    threadsPerCore,
    numaNodes,
    largestSlotVcpus: manager === "static" ? largest - (largest % threadsPerCore) : largest,
    vcpusPerNuma,
  };
}

function spread(total: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, i) => Math.floor(total / parts) + (i < total % parts ? 1 : 0));
}
