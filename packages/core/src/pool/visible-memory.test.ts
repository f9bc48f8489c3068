import { gpu, gpuModels } from "@capstan/catalog";
import { expect, test } from "vitest";
import { resolvePool } from "../check.ts";
import { gpuPool } from "./declare.ts";
import { visibleGib } from "./visible-memory.ts";

const known = gpuModels.map(gpu).filter((each) => visibleGib(each, null) !== null);

test("a process sees less than nvidia-smi prints, by at most a part in twenty", () => {
  for (const each of known) {
    const printed = each.memoryGib ?? Number.NaN;
    expect(visibleGib(each, null)).toBeLessThan(printed);
    expect(visibleGib(each, null)).toBeGreaterThan(printed * 0.95);
  }
});

test("every NVIDIA GPU whose memory was read has a figure", () => {
  const read = gpuModels.map(gpu).filter((each) => each.vendor === "nvidia" && each.memoryGib !== null);
  expect(known.map((each) => each.id)).toEqual(read.map((each) => each.id));
});

test("a pool offers what a process sees: KV memory that the driver keeps must not be promised", () => {
  const declared = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 0, max: 1 } });
  expect(resolvePool(declared).pool?.slots[0]?.deviceMemoryGib).toBe(44.4);
});
