import type { GpuFacts } from "@capstan/catalog";
import type { DeviceShare } from "./types.ts";

export interface DevicePart {
  /** Null: no MIG. */
  readonly migProfile: string | null;
  /** Engines that take turns on the card (time-slicing, MPS); 1: none beside this one. */
  readonly sharedBy: number;
  /** Memory of a fractional instance type (g6f) in MiB; null: whole cards. */
  readonly fractionMib: number | null;
}

/**
 * A MIG slice has its memory slices' bandwidth and its compute slices' arithmetic; engines on a shared card are all
 * taken to be busy; a fractional instance has the part of the card that its memory is.
 */
export function deviceShareOf(gpu: GpuFacts, { migProfile, sharedBy, fractionMib }: DevicePart): DeviceShare {
  if (sharedBy > 1) return { bandwidth: 1 / sharedBy, compute: 1 / sharedBy };
  const profile = gpu.mig?.profiles.find((each) => each.profile === migProfile);
  if (profile && gpu.mig) {
    return {
      bandwidth: profile.memorySlices / gpu.mig.memorySlices,
      compute: profile.computeSlices / gpu.mig.computeSlices,
    };
  }
  const part = fractionMib === null || gpu.memoryGib === null ? 1 : Math.min(1, fractionMib / 1024 / gpu.memoryGib);
  return { bandwidth: part, compute: part };
}
