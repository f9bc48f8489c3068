import { expect, test } from "vitest";
import { allocatorWasteBytes } from "./allocator.ts";
import { MIB } from "./units.ts";

test("a large tensor is charged a rest of up to 1 MiB of its last 2 MiB", () => {
  expect(allocatorWasteBytes(31.5 * MIB, false)).toBe(0.5 * MIB);
  expect(allocatorWasteBytes(259 * MIB, false)).toBe(MIB);
  expect(allocatorWasteBytes(340 * MIB, false)).toBe(0);
});

test("a larger rest is split off, unless the split size is limited", () => {
  expect(allocatorWasteBytes(24.5 * MIB, false)).toBe(0);
  expect(allocatorWasteBytes(24.5 * MIB, true)).toBe(1.5 * MIB);
});

test("a tensor below 10 MiB shares a segment and is rounded to 512 B only", () => {
  expect(allocatorWasteBytes(8 * MIB, true)).toBe(0);
  expect(allocatorWasteBytes(1000, true)).toBe(24);
});
