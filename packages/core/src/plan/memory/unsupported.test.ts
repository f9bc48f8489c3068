import type { ModelFacts } from "@capstan/catalog";
import { expect, test } from "vitest";
import { h100, input, model, times } from "./testing/cases.ts";
import type { VllmMemoryInput } from "./types.ts";
import { describeUnsupported } from "./unsupported.ts";
import { vllmMemory } from "./vllm-memory.ts";

const llama = "meta-llama/Llama-3.1-8B-Instruct";

function reason(of: VllmMemoryInput): string {
  const found = describeUnsupported(of);
  expect(vllmMemory(of)).toEqual(found);
  return found?.reason ?? "";
}

test("what is modelled has no reason against it", () => {
  expect(describeUnsupported(input(llama))).toBeNull();
});

test("encoders and cross attention are refused", () => {
  expect(reason(input("BAAI/bge-m3"))).toContain("encoder without a KV cache");
  expect(reason(input("openai/whisper-large-v3"))).toContain("cross attention");
});

test("attention that we do not know is refused, not guessed", () => {
  const mamba = { ...model(llama), attention: "mamba" } as unknown as ModelFacts;
  expect(reason(input(llama, { model: mamba }))).toContain('"mamba"');
  const linear = { ...model(llama), layerTypes: Array(32).fill("linear") } as ModelFacts;
  expect(reason(input(llama, { model: { ...linear, slidingWindow: 128 } }))).toContain('"linear"');
  expect(reason(input(llama, { model: { ...model(llama), attention: "mla" } }))).toContain("latent sizes missing");
  expect(reason(input(llama, { model: { ...model(llama), layerTypes: ["full"] } }))).toContain("32 layers");
  const windowless = { ...model("google/gemma-2-2b-it"), slidingWindow: null };
  expect(reason(input(llama, { model: windowless }))).toContain("no window");
  expect(reason(input(llama, { model: { ...model(llama), intermediateSize: null } }))).toContain("neither");
});

test("versions whose accounting was not read are refused", () => {
  expect(reason(input(llama, { version: "0.33" }))).toContain("exact version");
  expect(reason(input(llama, { version: "0.8.3" }))).toContain("0.11 to 0.33");
  expect(reason(input(llama, { version: "0.34.0" }))).toContain("0.11 to 0.33");
  expect(reason(input(llama, { version: "0.13.0", maxModelLen: "auto" }))).toContain("0.14");
});

test("parallelism that cannot start is refused", () => {
  expect(reason(input(llama, { tensorParallel: 2 }))).toContain("needs more GPUs than the 1");
  expect(reason(input(llama, { tensorParallel: 3, device: times(h100, 3) }))).toContain("32 attention heads");
  const heads = { ...model(llama), attentionHeads: 48, kvHeads: 8 };
  expect(reason(input(llama, { model: heads, tensorParallel: 6, device: times(h100, 6) }))).toContain("8 KV heads");
  expect(reason(input(llama, { pipelineParallel: 33, device: times(h100, 33) }))).toContain("32 layers");
});

test("numbers that mean nothing are named", () => {
  expect(reason(input(llama, { maxModelLen: 0 }))).toContain("maxModelLen is 0");
  expect(reason(input(llama, { maxNumSeqs: 1.5 }))).toContain("maxNumSeqs is 1.5");
  expect(reason(input(llama, { gpuMemoryUtilization: 1.1 }))).toContain("gpuMemoryUtilization is 1.1");
  expect(reason(input(llama, { device: { ...h100, totalGib: Number.NaN } }))).toContain("totalGib");
  expect(reason(input(llama, { weightsGibOverride: 0 }))).toContain("weightsGibOverride");
  expect(reason(input(llama, { kvCacheMemoryBytes: -1 }))).toContain("kvCacheMemoryBytes");
  expect(reason(input(llama, { kvCacheDtype: "fp7" }))).toContain('"fp7"');
});
