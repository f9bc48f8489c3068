import { expect, test } from "vitest";
import type { SpeedCalibration } from "./calibration-types.ts";
import { cycleOf, operatingPoint } from "./cycle.ts";
import { situationOf } from "./engine-speed.ts";
import { lonePromptSeconds, totalSeconds } from "./step.ts";
import { input, model, perfect } from "./testing/cases.ts";
import type { SpeedInput } from "./types.ts";

function cycle(change: Partial<SpeedInput>, batch: number, calibration: SpeedCalibration = perfect()) {
  const { replica, shape } = situationOf(input(change), calibration);
  return cycleOf(replica, shape, batch);
}

test("one sequence: 15.01 GB of weights and 1,050 tokens of KV at 3.35 TB/s", () => {
  const { step, seconds } = cycle({ promptTokens: 1000, outputTokens: 100 }, 1);
  expect(step.weights).toBeCloseTo(15_009_849_344 / 3350e9, 9);
  // 32 layers x 4,096 B x 1,050 tokens.
  expect(step.kv).toBeCloseTo((32 * 4096 * 1050) / 3350e9, 9);
  expect(step.compute).toBe(0);
  // The prompt: 2 x 6,979,588,096 x 1,000 + 32 layers x 16,384 x 1,000^2 / 2, at 989 TFLOP/s.
  const prompt = (2 * 6_979_588_096 * 1000 + (32 * 16_384 * 1000 ** 2) / 2) / 989e12;
  expect(seconds).toBeCloseTo(100 * (step.weights + step.kv) + prompt, 9);
});

test("with many sequences multiplying takes longer than reading: the ridge is at 989e12 / 3350e9 = 295", () => {
  expect(cycle({}, 295).step).toMatchObject({ compute: 0 });
  const { step } = cycle({}, 296);
  expect(step.weights).toBe(0);
  expect(step.compute).toBeCloseTo((296 * 15_009_849_344) / 989e12, 9);
});

test("all-reduces: 2 a layer, 2 x 3/4 of 4,096 x 2 B a token over 450 GB/s, and their latency", () => {
  const { step, prompt } = cycle(
    { tensorParallel: 4, promptTokens: 100, outputTokens: 10 },
    8,
    perfect({ allReduceSeconds: 1e-5 }),
  );
  const perToken = (2 * 32 * 8192 * 1.5) / 450e9;
  expect(step.communication).toBeCloseTo(8 * perToken + 2 * 32 * 1e-5, 12);
  expect(prompt.communication).toBeCloseTo(100 * perToken, 12);
});

test("hidden states pass through memory on every rank", () => {
  const of = (tensorParallel: number) =>
    cycle({ tensorParallel }, 100, perfect({ activationPasses: 10 })).step.activations;
  // 100 tokens x 32 layers x 8,192 B x 10 at 3.35 TB/s.
  expect(of(1)).toBeCloseTo((100 * 32 * 8192 * 10) / 3350e9, 12);
  expect(of(4)).toBe(of(1));
});

test("overhead: of the step, of each layer, of each sequence", () => {
  const calibration = perfect({ layerSeconds: 1e-5 }, { stepSeconds: 0.001, sequenceSeconds: 1e-4 });
  expect(cycle({}, 10, calibration).step.overhead).toBeCloseTo(0.001 + 32 * 1e-5 + 10 * 1e-4, 12);
  const dense = cycle({ tensorParallel: 2 }, 10, perfect({ expertLayerSeconds: 1e-4 })).step.overhead;
  const mixture = model("mistralai/Mixtral-8x7B-Instruct-v0.1");
  expect(dense).toBe(0);
  expect(
    cycle({ model: mixture, tensorParallel: 2 }, 10, perfect({ expertLayerSeconds: 1e-4 })).step.overhead,
  ).toBeCloseTo(32 * 1e-4, 12);
});

test("a mixture reads the experts that its tokens touch", () => {
  const mixture = model("mistralai/Mixtral-8x7B-Instruct-v0.1");
  const experts = 2 * 32 * 8 * 3 * 4096 * 14_336;
  const dense = 2 * (46_702_792_704 - 131_072_000) - experts;
  // Two tokens touch 1 - (3/4)^2 of them.
  expect(cycle({ model: mixture, gpu: "h200" }, 2).step.weights).toBeCloseTo((dense + 0.4375 * experts) / 4800e9, 9);
});

test("prompts longer than the answers' steps can carry make steps of their own", () => {
  const calibration = perfect({}, { stepSeconds: 0.01 });
  // 50 prompts of 2,000 tokens are 100,000 tokens, 12.2 steps of 8,192; the answers have 4.
  const { time } = cycle({ promptTokens: 2000, outputTokens: 4 }, 50, calibration);
  expect(time.overhead).toBeCloseTo((100_000 / 8192) * 0.01, 9);
});

test("cached prefixes are not computed again, but looked at", () => {
  const shape = { promptTokens: 1000, outputTokens: 1 };
  const { prompt } = cycle({ ...shape, prefixCacheHitRate: 0.75 }, 1);
  const pairs = 250 * 750 + 250 ** 2 / 2;
  expect(prompt.compute).toBeCloseTo((2 * 6_979_588_096 * 250 + 32 * 16_384 * pairs) / 989e12, 9);
});

test("speculation: three drafts a step are checked for one reading of weights, and gain 2.5 tokens", () => {
  const plain = cycle({ promptTokens: 0, outputTokens: 100 }, 1);
  const drafted = cycle(
    { promptTokens: 0, outputTokens: 100, speculation: { draftTokens: 3, tokensPerStep: 2.5, draftCostShare: 0.1 } },
    1,
  );
  expect(drafted.decodeSteps).toBe(40);
  expect(totalSeconds(drafted.step)).toBeCloseTo(1.1 * totalSeconds(plain.step), 12);
});

test("a pipeline of two works on two halves of the batch at once, each as slow as a batch of half the size", () => {
  const half = cycle({}, 50);
  const whole = cycle({ pipelineParallel: 2 }, 100);
  expect(whole.seconds).toBe(half.seconds);
  expect(whole.batch / whole.seconds).toBeCloseTo((2 * half.batch) / half.seconds, 9);
});

test("first token: half a step, then each chunk of the prompt in a step with the others", () => {
  const { replica, shape } = situationOf(input({ promptTokens: 20_000, outputTokens: 100 }), perfect());
  const { step, prompt } = cycleOf(replica, shape, 8);
  const point = operatingPoint(replica, shape, 8);
  // 20,000 tokens are 3 chunks of at most 8,192.
  expect(point.firstTokenSeconds).toBeCloseTo(3.5 * totalSeconds(step) + totalSeconds(prompt), 12);
  expect(point.chunkStepSeconds).toBeCloseTo(totalSeconds(step) + totalSeconds(prompt) / 3, 12);
});

test("a short prompt alone takes as long as reading the weights", () => {
  const { replica, shape } = situationOf(input({ promptTokens: 10, outputTokens: 10 }), perfect());
  const attention = (32 * 16_384 * 50) / 989e12;
  expect(lonePromptSeconds(replica, shape)).toBeCloseTo(15_009_849_344 / 3350e9 + attention, 9);
});
