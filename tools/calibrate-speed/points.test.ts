import { expect, test } from "vitest";
import { type ThroughputPoint, usable } from "./points.ts";

const tableRow: ThroughputPoint = {
  id: "t",
  model: "Llama 3.1 8B",
  engine: "TensorRT-LLM",
  engine_version: "1.0 (PyTorch backend)",
  gpu: "H100 80GB SXM",
  gpu_count: 1,
  tp: 1,
  pp: 1,
  precision: "fp8",
  kv_dtype: null,
  input_len: 500,
  output_len: 2000,
  concurrency: null,
  load: "offline max throughput",
  output_tok_s: 17_660,
};

function used(change: Partial<ThroughputPoint> = {}) {
  const point = usable({ ...tableRow, ...change });
  if ("reason" in point) throw new Error(point.reason);
  return point;
}

test("a row of a published table: saturated, FP8 cache assumed and said", () => {
  const { input, measured, assumed } = used();
  expect(input).toMatchObject({
    gpu: "h100-80",
    kvCacheDtype: "fp8",
    engineVersion: "1.0.0",
    concurrency: null,
    promptTokens: 500,
  });
  expect(input.model.id).toBe("meta-llama/Llama-3.1-8B-Instruct");
  expect(measured).toBe(17_660);
  expect(assumed).toEqual(["FP8 KV cache"]);
  expect(used({ kv_dtype: "bf16" })).toMatchObject({ assumed: [], input: { kvCacheDtype: "auto" } });
});

test.each([
  ["Llama 3.3 70B", "meta-llama/Llama-3.3-70B-Instruct"],
  ["Mixtral 8x7B", "mistralai/Mixtral-8x7B-Instruct-v0.1"],
  ["Qwen3-30B-A3B", "Qwen/Qwen3-30B-A3B"],
  ["gpt-oss-120b", "openai/gpt-oss-120b"],
])("%s is %s", (model, id) => {
  expect(used({ model, gpu: "B200", precision: "fp4" }).input.model.id).toBe(id);
});

test("prompts sent together: a quarter of 320 in flight, lengths of ShareGPT", () => {
  const burst = {
    engine: "vLLM",
    engine_version: "0.5.4",
    load: "320 prompts sent together (ShareGPT)",
    concurrency: 320,
    input_len: null,
    output_len: null,
    precision: "bf16",
  };
  const { input, assumed } = used(burst);
  expect(input).toMatchObject({
    concurrency: 80,
    promptTokens: 218,
    outputTokens: 182,
    maxNumSeqs: 256,
    kvCacheDtype: "auto",
  });
  expect(assumed).toEqual(["lengths of ShareGPT", "0.25 of the requests in flight", "memory of 0.11.2"]);
});

test("eight replicas share load and figure", () => {
  const { input, measured } = used({
    engine: "vLLM",
    engine_version: "0.6/0.7 (2025)",
    gpu: "L4",
    gpu_count: 8,
    concurrency: 1600,
    input_len: 547,
    output_len: 50,
    load: "8 replicas, multi-turn ShareGPT, prefix caching on, prefix hash",
    output_tok_s: 5531.31,
  });
  expect(measured).toBeCloseTo(691.41, 2);
  expect(input).toMatchObject({ concurrency: 50, prefixCacheHitRate: 0.9, engineVersion: "0.6.0" });
});

test.each([
  [{ engine: "OpenVINO Model Server" }, 'engine "OpenVINO Model Server" runs on no GPU roofline'],
  [{ gpu: "H100/A100 80GB" }, `GPU "H100/A100 80GB" is not one of the catalog's`],
  [{ model: "Mistral Nemo 12B" }, "model is not in the catalog"],
  [{ output_tok_s: null }, "no output tokens a second"],
  [{ load: "per GPU figure on a multi-node H200 cluster" }, "figure of a cluster, not of a replica"],
  [{ load: "sustained rate" }, "at a given rate: says nothing of what the replica can do"],
  [{ model: "Llama 3.1 405B" }, "does not fit by the memory estimate"],
])("%o is skipped", (change, reason) => {
  expect(usable({ ...tableRow, ...change })).toMatchObject({ reason });
});
