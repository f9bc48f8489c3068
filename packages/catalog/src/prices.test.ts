import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuInstanceTypes, gpuInstanceTypes, neuronInstanceTypes, regions } from "./generated/ids.ts";
import { onDemandPrice, pricesAsOf, spotFacts } from "./prices.ts";

const types: readonly string[] = [...gpuInstanceTypes, ...cpuInstanceTypes, ...neuronInstanceTypes];

test("a listed price, a derived one, and none", () => {
  expect(onDemandPrice("g6e.2xlarge", "us-east-1")).toMatchObject({
    usdPerHour: 2.24208,
    basis: "list",
    asOf: "2026-07-20",
  });
  expect(onDemandPrice("g6e.2xlarge", "eu-central-1")).toMatchObject({ usdPerHour: 2.8035, basis: "derived" });
  expect(onDemandPrice("g6e.2xlarge", "eu-west-1")).toMatchObject({ usdPerHour: null, basis: "unknown" });
  expect(onDemandPrice("p5.48xlarge", "ap-northeast-1")).toMatchObject({
    usdPerHour: 68.8,
    basis: "list",
    asOf: "2026-08",
  });
  expect(onDemandPrice("c7i.8xlarge", "eu-west-1")).toMatchObject({ usdPerHour: 1.53216, basis: "derived" });
});

test("a type without a list price anywhere is unknown, not free", () => {
  for (const type of ["p5e.48xlarge", "trn2.48xlarge"]) {
    for (const region of regions)
      expect(onDemandPrice(type, region)).toMatchObject({ usdPerHour: null, basis: "unknown" });
  }
});

test("the date of the prices is that of the list", () => {
  expect(pricesAsOf()).toBe("2026-07-20");
});

test("no price is returned without its date and source, whatever is asked", () => {
  const type = fc.oneof(
    fc.constantFrom(...types),
    fc.string(),
    fc.constantFrom("constructor", "__proto__", "toString"),
  );
  const region = fc.oneof(fc.constantFrom<string>(...regions), fc.string(), fc.constantFrom("constructor", "valueOf"));
  fc.assert(
    fc.property(type, region, (asked, where) => {
      const price = onDemandPrice(asked, where);
      expect(price.asOf).toMatch(/^20\d\d-\d\d(-\d\d)?$/);
      expect(price.source).not.toBe("");
      expect(price.usdPerHour === null).toBe(price.basis === "unknown");
      if (price.usdPerHour !== null) expect(price.usdPerHour).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});

test("spot facts carry the band, the saving and their own, older date", () => {
  expect(spotFacts("g6e.2xlarge", "us-east-1")).toEqual({
    savingPercent: 63,
    interruptionsPerMonth: "10-15%",
    asOf: "2025-06-28",
    sample: null,
  });
  expect(spotFacts("p5.48xlarge", "us-east-2")).toEqual({
    savingPercent: 61,
    interruptionsPerMonth: "5-10%",
    asOf: "2025-06-28",
    sample: { lowUsdPerHour: 13.4628, highUsdPerHour: 15.4417, asOf: "2026-08" },
  });
  expect(spotFacts("g6f.large", "us-east-1")).toBeNull();
  expect(spotFacts("g6e.2xlarge", "constructor")).toBeNull();
});
