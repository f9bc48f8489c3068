import { expect, test } from "vitest";
import { calibration } from "./calibration.ts";
import { widestRangeFactor } from "./engine-speed.ts";

test("constants are what hardware can be: shares of a peak are below one", () => {
  const { compute, nvlink, pcie, weightBandwidth, kvBandwidth, attentionCompute, expertCompute, unpackedCompute } =
    calibration.hardware;
  const shares = [
    ...Object.values(compute),
    nvlink,
    pcie,
    weightBandwidth,
    kvBandwidth,
    attentionCompute,
    expertCompute,
    unpackedCompute,
  ];
  for (const share of shares) {
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThanOrEqual(1);
  }
});

test("no point is both fitted and held out, and every band says how it did on the latter", () => {
  for (const band of calibration.engines) {
    expect(band.fittedPoints.filter((id) => band.heldOutPoints.includes(id))).toEqual([]);
    expect(band.medianErrorPercent === null).toBe(band.heldOutPoints.length === 0);
    expect(band.rangeFactor).toBeLessThanOrEqual(widestRangeFactor);
  }
  const used = calibration.engines.flatMap((band) => [...band.fittedPoints, ...band.heldOutPoints]);
  expect(new Set(used).size).toBe(used.length);
  expect(Object.values(calibration.coverage).reduce((a, b) => a + b, 0)).toBe(used.length);
});

test("held-out points are met: half of TensorRT-LLM's within a tenth", () => {
  const tensorRt = calibration.engines.find((each) => each.engine === "tensorrt-llm");
  expect(tensorRt?.heldOutPoints.length).toBeGreaterThan(50);
  expect(tensorRt?.medianErrorPercent).toBeLessThan(10);
});
