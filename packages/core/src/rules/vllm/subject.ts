import { findVllm, type ModelFacts } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { impossibleFacts } from "../../service/vllm-model-facts.ts";

/** True where the declaration gave the value: what nobody wrote is not the user's mistake. */
export function given(service: ResolvedVllm, path: string): boolean {
  return service.origins[path]?.from === "given";
}

/** The property that the number of GPUs was written in. */
export function gpusPath(service: ResolvedVllm): string {
  return ["gpus", "tensorParallel", "pipelineParallel"].find((path) => given(service, path)) ?? "gpus";
}

export function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** Numbers that the other rules can count with. Where they are not, `gpu.count.invalid` and its like say so. */
export function hasWholeCounts(service: ResolvedVllm): boolean {
  return [service.gpus, service.tensorParallel, service.pipelineParallel].every(isWhole);
}

/** What one GPU of the pod is, for a message. */
export function deviceName(service: ResolvedVllm): string {
  const { slot, pool } = service;
  const card = slot.gpu.toUpperCase();
  if (slot.migProfile !== null) return `slice ${slot.migProfile} of ${article(card)} ${card}`;
  if (slot.sharedBy > 1) return `${card} shared by ${slot.sharedBy} pods`;
  return `${card} of ${pool.instanceTypes[0]}`;
}

function article(word: string): string {
  return /^[AEFHILMNORSX]/.test(word) ? "an" : "a";
}

/** CUDA compute capability as a number, 8.9; null for GPUs that have none. */
export function computeCapability(service: ResolvedVllm): number | null {
  return capabilityNumber(service.pool.gpu?.computeCapability);
}

export function capabilityNumber(text: string | null | undefined): number | null {
  const value = text === null || text === undefined || text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Whether the engine version is that minor version or a newer one; `since` as `0.28`. */
export function sinceMinor(service: ResolvedVllm, since: string): boolean {
  const minor = findVllm(service.engineVersion)?.minor;
  return minor !== undefined && compareMinor(minor, since) >= 0;
}

export function compareMinor(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}

/** The value of an environment variable of the container, as it was given or set. */
export function environmentValue(service: ResolvedVllm, name: string): string | undefined {
  return service.environmentVariables.find((variable) => variable.name === name)?.value;
}

/** As Python engines read a switch. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value.trim());
}

/** Facts of the model that can be counted with; null: none, or impossible ones, of which `vllm.model.facts-invalid` speaks. */
export function usableFacts({ model }: ResolvedVllm): ModelFacts | null {
  return model.facts && impossibleFacts(model.facts).length === 0 ? model.facts : null;
}
