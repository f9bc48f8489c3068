import { expect, test } from "vitest";
import { memoryBand, memoryBands } from "./bands.ts";
import { calibration } from "./calibration.ts";
import { exactVersion } from "./engine-version.ts";

const bandId = (version: string, runner: "v1" | "v2") => memoryBand(exactVersion(version), runner)?.id ?? null;

test("a band is a range of versions and a runner", () => {
  expect(bandId("0.10.2", "v1")).toBeNull();
  expect(bandId("0.11.0", "v1")).toBe("0.11-0.16");
  expect(bandId("0.19.1", "v1")).toBe("0.17-0.19");
  expect(bandId("0.20.0", "v1")).toBe("0.20-0.26");
  expect(bandId("0.26.0", "v2")).toBe("0.22-0.26");
  expect(bandId("0.28.0", "v1")).toBe("0.27-0.28");
  expect(bandId("0.28.0", "v2")).toBe("0.28");
  expect(bandId("0.33.0", "v2")).toBe("0.33");
  expect(bandId("0.34.0", "v2")).toBeNull();
});

test("graphs are subtracted by V1 from 0.20.0 and by V2 from 0.29.0", () => {
  const subtracted = memoryBands.filter((band) => band.graphsSubtracted).map((band) => `${band.runner} ${band.from}`);
  expect(subtracted).toEqual(["v1 0.20.0", "v1 0.27.0", "v2 0.29.0", "v2 0.31.0", "v2 0.33.0"]);
});

test("each band has constants, with a date, and measured ones meet the bar", () => {
  expect(calibration.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const band of memoryBands) {
    const found = calibration.bands.filter((each) => each.band === band.id && each.runner === band.runner);
    expect(found, `${band.runner} ${band.id}`).toHaveLength(1);
  }
  const measured = calibration.bands.filter((band) => band.measured);
  expect(measured.map((band) => band.band)).toEqual(["0.11-0.16", "0.17-0.19"]);
  for (const band of measured) {
    expect(band.heldOutPoints.filter((id) => band.fittedPoints.includes(id))).toEqual([]);
    expect(band.medianErrorPercent).toBeLessThanOrEqual(0.5);
    expect(band.worstErrorPercent).toBeLessThanOrEqual(5);
  }
});
