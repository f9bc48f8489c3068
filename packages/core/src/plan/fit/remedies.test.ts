import { expect, test } from "vitest";
import { fit } from "./fit.ts";
import type { FitAnswer, FitRemedy } from "./types.ts";

const remedy = (answer: FitAnswer, start: string): FitRemedy | undefined =>
  answer.remedies.find(({ change }) => change.startsWith(start));

test("fewer sequences give back what sampling for them took", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", gpu: "h100-80", engine: "vllm@0.19.0" });
  const with256 = fit({ ...answer.query, maxNumSeqs: 256 });
  const gained = remedy(answer, "--max-num-seqs 256")?.gainGib;
  expect(gained).toBeCloseTo(with256.memory.availableKvGib - answer.memory.availableKvGib, 9);
  expect(gained).toBeCloseTo(answer.memory.activationGib - with256.memory.activationGib, 6);
});

test("utilisation is worth its part of the GPU", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", gpu: "h100-80", engine: "vllm@0.19.0" });
  expect(remedy(answer, "--gpu-memory-utilization 0.93")?.gainGib).toBeCloseTo(0.03 * 79.19, 6);
});

test("an 8-bit KV cache holds twice as much where the GPU has it", () => {
  const on = (gpu: string) => fit({ model: "meta-llama/Llama-3.1-8B-Instruct", gpu, maxModelLen: 8192 });
  const l4 = on("l4");
  expect(remedy(l4, "--kv-cache-dtype fp8")?.gainGib).toBeCloseTo(l4.memory.availableKvGib, 6);
  expect(remedy(on("a100-80"), "--kv-cache-dtype fp8")).toBeUndefined();
});

test("too long: the longest that fits, more GPUs of the instance, narrower weights", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", instanceType: "g6.12xlarge" });
  expect(answer.verdict).toBe("cannot-serve-one-request");
  expect(remedy(answer, "--max-model-len")).toMatchObject({
    change: `--max-model-len ${answer.kvCache.longestContextTokens}`,
    verdict: "serves",
  });
  expect(remedy(answer, "--tensor-parallel 2")).toBeDefined();
  expect(remedy(answer, "--model RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8-dynamic")?.gainGib).toBeGreaterThan(6);
});

test("an instance with one GPU is not told to use two", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", instanceType: "g6.xlarge" });
  expect(remedy(answer, "--tensor-parallel")).toBeUndefined();
  expect(remedy(answer, "--instance-type")?.verdict).toBe("serves");
});

test("70B on one H100 does not load; two do, and so does a narrower copy", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-70B-Instruct", instanceType: "p5.48xlarge", maxModelLen: 8192 });
  expect(answer.verdict).toBe("does-not-load");
  // 141 GB of weights against 79 GiB.
  expect(answer.memory.availableKvGib).toBeLessThan(-55);
  const after = fit({ ...answer.query, tensorParallel: 4 });
  expect(after.verdict).toBe("serves");
  expect(answer.remedies.some(({ change, verdict }) => change.startsWith("--model ") && verdict === "serves")).toBe(
    true,
  );
});

test("a slice that is too small names the next that serves", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", gpu: "h100-80", mig: "1g.10gb", maxModelLen: 8192 });
  expect(answer.verdict).toBe("does-not-load");
  // 15 GiB of weights: 19.62 GiB x 0.92 leaves about one GiB, less than a request of 8192 tokens and sampling take.
  expect(remedy(answer, "--mig")?.verdict).toBe("serves");
});

test("what serves is not told to shrink or to buy", () => {
  const answer = fit({ model: "Qwen/Qwen3-0.6B", gpu: "l4", maxModelLen: 4096 });
  for (const start of ["--max-model-len", "--instance-type", "--tensor-parallel", "--model", "--enforce-eager"]) {
    expect(remedy(answer, start)).toBeUndefined();
  }
});
