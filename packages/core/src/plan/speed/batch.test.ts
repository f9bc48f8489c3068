import { expect, test } from "vitest";
import { batchLimit } from "./batch.ts";

const of = (change: Partial<Parameters<typeof batchLimit>[0]> = {}) =>
  batchLimit({
    engine: "vllm",
    kvTokens: 100_000,
    maxNumSeqs: 256,
    maxNumBatchedTokens: 8192,
    promptTokens: 800,
    outputTokens: 400,
    concurrency: null,
    ...change,
  });

test("vLLM fills the cache with answers at every stage, TensorRT-LLM keeps room for the longest", () => {
  // 100,000 / (800 + 200) and 100,000 / (800 + 400).
  expect(of()).toMatchObject({ batch: 100, capacity: 100, by: "kv" });
  expect(of({ engine: "tensorrt-llm" })).toMatchObject({ batch: 83, by: "kv" });
});

test("the smallest limit holds, and given requests in flight count below it", () => {
  expect(of({ maxNumSeqs: 64 })).toMatchObject({ batch: 64, by: "maxNumSeqs" });
  expect(of({ maxNumBatchedTokens: 32 })).toMatchObject({ batch: 32, by: "maxNumBatchedTokens" });
  expect(of({ concurrency: 10 })).toMatchObject({ batch: 10, capacity: 100, by: "concurrency" });
  expect(of({ concurrency: 500 })).toMatchObject({ batch: 100, by: "kv" });
});

test("a request that does not fit whole is not served at all", () => {
  expect(of({ kvTokens: 1200 })?.batch).toBe(1);
  expect(of({ kvTokens: 1199 })).toBeNull();
});
