import { expect, test } from "vitest";
import { vcpuQuotas } from "./quotas.ts";

test.each([
  ["p5", "on-demand", "L-417A185B"],
  ["g6e", "on-demand", "L-DB2E81BA"],
  ["gr6", "on-demand", "L-DB2E81BA"],
  ["c7i", "on-demand", "L-1216C47A"],
  ["c7i-flex", "spot", "L-34B43A08"],
  ["p4d", "spot", "L-7212CCBC"],
] as const)("%s %s counts against %s and nothing else", (family, market, code) => {
  const matching = vcpuQuotas().filter((quota) => quota.market === market && quota.families.test(family));
  expect(matching.map((quota) => quota.code)).toEqual([code]);
});

test("Inferentia and Trainium have quotas of their own, which are not here", () => {
  expect(vcpuQuotas().some((quota) => quota.families.test("inf2") || quota.families.test("trn1"))).toBe(false);
});
