import { expect, test } from "vitest";
import { type CpuEngineMemory, type CpuEngineMemoryInput, cpuEngineMemory } from "./cpu-engine.ts";
import { model } from "./testing/cases.ts";
import { GIB } from "./units.ts";

function size(id: string, rest: Omit<CpuEngineMemoryInput, "model">): CpuEngineMemory {
  const result = cpuEngineMemory({ model: model(id), ...rest });
  if (!result.supported) throw new Error(result.reason);
  return result;
}

function reason(id: string, rest: Omit<CpuEngineMemoryInput, "model">): string {
  const result = cpuEngineMemory({ model: model(id), ...rest });
  return result.supported ? "" : result.reason;
}

test("Phi-3-mini int4 from its files: weights, KV of one request, runtime", () => {
  const phi = size("microsoft/Phi-3-mini-4k-instruct", {
    precision: "int4",
    engine: "ovms",
    artefactBytes: 2_700_000_000,
    contextTokens: 4096,
    concurrency: 1,
  });
  expect(phi.weightsGib).toBeCloseTo(2_700_000_000 / GIB, 9);
  // 32 layers x 2 x 32 heads x 96 x 2 B = 393,216 B a token: 1.5 GiB at 4096.
  expect(phi.kvGib).toBe(1.5);
  // (2.515 + 1.5 + 1.25) x 1.1 = 5.79, rounded up.
  expect(phi.requestGib).toBe(6);
  expect(phi.how.join(" ")).toContain("2026-11-30");
});

test("weights without known files come from parameters and precision", () => {
  const computed = size("Qwen/Qwen2.5-7B-Instruct", {
    precision: "int4",
    engine: "ovms",
    contextTokens: 4096,
    concurrency: 1,
  });
  const tables = 2 * 544_997_376;
  expect(computed.weightsGib).toBeCloseTo(((7_615_616_512 - tables) * 0.5156 + tables * 2) / GIB, 9);
  const fp32 = size("BAAI/bge-m3", { precision: "fp32", engine: "tei", contextTokens: 512, concurrency: 1 });
  expect(fp32.weightsGib).toBeCloseTo((567_754_752 * 4) / GIB, 9);
});

test("no int4 model of 7 billion parameters is promised 4 GiB", () => {
  for (const id of ["Qwen/Qwen2.5-7B-Instruct", "codellama/CodeLlama-7b-hf", "mistralai/Mistral-7B-Instruct-v0.3"]) {
    for (const engine of ["ovms", "vllm-cpu"] as const) {
      const smallest = size(id, { precision: "int4", engine, contextTokens: 512, concurrency: 1 });
      expect(smallest.requestGib, `${id} ${engine}`).toBeGreaterThan(4.5);
    }
  }
});

test("KV grows with context and concurrency; encoders have none", () => {
  const at = (contextTokens: number, concurrency: number) =>
    size("Qwen/Qwen2.5-7B-Instruct", { precision: "int4", engine: "ovms", contextTokens, concurrency }).kvGib;
  expect(at(8192, 4)).toBeCloseTo(8 * at(4096, 1), 9);
  const encoder = size("BAAI/bge-small-en-v1.5", {
    precision: "fp32",
    engine: "tei",
    contextTokens: 512,
    concurrency: 8,
  });
  expect(encoder.kvGib).toBe(0);
  // 8 texts of 512: 4096 x (1536 + 4 x 384) x 4 and 4096 x 512 x 12 x 4.
  expect(encoder.activationGib * GIB).toBeCloseTo(50_331_648 + 100_663_296, 3);
});

test("TEI's batch is bounded, a text is never longer than the model's positions", () => {
  const at = (concurrency: number) =>
    size("BAAI/bge-base-en-v1.5", { precision: "fp32", engine: "tei", contextTokens: 4096, concurrency }).activationGib;
  // 32 x 512 = 16,384 tokens fill the batch.
  expect(at(64)).toBe(at(32));
  expect(at(32)).toBeGreaterThan(at(31));
});

test("vLLM on a CPU rounds to its blocks and needs room for a step", () => {
  const llama = size("meta-llama/Llama-3.1-8B-Instruct", {
    precision: "bf16",
    engine: "vllm-cpu",
    contextTokens: 1000,
    concurrency: 2,
  });
  // 1000 rounds up to 1024 tokens x 131,072 B x 2.
  expect(llama.kvGib).toBe(0.25);
  // 2048 x (3 x 14336 + 4 x 4096) x 2 is more than 128 x 128,256 x 14.
  expect(llama.activationGib * GIB).toBeCloseTo(243_269_632, 3);
});

test("what an engine cannot serve is refused with a reason", () => {
  const common = { precision: "int4", contextTokens: 512, concurrency: 1 } as const;
  expect(reason("Qwen/Qwen3-8B", { ...common, engine: "tei" })).toContain("generates text");
  expect(reason("Qwen/Qwen3-8B", { ...common, engine: "triton" })).toContain("sampling loop");
  expect(reason("openai/whisper-large-v3", { ...common, engine: "ovms" })).toContain("cross attention");
  expect(reason("Qwen/Qwen3-8B", { ...common, engine: "ovms", concurrency: 0 })).toContain("concurrency is 0");
  expect(reason("Qwen/Qwen3-8B", { ...common, engine: "ovms", contextTokens: 0.5 })).toContain("contextTokens is 0.5");
  expect(reason("Qwen/Qwen3-8B", { ...common, engine: "ovms", artefactBytes: 0 })).toContain("artefactBytes is 0");
});

test("an 8-bit cache of Phi-3-mini: 32 layers x 32 heads x 2 x (96 + 8) B = 212,992 B a token", () => {
  const { kvGib } = size("microsoft/Phi-3-mini-4k-instruct", {
    precision: "int4",
    engine: "ovms",
    contextTokens: 4096,
    concurrency: 8,
    kvCacheDtype: "u8",
  });
  // 212,992 x 4,096 x 8 / 2^30 = 6.5 GiB, where 16 bits take 12.
  expect(kvGib).toBe(6.5);
});
