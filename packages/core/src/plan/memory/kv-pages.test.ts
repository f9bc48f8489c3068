import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import { kvBytesPerTokenPerLayer, kvCacheDtypeProblem } from "./kv-pages.ts";
import { model } from "./testing/cases.ts";

const llama = "meta-llama/Llama-3.1-8B-Instruct";
const bytes = (id: string, dtype = "auto", tensorParallel = 1) =>
  kvBytesPerTokenPerLayer(model(id), dtype, tensorParallel, "bfloat16");

test("Llama-3.1-8B: 131,072 bytes a token over 32 layers", () => {
  expect(bytes(llama) * 32).toBe(131_072);
  expect(kvBytesPerTokenPerLayer(model(llama), "auto", 1, "float32") * 32).toBe(262_144);
});

test("tensor parallelism divides KV heads until one is left", () => {
  expect(bytes(llama, "auto", 8)).toBe(2 * 128 * 2);
  // Qwen2.5-7B has 4 KV heads: 14 KiB a token and rank at TP 4, as logged, and no less at more.
  expect(bytes("Qwen/Qwen2.5-7B-Instruct", "auto", 4) * 28).toBe(14 * 1024);
  expect(bytes("Qwen/Qwen2.5-7B-Instruct", "auto", 8) * 28).toBe(14 * 1024);
});

test("latent attention stores one vector, whole on every rank", () => {
  expect(bytes("deepseek-ai/DeepSeek-V3")).toBe(576 * 2);
  expect(bytes("deepseek-ai/DeepSeek-V3", "auto", 8)).toBe(576 * 2);
  expect(bytes("deepseek-ai/DeepSeek-V3", "fp8", 8)).toBe(576);
  expect(bytes("deepseek-ai/DeepSeek-V3", "fp8_per_token_head")).toBe(576 + 8);
});

test("quantised pages of 8 heads of 128", () => {
  expect(bytes(llama, "fp8")).toBe(8 * 256);
  expect(bytes(llama, "fp8_per_token_head")).toBe(8 * (256 + 8));
  expect(bytes(llama, "int4_per_token_head")).toBe(8 * (128 + 8));
  expect(bytes(llama, "nvfp4")).toBe(8 * 144);
  expect(bytes(llama, "turboquant_k8v4")).toBe(8 * 196);
  expect(bytes(llama, "turboquant_4bit_nc")).toBe(8 * 134);
  expect(bytes(llama, "turboquant_k3v4_nc")).toBe(8 * 118);
  expect(bytes(llama, "turboquant_3bit_nc")).toBe(8 * 102);
});

test("a type that a version, a model or we do not know is a problem with a name", () => {
  const problem = (id: string, version: string, dtype: string) =>
    kvCacheDtypeProblem(model(id), exactVersion(version), dtype, "bfloat16");
  expect(problem(llama, "0.19.0", "nvfp4")).toContain("0.20.0");
  expect(problem(llama, "0.20.0", "nvfp4")).toBeNull();
  expect(problem(llama, "0.33.0", "ultraquant_4bit")).toContain("known are auto");
  expect(problem(llama, "0.33.0", "float16")).toContain("bfloat16");
  expect(problem(llama, "0.32.0", "float16")).toBeNull();
  expect(problem("deepseek-ai/DeepSeek-V3", "0.33.0", "nvfp4")).toContain("latent");
});
