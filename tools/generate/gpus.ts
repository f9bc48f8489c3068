import type { RawGpu, RawGpus } from "./raw.ts";

export function gpusDocument(raw: RawGpus): object {
  const basis = placementBasis(raw);
  return {
    asOf: "2026-08-21",
    sources: raw._about.sources.map((source) =>
      [source.repository ?? source.document, source.commit?.slice(0, 12), source.files].filter(Boolean).join(" "),
    ),
    notes: [
      "memoryMib is what nvidia-smi prints; null means that no reading was found.",
      "tflopsDense of t4, a10g, h100-nvl, mi300x and mi325x, memory of both A100 and NVLink totals are recalled, not read.",
      "placementBasis: read from a listing, assumed to equal the H100's, or inferred from slice counts and limits.",
    ],
    gpus: Object.entries(raw.gpus).map(([id, gpu]) => gpuRecord(id, gpu, basis.get(id) ?? "inferred")),
  };
}

function placementBasis(raw: RawGpus): Map<string, "read" | "assumed" | "inferred"> {
  const { sevenSlice, fourSlice } = raw.migCombinations;
  return new Map([
    ...sevenSlice.verifiedPlacements.map((id) => [id, "read"] as const),
    ...sevenSlice.assumedSamePlacements.map((id) => [id, "assumed"] as const),
    ...fourSlice.gpus.map((id) => [id, fourSlice.verified ? "read" : "inferred"] as const),
  ]);
}

function gpuRecord(id: string, gpu: RawGpu, basis: string): object {
  return {
    id,
    name: gpu.name,
    vendor: gpu.vendor,
    architecture: gpu.architecture,
    computeCapability: gpu.computeCapability,
    memoryMib: gpu.memory.nvidiaSmiMiB,
    bandwidthGBps: gpu.memory.bandwidthGBps,
    tflopsDense: gpu.tflopsDense,
    fp8TensorCores: gpu.fp8.tensorCores,
    nvlinkGBps: gpu.nvlink.totalGBpsBidirectional ?? null,
    productLabel: gpu.gfdProductLabel ?? null,
    notes: gpu.notes ?? [],
    mig: migRecord(gpu.mig, basis),
  };
}

function migRecord(mig: RawGpu["mig"], placementBasis: string): object | null {
  if (!mig.supported || mig.profiles === undefined) return null;
  return {
    computeSlices: mig.computeSlices,
    memorySlices: mig.memorySlices,
    modeChangeNeedsReset: mig.modeChangeNeedsGpuReset,
    placementBasis,
    profiles: mig.profiles.map((profile) => ({
      profile: profile.profile,
      computeSlices: profile.computeSlices,
      memorySlices: profile.memorySlices,
      usableGib: profile.usableGiB,
      streamingMultiprocessors: profile.sms,
      maxInstances: profile.maxInstances,
      placementStarts: profile.placementStarts,
      placementSize: profile.placementSize,
      configName: profile.migConfigAll,
      mixedResource: profile.resourceMixed,
    })),
  };
}
