import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
  ["prd", ["dev", "staging", "prod"], "prod"],
  ["DEV", ["dev", "prod"], "dev"],
  ["stagign", ["dev", "staging"], "staging"],
  ["production-eu", ["dev", "qa"], undefined],
  ["dev", [], undefined],
])("%s among %j is %s", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});
