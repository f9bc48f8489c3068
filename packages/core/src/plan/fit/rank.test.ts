import { gpuInstanceTypes } from "@capstan/catalog";
import { expect, test } from "vitest";
import { fit } from "./fit.ts";
import { rankFits } from "./rank.ts";

const query = { model: "meta-llama/Llama-3.1-8B-Instruct", maxModelLen: 8192 } as const;
const ranking = rankFits(query);
const serving = ranking.options.filter((option) => option.verdict === "serves");

test("the cheapest that serves is first, by what the instance costs", () => {
  expect(ranking.cheapest).toBe(0);
  const prices = serving.map((option) => option.cost.usdPerHour ?? Number.POSITIVE_INFINITY);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
  expect(ranking.options.slice(0, serving.length)).toEqual(serving);
});

test("every GPU instance type is there, or it is said why not", () => {
  const named = new Set([...ranking.options, ...ranking.notRanked].map((each) => each.instanceType));
  expect([...named].sort()).toEqual([...gpuInstanceTypes].sort());
  for (const { reason } of ranking.notRanked) expect(reason).toContain("was not read");
});

test("slices, degrees and published precisions are all tried", () => {
  expect(new Set(serving.map((option) => option.tensorParallel))).toEqual(new Set([1, 2, 4, 8]));
  expect(serving.some((option) => option.mig === "3g.40gb")).toBe(true);
  expect(new Set(serving.map((option) => option.precision))).toEqual(
    new Set(["bf16", "fp16", "fp8", "int8", "w4a16", "awq", "nvfp4"]),
  );
});

test("an option is the answer to its own query", () => {
  for (const at of [0, 40, 200]) {
    const option = ranking.options[at];
    const { remedies: _own, ...asked } = fit(option?.query ?? {});
    expect(option).toMatchObject(asked);
  }
});

test("of the next cheaper type that fails: what would make it fit", () => {
  const failing = ranking.options.filter((option) => option.verdict !== "serves");
  const explained = failing.filter((option) => option.remedies.length > 0);
  expect(explained).toHaveLength(1);
  const dearest = Math.max(...failing.map((option) => option.cost.usdPerHour ?? 0));
  expect(explained[0]?.cost.usdPerHour).toBe(dearest);
  expect(explained[0]?.remedies.some((each) => each.verdict === "serves")).toBe(true);
});

test("an objective that no small GPU meets moves the cheapest up", () => {
  const strict = rankFits({ ...query, promptTokens: 4000, outputTokens: 100, objectiveTtftP99Ms: 500 });
  const winner = strict.options[strict.cheapest ?? -1];
  expect(winner?.objective?.met).toBe(true);
  expect(winner?.cost.usdPerHour).toBeGreaterThan(ranking.options[0]?.cost.usdPerHour ?? 0);
});

test("nothing that is asked for is ignored", () => {
  const fixed = rankFits({ ...query, tensorParallel: 4, quantization: "fp8", region: "eu-west-1" });
  for (const option of fixed.options) expect(option).toMatchObject({ tensorParallel: 4, precision: "fp8", mig: null });
  expect(fixed.options[0]?.resolved.region).toBe("eu-west-1");
});

test("a model that fits nothing has no cheapest", () => {
  const none = rankFits({ model: "deepseek-ai/DeepSeek-V3", tensorParallel: 1 });
  expect(none.cheapest).toBeNull();
  expect(none.options.every((option) => option.verdict !== "serves")).toBe(true);
});

test("answers in under half a second once loaded", () => {
  rankFits({ model: "Qwen/Qwen3-8B" });
  const times = [0, 1, 2].map(() => {
    const start = performance.now();
    rankFits({ model: "Qwen/Qwen3-8B" });
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(500);
});
