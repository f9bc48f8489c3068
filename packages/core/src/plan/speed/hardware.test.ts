import { gpu } from "@capstan/catalog";
import { expect, test } from "vitest";
import { computeRate, effectiveRates, linkOf } from "./hardware.ts";
import { perfect } from "./testing/cases.ts";

test.each([
  ["h100-80", "bf16", "half", false, 989e12],
  ["h100-80", "fp8", "byte", false, 1979e12],
  ["l40s", "int8", "byte", false, 733e12],
  ["b200", "nvfp4", "nibble", false, 9000e12],
  ["b200", "mxfp4", "byte", false, 4500e12],
  // INT8 is cut down on the B300.
  ["b300", "int8", "byte", false, 153.5e12],
  // Weight-only: packed in memory, multiplied in 16 bits.
  ["a100-80", "fp8", "half", true, 312e12],
  ["h100-80", "nvfp4", "half", true, 989e12],
  ["h100-80", "mxfp4", "half", true, 989e12],
  ["l4", "awq", "half", true, 121e12],
  ["a10g", "w4a16", "half", true, 70e12],
  // No BF16 on Turing: FP16 in its place.
  ["t4", "bf16", "half", false, 65e12],
] as const)("%s multiplies %s weights as %s, unpacked: %s", (id, precision, kind, unpacks, peak) => {
  expect(computeRate(gpu(id), precision)).toMatchObject({ kind, unpacks, peak });
});

test("a rate that the catalog does not have is not made up", () => {
  expect(computeRate(gpu("t4g"), "fp16")).toBeNull();
  expect(computeRate(gpu("rtx-pro-4500-blackwell"), "fp8")).toBeNull();
});

test("shares of GPU and peaks multiply", () => {
  const facts = gpu("h100-80");
  const rate = computeRate(facts, "awq");
  if (!rate) throw new Error("no rate");
  const constants = perfect({
    compute: { half: 0.6, byte: 0.5, nibble: 0.4 },
    unpackedCompute: 0.5,
    expertCompute: 0.5,
    weightBandwidth: 0.8,
    kvBandwidth: 0.5,
    attentionCompute: 0.7,
    activationPasses: 10,
  }).hardware;
  const rates = effectiveRates(facts, 3350, rate, { bandwidth: 1 / 8, compute: 1 / 7 }, constants);
  expect(rates.weightBytesPerSecond).toBeCloseTo(3350e9 * 0.125 * 0.8, -3);
  expect(rates.kvBytesPerSecond).toBeCloseTo(3350e9 * 0.125 * 0.5, -3);
  expect(rates.activationBytesPerSecond).toBeCloseTo((3350e9 * 0.125) / 10, -3);
  expect(rates.flopsPerSecond / 1e12).toBeCloseTo((989 / 7) * 0.6 * 0.5, 9);
  expect(rates.expertFlopsPerSecond / 1e12).toBeCloseTo((989 / 7) * 0.6 * 0.5 * 0.5, 9);
  expect(rates.attentionFlopsPerSecond / 1e12).toBeCloseTo((989 / 7) * 0.7, 9);
});

test("one direction of NVLink is half the published total; without it the slot is the link", () => {
  const { hardware } = perfect({ nvlink: 0.5, pcie: 0.25 });
  expect(linkOf(gpu("h100-80"), 2, hardware)).toMatchObject({ kind: "nvlink", bytesPerSecond: 225e9 });
  expect(linkOf(gpu("l40s"), 2, hardware)).toMatchObject({ kind: "pcie", bytesPerSecond: 8e9 });
  expect(linkOf(gpu("t4"), 2, hardware)).toMatchObject({ kind: "pcie", bytesPerSecond: 4e9 });
  expect(linkOf(gpu("l40s"), 1, hardware).kind).toBe("none");
});
