import fc from "fast-check";
import { expect, test } from "vitest";
import { gpuModels } from "./generated/ids.ts";
import { findGpu, gpu } from "./gpus.ts";

const withMig = gpuModels.map((id) => gpu(id)).filter((facts) => facts.mig !== null);

test("memory is what nvidia-smi prints, not the nominal size", () => {
  expect(gpu("h100-80").memoryGib).toBeCloseTo(79.65, 2); // 81,559 MiB
  expect(gpu("l4").memoryGib).toBeCloseTo(22.49, 2); // 23,034 MiB
  expect(gpu("t4g").memoryGib).toBeNull();
});

test("an L4 and an L40S have no MIG", () => {
  expect(gpu("l4").mig).toBeNull();
  expect(gpu("l40s").mig).toBeNull();
});

test("H100 1g.10gb", () => {
  expect(gpu("h100-80").mig?.profiles.find((profile) => profile.profile === "1g.10gb")).toEqual({
    profile: "1g.10gb",
    computeSlices: 1,
    memorySlices: 1,
    usableGib: 9.75,
    streamingMultiprocessors: 16,
    maxInstances: 7,
    placementStarts: [0, 1, 2, 3, 4, 5, 6],
    placementSize: 1,
    configName: "all-1g.10gb",
    mixedResource: "nvidia.com/mig-1g.10gb",
  });
});

test("a plus sign becomes a dot in configuration and resource names", () => {
  const media = gpu("h100-80").mig?.profiles.find((profile) => profile.profile === "1g.10gb+me");
  expect([media?.configName, media?.mixedResource]).toEqual(["all-1g.10gb.me", "nvidia.com/mig-1g.10gb.me"]);
});

test("H200 1g.18gb gives far less than its name, and what was not read stays null", () => {
  const profiles = new Map(gpu("h200").mig?.profiles.map((profile) => [profile.profile, profile.usableGib]));
  expect(profiles.get("1g.18gb")).toBe(16);
  expect(profiles.get("7g.141gb")).toBeNull();
});

test("placements that nobody read say so", () => {
  expect(gpu("h100-80").mig?.placementBasis).toBe("read");
  expect(gpu("h200").mig?.placementBasis).toBe("assumed");
  expect(gpu("rtx-pro-6000-blackwell").mig?.placementBasis).toBe("inferred");
});

test("every placement lies inside the GPU, and as many instances fit as the profile claims", () => {
  fc.assert(
    fc.property(fc.constantFrom(...withMig), fc.nat(), (facts, pick) => {
      const { memorySlices, computeSlices, profiles } = facts.mig!;
      const profile = profiles[pick % profiles.length]!;
      expect(profile.placementSize).toBeGreaterThanOrEqual(profile.memorySlices);
      for (const start of profile.placementStarts)
        expect(start + profile.placementSize).toBeLessThanOrEqual(memorySlices);
      expect(profile.maxInstances).toBeLessThanOrEqual(profile.placementStarts.length);
      expect(profile.maxInstances * profile.computeSlices).toBeLessThanOrEqual(computeSlices);
      expect(profile.usableGib ?? 0).toBeLessThan(facts.memoryGib ?? Number.POSITIVE_INFINITY);
    }),
  );
});

test("an unknown id finds nothing", () => {
  expect(findGpu("h1000")).toBeUndefined();
  expect(findGpu("constructor")).toBeUndefined();
  expect(findGpu("l40s")?.name).toBe("NVIDIA L40S");
});

test("nobody can change a fact for the others", () => {
  const facts = gpu("h100-80") as { name: string; tflopsDense: { fp8: number | null } };
  expect(() => {
    facts.name = "mine";
  }).toThrow(TypeError);
  expect(() => {
    facts.tflopsDense.fp8 = 1;
  }).toThrow(TypeError);
});
