import { expect, test } from "vitest";
import { median } from "./line.ts";

test("median of odd and even numbers of values", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow("nothing");
});
