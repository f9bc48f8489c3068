import type { Precision } from "@capstan/catalog";
import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import { model } from "./testing/cases.ts";
import { GIB } from "./units.ts";
import { weightBytesPerRank } from "./weights.ts";

function gib(id: string, precision: Precision, tensorParallel = 1, version = "0.19.0"): number {
  const [only] = weightBytesPerRank({
    model: model(id),
    precision,
    version: exactVersion(version),
    tensorParallel,
    pipelineParallel: 1,
  });
  return (only?.bytes ?? 0) / GIB;
}

const llama8 = "meta-llama/Llama-3.1-8B-Instruct";
const llama70 = "meta-llama/Llama-3.1-70B-Instruct";

test("Llama-3.1-8B in 16 bits: parameters x 2 and the rotary table, to the byte", () => {
  // 8,030,261,248 x 2 + 131,072 x 128 x 2; all its matrices are multiples of 2 MiB.
  expect(gib(llama8, "bf16") * GIB).toBe(16_060_522_496 + 33_554_432);
  expect(gib(llama8, "bf16")).toBeCloseTo(14.9888, 4);
});

test("Llama-3.1-8B in FP8: linear layers 1 byte, embeddings, head and norms 2", () => {
  expect(gib(llama8, "fp8") * GIB).toBe(6_979_321_856 + 2 * 1_050_673_152 + 2 * 266_240 + 33_554_432);
  expect(gib(llama8, "fp8")).toBeCloseTo(8.49, 2);
});

test("Llama-3.1-8B in W4A16", () => {
  expect(Math.abs(gib(llama8, "w4a16") - 5.34)).toBeLessThan(0.06);
});

test("logged loads of other models", () => {
  // vLLM 0.19.0 start-up logs, GiB per GPU.
  expect(gib("codellama/CodeLlama-7b-hf", "bf16")).toBeCloseTo(12.56, 1);
  expect(Math.abs(gib("mistralai/Mistral-Small-3.1-24B-Instruct-2503", "int8", 2) - 12.11)).toBeLessThan(0.05);
  expect(Math.abs(gib(llama70, "int8", 2) - 33.88)).toBeLessThan(0.05);
  expect(Math.abs(gib("Qwen/Qwen3-30B-A3B", "bf16") - 56.88)).toBeLessThan(0.02);
  expect(Math.abs(gib("deepseek-ai/DeepSeek-V2-Lite-Chat", "bf16") - 29.43)).toBeLessThan(0.06);
  expect(Math.abs(gib("openai/gpt-oss-20b", "mxfp4") - 13.72)).toBeLessThan(0.06);
  expect(Math.abs(gib("google/gemma-3-4b-it", "bf16") - 8.58)).toBeLessThan(0.02);
  // Ten million positions of rotary table: 2.5 GiB on each of four GPUs.
  expect(Math.abs(gib("meta-llama/Llama-4-Scout-17B-16E-Instruct", "bf16", 4) - 53.12)).toBeLessThan(0.06);
});

test("allocator rounding: Qwen2.5-7B is charged 2 MiB a layer", () => {
  // Of 31.5, 24.5, 259 and 129.5 MiB a layer, 0.5, 0, 1 and 0.5 MiB are not split off; tables of 1039.5 MiB, 0.5 each.
  const [stage] = weightBytesPerRank({
    model: model("Qwen/Qwen2.5-7B-Instruct"),
    precision: "bf16",
    version: exactVersion("0.19.0"),
    tensorParallel: 1,
    pipelineParallel: 1,
  });
  const rounding = stage?.parts.find((part) => part.name === "allocator rounding");
  expect(rounding?.bytes).toBe((28 * 2 + 2 * 0.5) * 2 ** 20);
});

test("tensor parallelism divides linear layers, not the rotary table", () => {
  const one = gib(llama70, "bf16", 1);
  const four = gib(llama70, "bf16", 4);
  const rope = 0.03125;
  const norms = (161 * 8192 * 2) / GIB;
  // A quarter of a table is 501 MiB, which is charged 1 MiB more, twice.
  expect(four).toBeCloseTo((one - rope - norms) / 4 + rope + norms + 2 / 1024, 6);
});

test("KV projections are copied when ranks outnumber KV heads", () => {
  // Qwen2.5-7B has 4 KV heads: at TP 4 each rank holds one, and more ranks hold no less. 7 x 4 = 28 heads divide by 7 and 14.
  const layers = 28;
  const perHead = 2 * 3584 * 128 * 2;
  const four = weightBytesPerRank({
    model: { ...model("Qwen/Qwen2.5-7B-Instruct"), attentionHeads: 28, kvHeads: 1 },
    precision: "bf16",
    version: exactVersion("0.19.0"),
    tensorParallel: 4,
    pipelineParallel: 1,
  })[0];
  const replicated = four?.parts.find((part) => part.name.startsWith("norms"))?.bytes ?? 0;
  // With one KV head at TP 4, three quarters of K and V are copies on each rank.
  expect(replicated).toBeGreaterThanOrEqual(layers * perHead * 0.75);
});

test("a pipeline keeps the embedding on the first stage and the head on the last", () => {
  const stages = weightBytesPerRank({
    model: model(llama70),
    precision: "bf16",
    version: exactVersion("0.19.0"),
    tensorParallel: 1,
    pipelineParallel: 4,
  });
  const tables = stages.map((stage) => stage.parts.find((part) => part.name.startsWith("embeddings"))?.bytes ?? 0);
  expect(tables).toEqual([2 * 1_050_673_152, 0, 0, 2 * 1_050_673_152]);
  const [, second, third] = stages;
  expect(second?.bytes).toBe(third?.bytes);
});

test("a tied head needs a copy when it is on another stage", () => {
  const stages = weightBytesPerRank({
    model: model("meta-llama/Llama-3.2-3B-Instruct"),
    precision: "bf16",
    version: exactVersion("0.19.0"),
    tensorParallel: 1,
    pipelineParallel: 2,
  });
  const tables = stages.map((stage) => stage.parts.find((part) => part.name.startsWith("embeddings"))?.bytes ?? 0);
  expect(tables).toEqual([2 * 394_002_432, 2 * 394_002_432]);
});
