import { gpu, gpuModels } from "@capstan/catalog";
import { expect, test } from "vitest";
import { visibleGib } from "./visible-memory.ts";

const known = gpuModels.map(gpu).filter((each) => visibleGib(each) !== null);

test("a process sees less than nvidia-smi prints, by at most a part in twenty", () => {
  for (const each of known) {
    const printed = each.memoryGib ?? Number.NaN;
    expect(visibleGib(each)).toBeLessThan(printed);
    expect(visibleGib(each)).toBeGreaterThan(printed * 0.95);
  }
});

test("every NVIDIA GPU whose memory was read has a figure", () => {
  const read = gpuModels.map(gpu).filter((each) => each.vendor === "nvidia" && each.memoryGib !== null);
  expect(known.map((each) => each.id)).toEqual(read.map((each) => each.id));
});
