import type { ModelFacts } from "@capstan/catalog";
import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import { blocksPerRequest, concurrentBatches, groupWidth, kvGroups } from "./kv-groups.ts";
import { pipelineStages } from "./stages.ts";
import { model } from "./testing/cases.ts";

const newest = exactVersion("0.33.0");
const sizes = (of: ModelFacts, version = newest) =>
  kvGroups(of, version).map((group) => `${group.kind} ${group.layers.length}`);
const whole = (of: ModelFacts) => ({ start: 0, end: of.layers });

function mixed(full: number, sliding: number): ModelFacts {
  const layerTypes = [...Array<"full">(full).fill("full"), ...Array<"sliding">(sliding).fill("sliding")];
  return { ...model("google/gemma-3-27b-it"), layers: full + sliding, layerTypes };
}

test("layers that are all alike are one group", () => {
  expect(sizes(model("meta-llama/Llama-3.1-8B-Instruct"))).toEqual(["full 32"]);
  expect(sizes(model("deepseek-ai/DeepSeek-V3"))).toEqual(["full 61"]);
});

test("Gemma 3 27B: 10 full layers set the size, 52 sliding ones make six groups", () => {
  const gemma = model("google/gemma-3-27b-it");
  expect(sizes(gemma)).toEqual([
    "sliding 9",
    "sliding 9",
    "sliding 9",
    "sliding 9",
    "sliding 8",
    "sliding 8",
    "full 10",
  ]);
  expect(groupWidth(kvGroups(gemma, newest), whole(gemma))).toBe(10);
});

test("half and half is two groups, as in Gemma 2 and gpt-oss", () => {
  expect(sizes(model("google/gemma-2-2b-it"))).toEqual(["sliding 13", "full 13"]);
  expect(sizes(model("openai/gpt-oss-20b"))).toEqual(["sliding 12", "full 12"]);
});

test("kinds that are nearly as common share the larger size", () => {
  expect(sizes(mixed(10, 14))).toEqual(["full 10", "sliding 14"]);
  expect(groupWidth(kvGroups(mixed(10, 14), newest), { start: 0, end: 24 })).toBe(14);
  // 15 is half as many again as 10, so the smaller size holds and the last groups are padded.
  expect(sizes(mixed(10, 15))).toEqual(["full 10", "sliding 8", "sliding 7"]);
});

test("chunked layers count as full before the hybrid manager took them", () => {
  const scout = model("meta-llama/Llama-4-Scout-17B-16E-Instruct");
  expect(sizes(scout)).toEqual(["chunked 12", "chunked 12", "chunked 12", "full 12"]);
  expect(sizes(scout, exactVersion("0.12.0"))).toEqual(["full 48"]);
});

test("a window without layer types holds for all layers", () => {
  expect(sizes(model("microsoft/Phi-3-mini-4k-instruct"))).toEqual(["sliding 32"]);
});

test("each stage of a pipeline holds its part of every group", () => {
  const gptOss = model("openai/gpt-oss-20b");
  const groups = kvGroups(gptOss, newest);
  expect(pipelineStages(24, 2).map((stage) => groupWidth(groups, stage))).toEqual([6, 6]);
});

test("blocks of one request, by kind of attention", () => {
  const shape = { maxModelLen: 131_072, maxNumBatchedTokens: 2048, blockSize: 16, batches: 1 };
  const llama = kvGroups(model("meta-llama/Llama-3.1-8B-Instruct"), newest);
  expect(blocksPerRequest(llama, shape)).toBe(8192);
  expect(blocksPerRequest(llama, { ...shape, maxModelLen: 8193 })).toBe(513);
  const gemma = kvGroups(model("google/gemma-3-27b-it"), newest);
  // 8192 for the full group; six times ceil((1023 + 2048) / 16) + 1 = 193.
  expect(blocksPerRequest(gemma, shape)).toBe(8192 + 6 * 193);
  // Two steps in flight: ceil((1023 + 4096) / 16) + 1 = 321.
  expect(blocksPerRequest(gemma, { ...shape, batches: 2 })).toBe(8192 + 6 * 321);
  // A short context saves nothing: 512 for the full group, 513 for each sliding one.
  expect(blocksPerRequest(gemma, { ...shape, maxModelLen: 8192, maxNumBatchedTokens: 8192 })).toBe(512 + 6 * 513);
  const scout = kvGroups(model("meta-llama/Llama-4-Scout-17B-16E-Instruct"), newest);
  // Three chunked groups: (8192 + 2048) / 16 = 640.
  expect(blocksPerRequest(scout, shape)).toBe(8192 + 3 * 640);
});

test("steps in flight count from 0.26", () => {
  expect(concurrentBatches(exactVersion("0.25.1"), "v2", 1)).toBe(1);
  expect(concurrentBatches(exactVersion("0.26.0"), "v2", 1)).toBe(2);
  expect(concurrentBatches(exactVersion("0.26.0"), "v2", 4)).toBe(5);
  expect(concurrentBatches(exactVersion("0.26.0"), "v1", 1)).toBe(2);
  expect(concurrentBatches(exactVersion("0.26.0"), "v1", 4)).toBe(4);
});
