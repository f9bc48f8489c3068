import { findModel, type ModelFacts } from "@capstan/catalog";
import type { VllmDevice, VllmMemory, VllmMemoryInput } from "../types.ts";
import { vllmMemory } from "../vllm-memory.ts";

export const h100: VllmDevice = { totalGib: 79.19, computeCapability: "9.0", isA100: false, gpusPerReplica: 1 };
export const l4: VllmDevice = { totalGib: 22.5, computeCapability: "8.9", isA100: false, gpusPerReplica: 1 };
export const l40s: VllmDevice = { totalGib: 44.4, computeCapability: "8.9", isA100: false, gpusPerReplica: 1 };

export function model(id: string): ModelFacts {
  const found = findModel(id);
  if (found === undefined) throw new Error(`not in the catalog: ${id}`);
  return found;
}

export function input(id: string, rest: Partial<VllmMemoryInput> = {}): VllmMemoryInput {
  return {
    model: model(id),
    version: "0.33.0",
    device: h100,
    precision: "bf16",
    kvCacheDtype: "auto",
    tensorParallel: 1,
    pipelineParallel: 1,
    ...rest,
  };
}

/** Several of a GPU for one replica. */
export function times(device: VllmDevice, gpusPerReplica: number): VllmDevice {
  return { ...device, gpusPerReplica };
}

export function supported(of: VllmMemoryInput): VllmMemory {
  const result = vllmMemory(of);
  if (!result.supported) throw new Error(result.reason);
  return result;
}
