import { findModel, type ModelFacts } from "@capstan/catalog";
import { expect, test } from "vitest";
import { Problems } from "./fit-error.ts";
import { parallelOf, splitProblem } from "./parallel.ts";

test.each([
  [{}, 1, 1, 1],
  [{ gpus: 4 }, 4, 1, 4],
  [{ gpus: 8, pipelineParallel: 2 }, 4, 2, 8],
  [{ tensorParallel: 2, pipelineParallel: 2 }, 2, 2, 4],
  [{ gpus: 4, tensorParallel: 2 }, 2, 1, 4],
])("%j: tensor %d, pipeline %d, %d GPUs", (query, tensorParallel, pipelineParallel, gpus) => {
  expect(parallelOf(query, new Problems())).toEqual({ tensorParallel, pipelineParallel, gpus });
});

test("heads, KV heads, vocabulary and MLP have to divide", () => {
  const model = (id: string) => findModel(id) as ModelFacts;
  // 14 heads, 2 KV heads.
  expect(splitProblem(model("Qwen/Qwen2.5-0.5B-Instruct"), 2)).toBeNull();
  expect(splitProblem(model("Qwen/Qwen2.5-0.5B-Instruct"), 4)).toContain("14 attention heads");
  // More ranks than KV heads: each head is copied.
  expect(splitProblem(model("google/gemma-3-27b-it"), 8)).toBeNull();
  expect(splitProblem(model("Qwen/Qwen2.5-7B-Instruct"), 7)).toContain("4 KV heads");
  expect(splitProblem(model("Qwen/Qwen3-14B"), 5)).toBe(
    "does not divide the 8 KV heads, the vocabulary of 151936 (padded to 151936), the MLP width of 17408 of Qwen/Qwen3-14B",
  );
});
