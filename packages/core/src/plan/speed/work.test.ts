import { expect, test } from "vitest";
import { model } from "./testing/cases.ts";
import { attendedTokens, modelWork, promptPairs, touchedExperts } from "./work.ts";

const llama = model("meta-llama/Llama-3.1-8B-Instruct");
const of = (change: Partial<Parameters<typeof modelWork>[0]> = {}) =>
  modelWork({ model: llama, precision: "bf16", kvCacheDtype: "auto", tensorParallel: 1, ...change });

test("a step reads every matrix and the output head, not the embedding", () => {
  // 8,030,261,248 parameters less 525,336,576 of the embedding, x 2 B.
  expect(of().denseBytes).toBe(2 * (8_030_261_248 - 525_336_576));
  // FP8: 6,979,588,096 of the layers x 1 B, the head stays in 16 bits.
  expect(of({ precision: "fp8" }).denseBytes).toBe(6_979_588_096 + 2 * 525_336_576);
  expect(of({ tensorParallel: 4 }).denseBytes).toBe(of().denseBytes / 4);
});

test("a tied head is read although it has no parameters of its own", () => {
  const tied = of({ model: model("meta-llama/Llama-3.2-1B-Instruct") });
  expect(tied.denseBytes).toBe(2 * 1_235_814_400);
  expect(tied.headFlops).toBe(2 * 262_668_288);
});

test("attention: 8 KV heads of 128 in 16 bits are 4,096 B a token and layer; 32 heads score and sum 128 each", () => {
  expect(of().attention).toMatchObject({
    kvBytesPerLayer: 4096,
    flopsPerPair: 2 * 32 * 256,
    fullLayers: 32,
    windowLayers: 0,
  });
  expect(of({ kvCacheDtype: "fp8" }).attention.kvBytesPerLayer).toBe(2048);
  // With more ranks than KV heads each keeps a whole one.
  expect(of({ tensorParallel: 16 }).attention.kvBytesPerLayer).toBe(2 * 128 * 2);
});

test("latent attention keeps 512 + 64 values a token on every rank", () => {
  const { attention } = of({ model: model("deepseek-ai/DeepSeek-V3"), kvCacheDtype: "fp8", tensorParallel: 8 });
  expect(attention.kvBytesPerLayer).toBe(576);
  // 16 heads a rank, scores over 576, sums over 512.
  expect(attention.flopsPerPair).toBe(2 * 16 * (576 + 512));
});

test("experts: Mixtral has 8 of 3 x 4096 x 14336 in 32 layers, and uses 2", () => {
  const work = of({ model: model("mistralai/Mixtral-8x7B-Instruct-v0.1") });
  const experts = 32 * 8 * 3 * 4096 * 14_336;
  expect(work.expertBytes).toBe(2 * experts);
  expect(work.expertShare).toBe(0.25);
  expect(work.expertFlops).toBe((2 * experts) / 4);
  expect(work.denseFlops).toBe(2 * (46_702_792_704 - 2 * 131_072_000 - experts));
});

test("MXFP4 checkpoints keep what is not an expert in 16 bits", () => {
  const gptOss = model("openai/gpt-oss-20b");
  const quantised = of({ model: gptOss, precision: "mxfp4" });
  expect(quantised.denseBytes).toBe(of({ model: gptOss }).denseBytes);
  expect(quantised.expertBytes).toBe((of({ model: gptOss }).expertBytes / 2) * 0.53125);
});

test("one token reads its own experts, two share some, many read all", () => {
  expect(touchedExperts(0.25, 1)).toBe(0.25);
  // 1 - 0.75^2
  expect(touchedExperts(0.25, 2)).toBe(0.4375);
  expect(touchedExperts(0.25, 200)).toBeCloseTo(1, 12);
  expect(touchedExperts(0, 5)).toBe(0);
});

test("windows bound what a token looks at", () => {
  // Gemma 2: every other of 26 layers has a window of 4,096.
  const { attention } = of({ model: model("google/gemma-2-2b-it") });
  expect([attention.fullLayers, attention.windowLayers, attention.window]).toEqual([13, 13, 4096]);
  expect(attendedTokens(attention, 10_000)).toBe(13 * 10_000 + 13 * 4096);
  expect(attendedTokens(attention, 100)).toBe(26 * 100);
});

test("a prompt's tokens look at all before them", () => {
  const layer = { kvBytesPerLayer: 1, flopsPerPair: 1, fullLayers: 1, windowLayers: 0, window: 0 };
  // 3 new tokens after 2 cached: 3 x 2 + 3^2 / 2.
  expect(promptPairs(layer, 2, 3)).toBe(10.5);
  // Window of 4, 6 new tokens: 4^2 / 2 until it is full, then 2 x 4.
  expect(promptPairs({ ...layer, fullLayers: 0, windowLayers: 1, window: 4 }, 0, 6)).toBe(16);
  // Two thirds cached: the window is full after one more token (3 + 0.5), then 2 x 4.
  expect(promptPairs({ ...layer, fullLayers: 0, windowLayers: 1, window: 4 }, 3, 3)).toBe(11.5);
});
