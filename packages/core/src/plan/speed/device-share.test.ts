import { gpu } from "@capstan/catalog";
import { expect, test } from "vitest";
import { deviceShareOf } from "./device-share.ts";

const whole = { migProfile: null, sharedBy: 1, fractionMib: null };

test("a slice has its memory slices' bandwidth and its compute slices' arithmetic", () => {
  expect(deviceShareOf(gpu("h100-80"), { ...whole, migProfile: "1g.10gb" })).toEqual({
    bandwidth: 1 / 8,
    compute: 1 / 7,
  });
  // 3g takes four of the eight memory slices.
  expect(deviceShareOf(gpu("h100-80"), { ...whole, migProfile: "3g.40gb" })).toEqual({
    bandwidth: 0.5,
    compute: 3 / 7,
  });
  expect(deviceShareOf(gpu("h100-80"), whole)).toEqual({ bandwidth: 1, compute: 1 });
});

test("engines on a shared card take turns", () => {
  expect(deviceShareOf(gpu("l4"), { ...whole, sharedBy: 4 })).toEqual({ bandwidth: 0.25, compute: 0.25 });
});

test("a fractional instance has its part of the card: 2,861 of 23,034 MiB", () => {
  const share = deviceShareOf(gpu("l4"), { ...whole, fractionMib: 2861 });
  expect(share.bandwidth).toBeCloseTo(2861 / 23_034, 12);
  expect(share.compute).toBe(share.bandwidth);
});
