import { expect, test } from "vitest";
import { tensorRtCapacity } from "./tensorrt-capacity.ts";
import { model } from "./testing/cases.ts";

const of = (totalGib: number) =>
  tensorRtCapacity({
    model: model("meta-llama/Llama-3.1-8B-Instruct"),
    precision: "fp16",
    kvCacheDtype: "auto",
    totalGib,
    tensorParallel: 1,
    pipelineParallel: 1,
  });

test("nine tenths of what weights and 2 GiB leave: 8B in 16 bits on 80 GiB", () => {
  // (80 - 2 - 14.99) GiB x 0.9 / 131,072 B a token: 464,600.
  expect(of(80).kvTokens / (((80 - 2 - 14.99) * 2 ** 30 * 0.9) / 131_072)).toBeCloseTo(1, 3);
  expect(of(80)).toMatchObject({ maxNumSeqs: 2048, maxNumBatchedTokens: 8192 });
});

test("weights that do not fit leave no token", () => {
  expect(of(16).kvTokens).toBe(0);
});
