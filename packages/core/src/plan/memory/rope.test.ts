import { expect, test } from "vitest";
import { ropeElements } from "./rope.ts";
import { model } from "./testing/cases.ts";

test("the rotary table holds each position's rotated dimensions", () => {
  expect(ropeElements(model("meta-llama/Llama-3.1-8B-Instruct"))).toBe(131072 * 128);
  expect(ropeElements(model("deepseek-ai/DeepSeek-V3"))).toBe(163840 * 64);
  expect(ropeElements(model("microsoft/phi-2"))).toBe(2048 * 32);
});

test("Gemma 3 has a scaled and a local table", () => {
  // 12B: 8 x 131072 scaled positions and 131072 local ones, 256 wide.
  expect(ropeElements(model("google/gemma-3-12b-it"))).toBe(9 * 131072 * 256);
  // 1B does not scale.
  expect(ropeElements(model("google/gemma-3-1b-it"))).toBe(2 * 32768 * 256);
});
