import { expect, test } from "vitest";
import { type GpuByInstanceType, gpuInstanceTypes, gpuModels } from "./generated/ids.ts";
import { findInstance, instance } from "./instances.ts";

test("p5.48xlarge: 8 H100, 32 EFA interfaces, 8 disks", () => {
  expect(instance("p5.48xlarge")).toMatchObject({
    vcpus: 192,
    memoryMib: 2_097_152,
    gpu: { model: "h100-80", count: 8, fractional: false, fractionMib: null },
    efaInterfaces: 32,
    networkCards: 32,
    localNvme: { totalGib: 28_312, disks: 8 },
    maxPods: 100,
    numaNodes: 2,
    gpuAmiFamilies: ["al2023", "bottlerocket"],
  });
});

test("c7i has AMX, Graviton has not, g6 has not even AVX-512", () => {
  expect(instance("c7i.8xlarge").cpuPlatform).toEqual({
    generation: "Sapphire Rapids",
    amx: true,
    amxFp16: false,
    avx512: true,
    memoryGBpsPerVcpu: 3.2,
  });
  expect(instance("c8i.8xlarge").cpuPlatform).toMatchObject({ generation: "Granite Rapids", amxFp16: true });
  expect(instance("c7g.8xlarge").cpuPlatform).toMatchObject({ generation: "Graviton3", amx: false, avx512: false });
  expect(instance("g6.2xlarge").cpuPlatform).toMatchObject({ amx: false, avx512: false });
});

test("hosts that nobody measured have no platform", () => {
  for (const type of ["p5.4xlarge", "p5en.48xlarge", "p6-b300.48xlarge", "inf2.48xlarge", "trn2.48xlarge"] as const) {
    expect(instance(type).cpuPlatform).toBeNull();
  }
  expect(instance("p5.48xlarge").cpuPlatform?.generation).toBe("Milan (Zen 3)");
});

test("a fractional type has GPU count 0 and says how much of the GPU it has", () => {
  expect(instance("g6f.large").gpu).toEqual({ model: "l4", count: 0, fractional: true, fractionMib: 2861 });
});

test("no stock image runs a g7, and only one runs a g5g", () => {
  expect(instance("g7.2xlarge").gpuAmiFamilies).toEqual([]);
  expect(instance("g5g.xlarge").gpuAmiFamilies).toEqual(["al2023", "bottlerocket"]);
  expect(instance("c7i.large").gpuAmiFamilies).toEqual([]);
});

test("unknown stays null", () => {
  expect(instance("trn2.48xlarge")).toMatchObject({ networkCards: null, threadsPerCore: null, numaNodes: null });
  expect(instance("c7i.large").localNvme).toBeNull();
});

test("the literal map of types to GPUs says what the data says", () => {
  const spot: Pick<GpuByInstanceType, "g6e.12xlarge" | "p5en.48xlarge" | "g7e.2xlarge"> = {
    "g6e.12xlarge": "l40s",
    "p5en.48xlarge": "h200",
    "g7e.2xlarge": "rtx-pro-6000-blackwell",
  };
  for (const [type, model] of Object.entries(spot)) expect(findInstance(type)?.gpu?.model).toBe(model);
  for (const type of gpuInstanceTypes) expect(gpuModels).toContain(instance(type).gpu?.model);
});

test("an unknown type finds nothing", () => {
  expect(findInstance("g6e.3xlarge")).toBeUndefined();
  expect(findInstance("toString")).toBeUndefined();
});
