import type { GpuFacts, GpuModel, MigProfileName } from "@capstan/catalog";
import type { MigLayout } from "./mig-layout.ts";
import type { ResolvedSharing, SlotOffer } from "./resolved.ts";

const GPU_RESOURCE = "nvidia.com/gpu";
const SHARED_RESOURCE = "nvidia.com/gpu.shared";

/** Usable memory of a profile whose listing nobody has published: the worst ratio to the name that was seen (H200 1g.18gb). */
const WORST_MIG_SHARE = 0.88;

export function slotOffers(
  gpu: GpuFacts,
  perNode: number,
  memoryGib: number | null,
  sharing: ResolvedSharing,
): SlotOffer[] {
  const model: GpuModel = gpu.id;
  switch (sharing.kind) {
    case "whole":
      return [
        {
          resource: GPU_RESOURCE,
          slotsPerNode: perNode,
          gpu: model,
          migProfile: null,
          sharedBy: 1,
          deviceMemoryGib: memoryGib,
          memoryGib,
        },
      ];
    case "time-slicing":
    case "mps":
      return [
        {
          resource: sharing.rename ? SHARED_RESOURCE : GPU_RESOURCE,
          slotsPerNode: perNode * sharing.replicas,
          gpu: model,
          migProfile: null,
          sharedBy: sharing.replicas,
          deviceMemoryGib: memoryGib,
          memoryGib: memoryGib === null ? null : memoryGib / sharing.replicas,
        },
      ];
    case "mig":
      return migOffers(gpu, perNode, sharing.layout, sharing.strategy === "single");
  }
}

function migOffers(gpu: GpuFacts, perNode: number, layout: MigLayout, single: boolean): SlotOffer[] {
  const offers: SlotOffer[] = [];
  for (const [name, count] of Object.entries(layout)) {
    const profile = gpu.mig?.profiles.find((p) => p.profile === name);
    if (!profile || count === 0) continue;
    const memory = profile.usableGib ?? nominalGib(name) * WORST_MIG_SHARE;
    offers.push({
      resource: single ? GPU_RESOURCE : profile.mixedResource,
      slotsPerNode: perNode * count,
      gpu: gpu.id,
      migProfile: name as MigProfileName,
      sharedBy: 1,
      deviceMemoryGib: memory,
      memoryGib: memory,
    });
  }
  return offers;
}

/** Gigabytes in a profile's name: 18 in `1g.18gb`. */
function nominalGib(profile: string): number {
  return Number(/\.(\d+)gb/.exec(profile)?.[1] ?? 0);
}
