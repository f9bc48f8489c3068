import { onDemandPrice } from "@capstan/catalog";
import { expect, test } from "vitest";
import { fit } from "./fit.ts";
import type { FitQuery } from "./types.ts";

const MODEL = "meta-llama/Llama-3.1-8B-Instruct";
const h100: FitQuery = { model: MODEL, gpu: "h100-80", engine: "vllm@0.19.0" };

test("Llama 3.1 8B on an H100: what the start of a real vLLM 0.19.0 is made of", () => {
  const answer = fit(h100);
  expect(answer.schemaVersion).toBe(1);
  expect(answer.query).toEqual(h100);
  expect(answer.verdict).toBe("serves");
  // 8,030,261,248 parameters in 16 bits and a rotary table of 131,072 x 128 x 2 B.
  expect(answer.memory.weightsGib).toBeCloseTo((8_030_261_248 * 2 + 131_072 * 128 * 2) / 2 ** 30, 3);
  expect(answer.memory.requestedGib).toBeCloseTo(79.19 * 0.9, 6);
  expect(answer.calibration).toMatchObject({ band: "0.17-0.19", runner: "v1", extrapolated: false });
  // 128 KiB a token, 16 tokens a block.
  expect(answer.kvCache.tokens).toBe(answer.kvCache.blocks * 16);
  expect(answer.kvCache.tokens).toBe(Math.floor((answer.memory.availableKvGib * 2 ** 30) / (16 * 131_072)) * 16);
  expect(answer.kvCache.maxConcurrency).toBeCloseTo(answer.kvCache.tokens / 131_072, 6);
  expect(answer.kvCache.tokensRange.low).toBeLessThan(answer.kvCache.tokens);
  expect(answer.kvCache.tokensRange.high).toBeGreaterThan(answer.kvCache.tokens);
});

test("money: the hour of the instance, and a million tokens at its rate, dearest where slowest", () => {
  const { cost, throughput } = fit({ ...h100, promptTokens: 500, outputTokens: 500 });
  expect(cost).toMatchObject({ instanceType: "p5.4xlarge", usdPerHour: 6.88, replicasPerInstance: 1 });
  const tokens = throughput.outputTokensPerSecond;
  expect(cost.usdPerMillionOutputTokens?.expected).toBeCloseTo((6.88 / 3600 / (tokens?.expected ?? 0)) * 1e6, 9);
  expect(cost.usdPerMillionOutputTokens?.high).toBeCloseTo((6.88 / 3600 / (tokens?.low ?? 0)) * 1e6, 9);
});

test("an instance holds several replicas, and all of them earn their tokens", () => {
  const query: FitQuery = { model: MODEL, instanceType: "p5.48xlarge", maxModelLen: 8192 };
  const two = fit({ ...query, tensorParallel: 2 });
  expect(two.cost).toMatchObject({ usdPerHour: 55.04, replicasPerInstance: 4 });
  const expected = two.throughput.outputTokensPerSecond?.expected ?? 0;
  expect(two.cost.usdPerMillionOutputTokens?.expected).toBeCloseTo((55.04 / 4 / 3600 / expected) * 1e6, 9);
  // Eight GPUs of two 3g.40gb slices each.
  expect(fit({ ...query, mig: "3g.40gb" }).cost.replicasPerInstance).toBe(16);
  expect(fit({ ...query, shared: 3 }).cost.replicasPerInstance).toBe(24);
});

test("where there is no price there is null, never 0", () => {
  for (const query of [
    { ...h100, region: "eu-west-3" },
    { ...h100, gpu: "h100-nvl" },
    { model: MODEL, instanceType: "p5e.48xlarge", maxModelLen: 8192 },
  ]) {
    expect(fit(query).cost).toMatchObject({ usdPerHour: null, usdPerMillionOutputTokens: null });
  }
  expect(onDemandPrice("p5e.48xlarge", "us-east-1").usdPerHour).toBeNull();
});

test("a quantised copy is the model in its precision", () => {
  const copy = fit({ ...h100, model: "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16" });
  expect(copy.resolved).toMatchObject({ model: MODEL, precision: "w4a16" });
  expect(fit({ ...copy.query, model: "redhatai/meta-llama-3.1-8b-instruct-quantized.W4A16" }).memory).toEqual(
    copy.memory,
  );
  expect(fit({ ...h100, quantization: "gptq_marlin" }).resolved.precision).toBe("gptq");
  expect(fit({ ...h100, dtype: "bf16", kvCacheDtype: "bf16" }).resolved).toMatchObject({
    precision: "bf16",
    kvCacheDtype: "bfloat16",
  });
  expect(fit({ ...copy.query, quantization: "compressed-tensors" }).resolved.precision).toBe("w4a16");
});

test("an old GPU falls back to float16 by itself", () => {
  const answer = fit({ model: "Qwen/Qwen3-0.6B", gpu: "t4", maxModelLen: 4096 });
  expect(answer.resolved.precision).toBe("fp16");
  expect(answer.notes.join(" ")).toContain("no bfloat16");
});

test("a slice has the memory of the catalog, whatever its name says", () => {
  const at = (mig: string, gpu = "h100-80") =>
    fit({ model: "Qwen/Qwen3-0.6B", gpu, mig, maxModelLen: 4096 }).memory.totalGib;
  expect(at("1g.10gb")).toBe(9.75);
  expect(at("1g.18gb", "h200")).toBe(16);
  // Nobody has published the listing: the name times the worst share that was seen.
  expect(at("2g.35gb", "h200")).toBeCloseTo(35 * 0.88, 6);
});

test("engines on a shared GPU split it, and more than the whole does not start", () => {
  const query: FitQuery = { model: "Qwen/Qwen3-0.6B", gpu: "l4", maxModelLen: 4096, shared: 3 };
  expect(fit(query)).toMatchObject({ verdict: "serves", resolved: { gpuMemoryUtilization: 0.3 } });
  const greedy = fit({ ...query, gpuMemoryUtilization: 0.5 });
  expect(greedy.verdict).toBe("does-not-load");
  expect(greedy.remedies.find((each) => each.change === "--gpu-memory-utilization 0.3")?.verdict).toBe("serves");
});

test("a part of a card has a part of its memory", () => {
  const answer = fit({ model: "Qwen/Qwen3-0.6B", instanceType: "g6f.4xlarge", maxModelLen: 4096 });
  expect(answer.memory.totalGib).toBeCloseTo(11_444 / 1024, 6);
  expect(answer.cost.replicasPerInstance).toBe(1);
});

test("auto takes the longest context that fits", () => {
  const auto = fit({ model: MODEL, gpu: "l4", maxModelLen: "auto" });
  expect(auto.verdict).toBe("serves");
  expect(auto.resolved.maxModelLen).toBe(auto.kvCache.longestContextTokens);
});

test("a start that is only too long has the speed of a shorter one, and says so", () => {
  const answer = fit({ model: MODEL, gpu: "l4" });
  expect(answer.verdict).toBe("cannot-serve-one-request");
  expect(answer.throughput.outputTokensPerSecond?.expected).toBeGreaterThan(0);
  expect(answer.notes.join(" ")).toContain(`--max-model-len ${answer.kvCache.longestContextTokens}`);
});

test("what does not load has no speed", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-70B-Instruct", gpu: "l4", maxModelLen: 4096 });
  expect(answer.verdict).toBe("does-not-load");
  expect(answer.throughput.outputTokensPerSecond).toBeNull();
  expect(answer.cost.usdPerMillionOutputTokens).toBeNull();
  expect(answer.cost.usdPerHour).not.toBeNull();
});

test("more requests than places wait before they start", () => {
  const query: FitQuery = { model: MODEL, gpu: "l4", maxModelLen: 8192, promptTokens: 4000, outputTokens: 500 };
  const full = fit(query).throughput;
  const crowd = fit({ ...query, concurrency: (full.batch ?? 0) + 100 }).throughput;
  expect(crowd.batch).toBe(full.batch);
  const wait = 100 / (full.requestsPerSecond?.expected ?? 0);
  expect(crowd.ttftSeconds?.expected).toBeCloseTo((full.ttftSeconds?.expected ?? 0) + wait, 6);
  const one = fit({ ...query, concurrency: 1 }).throughput;
  expect(one.batch).toBe(1);
  expect(one.interTokenSeconds?.expected).toBeLessThan(full.interTokenSeconds?.expected ?? 0);
});

test("an objective gives the load under which it is met", () => {
  const query: FitQuery = { model: MODEL, gpu: "h100-80", maxModelLen: 8192, promptTokens: 500, outputTokens: 200 };
  const easy = fit({ ...query, objectiveTtftP99Ms: 5000 });
  const hard = fit({ ...query, objectiveTtftP99Ms: 400 });
  expect(easy.objective?.met).toBe(true);
  expect(hard.objective?.requestsPerSecond).toBeLessThan(easy.objective?.requestsPerSecond ?? 0);
  expect(fit({ ...query, objectiveTtftP99Ms: 0.001 }).objective).toMatchObject({
    met: false,
    usdPerMillionOutputTokens: null,
  });
  expect(easy.objective?.outputTokensPerSecond).toBeCloseTo((easy.objective?.requestsPerSecond ?? 0) * 200, 6);
});

test("TensorRT-LLM is there for its published speed, and its memory is said to be another's", () => {
  const answer = fit({ ...h100, engine: "tensorrt-llm", promptTokens: 128, outputTokens: 128, quantization: "fp8" });
  expect(answer.resolved.engine).toBe("tensorrt-llm");
  expect(answer.calibration.extrapolated).toBe(true);
  expect(answer.notes.join(" ")).toContain("no start of TensorRT-LLM was read");
  expect(answer.notes.join(" ")).toContain("KV cache in FP8");
  // Built for the lengths asked about.
  expect(answer.resolved.maxModelLen).toBe(256);
});

test("a config.json in place of a name", () => {
  const config = {
    architectures: ["LlamaForCausalLM"],
    hidden_size: 4096,
    intermediate_size: 14_336,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    vocab_size: 128_256,
    max_position_embeddings: 131_072,
    torch_dtype: "bfloat16",
  };
  const described = fit({ modelConfig: config, gpu: "h100-80", engine: "vllm@0.19.0" });
  expect(described.memory).toEqual(fit(h100).memory);
  expect(described.kvCache).toEqual(fit(h100).kvCache);
  expect(fit({ ...described.query, model: "my/llama" }).resolved.model).toBe("my/llama");
});

test("the caller's query is left as it was, and two runs are alike", () => {
  const query = Object.freeze({ ...h100, maxNumSeqs: 256 });
  expect(JSON.stringify(fit(query))).toBe(JSON.stringify(fit(query)));
});
