import type { GpuFacts, GpuModel, InstanceFacts } from "@capstan/catalog";

const MIB_PER_GIB = 1024;

/**
 * GiB of a whole GPU that CUDA gives a process: the `total` of vLLM's budget. It is less than nvidia-smi prints (the
 * catalog's figure), by what the driver keeps for itself. Read in start-up logs (facts/serving.md B1, vllm-memory-points)
 * and in PyTorch's out-of-memory messages of public repositories, 2026-08; where those differ, the value seen most.
 */
const seenGib: Readonly<Partial<Record<GpuModel, number>>> = {
  t4: 14.56,
  a10g: 22.06,
  l4: 22.03,
  l40s: 44.4,
  "a100-40": 39.49,
  "a100-80": 79.25,
  "h100-80": 79.19,
  "h100-nvl": 93.1,
  h200: 139.8,
  b200: 178.35,
  b300: 267.69,
  "rtx-pro-6000-blackwell": 94.97,
};

/** Of one GPU of the instance type, or of the part that it has. Null: not read; the catalog's figure would be too much. */
export function visibleGib(gpu: GpuFacts, instance: InstanceFacts | null): number | null {
  const fraction = instance?.gpu?.fractionMib ?? null;
  return fraction === null ? (seenGib[gpu.id] ?? null) : fraction / MIB_PER_GIB;
}
