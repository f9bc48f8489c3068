import { findInstance, gpuInstanceTypes, gpu as gpuOf, onDemandPrice } from "@capstan/catalog";
import type { Judged } from "./answer.ts";
import { attempt, type Candidate } from "./attempt.ts";
import { deviceGib, gpusOf } from "./hardware.ts";
import type { FitQuery } from "./types.ts";

/** The next larger slice of the same GPU, and the cheapest instance type with larger GPUs, that serve as asked. */
export function biggerHardware({ of, memory }: Judged): readonly Candidate[] {
  if (memory.verdict === "serves") return [];
  return [...largerSlice(of), ...largerGpu(of)];
}

function largerSlice({ query, hardware }: Judged["of"]): readonly Candidate[] {
  const { mig, gpu } = hardware;
  if (mig === null) return [];
  const larger = (gpu.mig?.profiles ?? [])
    .filter((each) => !each.profile.includes("+") && each.memorySlices > mig.memorySlices)
    .sort((a, b) => a.memorySlices - b.memorySlices || a.computeSlices - b.computeSlices);
  const found = larger.find((each) => attempt({ ...query, mig: each.profile })?.verdict === "serves");
  if (found === undefined) return [];
  return [
    {
      change: `--mig ${found.profile}`,
      query: { ...query, mig: found.profile },
      why: `the smallest slice of ${gpu.id} that serves as asked`,
      onlyIfFailing: true,
    },
  ];
}

function largerGpu({ query, hardware, region }: Judged["of"]): readonly Candidate[] {
  const bare: FitQuery = { ...query, gpu: null, mig: null, shared: null, totalGpuMemoryGib: null, instanceType: null };
  const priced = gpuInstanceTypes
    .flatMap((type) => findInstance(type) ?? [])
    .flatMap((instance) => {
      const usdPerHour = onDemandPrice(instance.type, region).usdPerHour;
      return usdPerHour === null ? [] : [{ instance, usdPerHour }];
    })
    .sort((a, b) => a.usdPerHour - b.usdPerHour);
  const tried = new Set<string>();
  for (const { instance } of priced) {
    const model = instance.gpu?.model;
    // Types of one GPU differ in the host alone, which does not decide whether the model fits.
    if (model === undefined || tried.has(model) || gpusOf(instance) < hardware.gpusPerReplica) continue;
    tried.add(model);
    if (instance.gpu?.fractional || !isLarger(instance, hardware.totalGib)) continue;
    const candidate = { ...bare, instanceType: instance.type };
    if (attempt(candidate)?.verdict !== "serves") continue;
    return [
      {
        change: `--instance-type ${instance.type}`,
        query: candidate,
        why: `the cheapest type with larger GPUs (${model}) that serves as asked`,
        onlyIfFailing: true,
      },
    ];
  }
  return [];
}

function isLarger(instance: NonNullable<ReturnType<typeof findInstance>>, totalGib: number): boolean {
  if (instance.gpu === null) return false;
  return (deviceGib(gpuOf(instance.gpu.model), null, instance) ?? 0) > totalGib;
}
