import {
  findGpu,
  findInstance,
  type GpuFacts,
  gpu as gpuFacts,
  gpuInstanceTypes,
  gpuModels,
  type InstanceFacts,
  type MigProfileFacts,
  onDemandPrice,
} from "@capstan/catalog";
import { slotOffers } from "../../pool/slots.ts";
import { visibleGib } from "../../pool/visible-memory.ts";
import type { Problems } from "./fit-error.ts";
import { homeRegion } from "./region.ts";
import type { FitQuery } from "./types.ts";

/** The GPU that a replica is on, or the part of it. */
export interface Hardware {
  readonly gpu: GpuFacts;
  readonly mig: MigProfileFacts | null;
  readonly sharedBy: number;
  /** Given, else the cheapest type that has enough of the GPU; null: no EC2 type has. */
  readonly instance: InstanceFacts | null;
  readonly instanceGiven: boolean;
  /** GiB that the engine takes for the whole. */
  readonly totalGib: number;
  readonly gpusPerReplica: number;
}

/** GPUs of an instance as a replica can have them: a fractional type holds one device, whatever the API counts. */
export function gpusOf(instance: InstanceFacts): number {
  return instance.gpu === null ? 0 : instance.gpu.fractional ? 1 : instance.gpu.count;
}

/** Null: the problems say why. `gpusWanted`: tensor times pipeline parallelism, or what was asked for. */
export function fitHardware(query: FitQuery, gpusWanted: number, problems: Problems): Hardware | null {
  const instance = instanceOf(query, problems);
  const gpu = gpuOf(query, instance, problems);
  if (gpu === null) return null;
  if (gpu.vendor !== "nvidia") {
    problems.add("gpu", gpu.id, "its memory accounting was not read: vLLM's is known for NVIDIA GPUs");
    return null;
  }
  const sharedBy = query.shared ?? 1;
  const mig = migOf(query, gpu, problems);
  if (mig !== null && sharedBy > 1)
    problems.add("shared", sharedBy, "a MIG slice is not shared further; give one of mig and shared");
  if ((mig !== null || sharedBy > 1) && gpusWanted > 1) {
    const part = mig !== null ? "MIG slices" : "shared GPUs";
    problems.add(
      query.tensorParallel ? "tensorParallel" : "gpus",
      query.tensorParallel ?? gpusWanted,
      `an engine cannot be split over ${part}; it gets 1`,
    );
  }
  const count = instance === null ? null : gpusOf(instance);
  if (count !== null && gpusWanted > count) {
    const key = query.gpus ? "gpus" : "tensorParallel";
    problems.add(
      key,
      query[key] ?? gpusWanted,
      `${instance?.type} has ${count} GPU${count === 1 ? "" : "s"}, the replica needs ${gpusWanted}`,
    );
  }
  const total = query.totalGpuMemoryGib ?? deviceGib(gpu, mig, instance);
  if (total === null) {
    problems.add(
      "totalGpuMemoryGib",
      undefined,
      `the memory of ${gpu.name} was not read; give what nvidia-smi reports`,
    );
    return null;
  }
  return {
    gpu,
    mig,
    sharedBy,
    instance: instance ?? cheapestWith(gpu, gpusWanted, query.region ?? null),
    instanceGiven: instance !== null,
    totalGib: total,
    gpusPerReplica: gpusWanted,
  };
}

function instanceOf(query: FitQuery, problems: Problems): InstanceFacts | null {
  const type = query.instanceType;
  if (type === null || type === undefined) return null;
  const found = findInstance(type);
  if (found === undefined) {
    problems.unknown("instanceType", type, gpuInstanceTypes, "an EC2 type with a GPU of the catalog");
    return null;
  }
  if (found.gpu === null) {
    problems.add(
      "instanceType",
      type,
      `has no GPU that vLLM is planned for; types with one are ${gpuInstanceTypes.slice(0, 8).join(", ")} and ${gpuInstanceTypes.length - 8} more`,
    );
    return null;
  }
  return found;
}

function gpuOf(query: FitQuery, instance: InstanceFacts | null, problems: Problems): GpuFacts | null {
  const id = query.gpu;
  const own = instance?.gpu ? gpuFacts(instance.gpu.model) : null;
  if (id === null || id === undefined) return own;
  const named = findGpu(id);
  if (named === undefined) {
    problems.unknown("gpu", id, gpuModels, "a GPU of the catalog");
    return null;
  }
  if (own !== null && own.id !== named.id) {
    problems.add("gpu", id, `${instance?.type} has ${own.id}; leave one of the two out`);
    return null;
  }
  return named;
}

function migOf(query: FitQuery, gpu: GpuFacts, problems: Problems): MigProfileFacts | null {
  const profile = query.mig;
  if (profile === null || profile === undefined) return null;
  if (gpu.mig === null) {
    const capable = gpuModels.filter((id) => gpuFacts(id).mig !== null);
    problems.add("mig", profile, `${gpu.id} has no MIG; GPUs that have are ${capable.join(", ")}`);
    return null;
  }
  const found = gpu.mig.profiles.find((each) => each.profile === profile);
  if (found === undefined) {
    problems.unknown(
      "mig",
      profile,
      gpu.mig.profiles.map((each) => each.profile),
      `a profile of ${gpu.id}`,
    );
  }
  return found ?? null;
}

/** GiB of the device as a process sees it; null: not read. */
export function deviceGib(gpu: GpuFacts, mig: MigProfileFacts | null, instance: InstanceFacts | null): number | null {
  if (mig !== null) {
    const layout = { [mig.profile]: 1 };
    const sharing = {
      kind: "mig",
      strategy: "mixed",
      layout,
      configName: mig.configName,
      customConfig: false,
    } as const;
    return slotOffers(gpu, 1, gpu.memoryGib, sharing)[0]?.deviceMemoryGib ?? null;
  }
  return visibleGib(gpu, instance);
}

/** The cheapest type with enough whole GPUs; without prices the one with the fewest. */
function cheapestWith(gpu: GpuFacts, gpus: number, region: string | null): InstanceFacts | null {
  const fitting = gpuInstanceTypes
    .flatMap((type) => findInstance(type) ?? [])
    .filter((each) => each.gpu?.model === gpu.id && !each.gpu.fractional && each.gpu.count >= gpus);
  const price = (each: InstanceFacts): number =>
    onDemandPrice(each.type, region ?? homeRegion).usdPerHour ?? Number.POSITIVE_INFINITY;
  const rank = (each: InstanceFacts): readonly number[] => [price(each), gpusOf(each), each.vcpus];
  return fitting.sort((a, b) => compare(rank(a), rank(b)))[0] ?? null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    // Two infinities are equal, and their difference is not a number.
    if (value !== other) return value - other;
  }
  return 0;
}

/** Replicas of this kind that one instance holds. */
export function replicasOn({ instance, mig, sharedBy, gpusPerReplica }: Hardware): number | null {
  if (instance === null) return null;
  return Math.floor(gpusOf(instance) / gpusPerReplica) * (mig?.maxInstances ?? 1) * sharedBy;
}
