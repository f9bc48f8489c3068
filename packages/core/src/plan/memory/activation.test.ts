import { expect, test } from "vitest";
import { type ActivationInput, activationPeak } from "./activation.ts";
import { type MemoryBand, memoryBand } from "./bands.ts";
import { exactVersion } from "./engine-version.ts";
import { model } from "./testing/cases.ts";

const plain = { samplerBytes: 14, forwardFactor: 1, fixedActivationGib: 0 };

function peak(id: string, rest: Partial<ActivationInput> = {}, version = "0.19.0", runner: "v1" | "v2" = "v1") {
  return activationPeak({
    model: model(id),
    precision: "bf16",
    version: exactVersion(version),
    stage: { first: true, last: true },
    tensorParallel: 1,
    maxNumSeqs: 1024,
    maxNumBatchedTokens: 8192,
    streamingMultiprocessors: 132,
    band: memoryBand(exactVersion(version), runner) as MemoryBand,
    constants: plain,
    ...rest,
  });
}

test("the sampler wins for a large vocabulary: logits, mask and hidden states", () => {
  const llama = peak("meta-llama/Llama-3.1-8B-Instruct");
  // 14 x 1024 x 128,256; 132 x 128,256 x 4; (8192 + 1024) x 4096 x 2.
  expect(llama.samplerBytes).toBe(1_838_678_016 + 67_719_168 + 75_497_472);
  // 8192 x (3 x 14336 + 4 x 4096) x 2.
  expect(llama.forwardBytes).toBe(973_078_528);
  expect(llama.dominant).toBe("sampler");
  expect(llama.bytes).toBe(llama.samplerBytes);
});

test("the forward pass wins for a small vocabulary", () => {
  const code = peak("codellama/CodeLlama-7b-hf");
  // 8192 x (3 x 11008 + 4 x 4096) x 2.
  expect(code.bytes).toBe(809_500_672);
  expect(code.dominant).toBe("forward");
});

test("fewer sequences shrink the sampler, fewer tokens the forward pass", () => {
  const few = peak("meta-llama/Llama-3.1-8B-Instruct", { maxNumSeqs: 128 });
  // 14 x 128 x 128,256 + 128 x 128,256 x 4 + (8192 + 128) x 4096 x 2: below the forward pass, which takes over.
  expect(few.samplerBytes).toBe(229_834_752 + 65_667_072 + 68_157_440);
  expect(few.bytes).toBe(973_078_528);
});

test("rows are never more than the tokens of a step", () => {
  const rows = peak("meta-llama/Llama-3.1-8B-Instruct", { maxNumBatchedTokens: 512 });
  expect(rows.samplerBytes).toBe(14 * 512 * 128_256 + 132 * 128_256 * 4 + 1024 * 4096 * 2);
});

test("tensor parallelism divides the forward pass only", () => {
  const two = peak("meta-llama/Llama-3.1-8B-Instruct", { tensorParallel: 2 });
  expect(two.forwardBytes).toBe(8192 * (3 * 7168 + 4 * 4096) * 2);
  expect(two.samplerBytes).toBe(peak("meta-llama/Llama-3.1-8B-Instruct").samplerBytes);
});

test("a stage without the head computes no logits", () => {
  const middle = peak("meta-llama/Llama-3.1-8B-Instruct", { stage: { first: false, last: false } });
  expect(middle.samplerBytes).toBe(0);
  expect(middle.bytes).toBe(973_078_528);
});

test("quantised activations cost one byte of each intermediate element", () => {
  const int8 = peak("codellama/CodeLlama-7b-hf", { precision: "int8" });
  expect(int8.forwardBytes).toBe(809_500_672 + 8192 * 11008);
});

test("expert kernels keep two workspaces through the sampler from 0.17", () => {
  // Qwen3-30B-A3B: 8192 tokens x 8 experts, rows of max(2 x 768, 2048) and max(768, 2048), 2 B: 0.5 GiB.
  const workspaces = 8192 * 8 * (2048 + 2048) * 2;
  const logits = 14 * 1024 * 151_936 + 132 * 151_936 * 4 + 9216 * 2048 * 2;
  expect(peak("Qwen/Qwen3-30B-A3B").samplerBytes).toBe(logits + workspaces);
  const before = peak("Qwen/Qwen3-30B-A3B", {}, "0.16.0");
  expect(before.samplerBytes).toBe(logits - 132 * 151_936 * 4);
});

test("vision models keep encoder outputs, where the encoder is profiled", () => {
  const outputs = 8192 * 5376 * 2;
  const gemma = (version: string, runner: "v1" | "v2") =>
    peak("google/gemma-3-27b-it", {}, version, runner).samplerBytes;
  const logits = 14 * 1024 * 262_208 + 9216 * 5376 * 2;
  expect(gemma("0.26.0", "v2")).toBe(logits);
  expect(gemma("0.27.1", "v2")).toBe(logits + outputs);
});
