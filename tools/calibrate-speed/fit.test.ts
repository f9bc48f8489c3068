import { expect, test } from "vitest";
import { allConstants, calibrationOf, startValues, valuesOf } from "./constants.ts";
import { factorOf, fitSpeed, hashOf, ratioOf, split } from "./fit.ts";
import { type ThroughputPoint, type UsablePoint, usable } from "./points.ts";

const lengths = [
  [128, 128],
  [128, 2048],
  [1000, 1000],
  [2048, 128],
  [2048, 2048],
] as const;

/** Figures as a machine with these constants would publish them. */
function published(values: Record<string, number>): readonly UsablePoint[] {
  const truth = calibrationOf(values, "2026-01-01");
  const rows = [
    ["Llama 3.1 8B", "H100 80GB SXM", "fp8", 1],
    ["Llama 3.1 70B", "H200 141GB", "fp8", 4],
    ["Llama 3.1 8B", "A100 80GB SXM", "fp16", 1],
    ["Llama 3.1 70B", "L40S", "fp8", 4],
  ] as const;
  return rows.flatMap(([model, gpu, precision, tp], row) =>
    lengths.map(([input_len, output_len], column) => {
      const point: ThroughputPoint = {
        id: `s${row}${column}`,
        model,
        engine: "TensorRT-LLM",
        engine_version: "1.0",
        gpu,
        gpu_count: tp,
        tp,
        pp: 1,
        precision,
        kv_dtype: null,
        input_len,
        output_len,
        concurrency: null,
        load: "offline max throughput",
        output_tok_s: 1,
      };
      const made = usable(point);
      if ("reason" in made) throw new Error(made.reason);
      return { ...made, measured: ratioOf(made, truth) };
    }),
  );
}

test("points of a machine unlike the start are met after the fit, also those held out", () => {
  const points = published({ ...startValues(), half: 0.45, byte: 0.4, pcie: 0.2, weightBandwidth: 0.6 });
  const before = calibrationOf(startValues(), "2026-01-01");
  const after = fitSpeed(points, "2026-01-01");
  const worst = (calibration: typeof after) =>
    Math.max(...points.map((point) => factorOf(ratioOf(point, calibration))));
  expect(worst(before)).toBeGreaterThan(1.3);
  expect(worst(after)).toBeLessThan(1.08);
  const band = after.engines.find((each) => each.engine === "tensorrt-llm");
  expect(band?.heldOutPoints).toHaveLength(8);
  expect(band?.medianErrorPercent).toBeLessThan(5);
});

test("constants that no point speaks of stay where they start", () => {
  const values = valuesOf(fitSpeed(published(startValues()), "2026-01-01"));
  for (const name of ["nibble", "expertCompute", "unpackedCompute", "v0.step", "v1.sequence"]) {
    expect(values[name]).toBe(allConstants.find((each) => each.name === name)?.start);
  }
});

test("the split goes by the hash of the ids alone: two of five are held out", () => {
  // FNV-1a, 32 bits, as its authors list it for "a" and "foobar".
  expect(hashOf("a")).toBe(0xe40c292c);
  expect(hashOf("foobar")).toBe(0xbf9cf968);
  const points = published(startValues());
  const { fitted, heldOut } = split(points);
  expect([fitted.length, heldOut.length]).toEqual([12, 8]);
  expect(split([...points].reverse()).heldOut.map(({ point }) => point.id)).toEqual(
    heldOut.map(({ point }) => point.id),
  );
});

test("too much is as wrong as too little", () => {
  expect([factorOf(2), factorOf(0.5), factorOf(1)]).toEqual([2, 2, 1]);
});
