import { expect, test } from "vitest";
import { dollars, seconds, three } from "./figures.ts";

test.each([
  [0, "0"],
  [0.03456, "0.0346"],
  [3.384, "3.38"],
  [45.67, "45.7"],
  [1234.5, "1,235"],
])("%d in three digits is %s", (value, text) => {
  expect(three(value)).toBe(text);
});

test("money and times", () => {
  expect([dollars(null), dollars(0.526), dollars(55.04), dollars(1234.56)]).toEqual([
    "no price",
    "$0.53",
    "$55.04",
    "$1,235",
  ]);
  expect([seconds(0.0826), seconds(2.345)]).toEqual(["82.6 ms", "2.35 s"]);
});
