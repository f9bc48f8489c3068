import { fit } from "@capstan/core";
import { expect, test } from "vitest";
import { memoryBars } from "./memory-bar.ts";

const bars = (query: Parameters<typeof fit>[0]) => memoryBars(fit(query)).split("\n");

test("letters are as many as their part of the GPU", () => {
  const answer = fit({ model: "meta-llama/Llama-3.1-8B-Instruct", gpu: "h100-80", engine: "vllm@0.19.0" });
  const [bar = ""] = memoryBars(answer).split("\n");
  const drawn = /\[(.*)\]/.exec(bar)?.[1] ?? "";
  expect(drawn).toHaveLength(64);
  const share = (letter: string) => drawn.split(letter).length - 1;
  expect(share("W")).toBe(Math.round((answer.memory.weightsGib / 79.19) * 64));
  // Small parts get one letter each, at the cost of what comes after them.
  expect(Math.abs(share("K") - (answer.memory.availableKvGib / 79.19) * 64)).toBeLessThan(2);
});

test("one bar for each GPU", () => {
  const lines = bars({
    model: "meta-llama/Llama-3.1-70B-Instruct",
    gpu: "h100-80",
    tensorParallel: 4,
    maxModelLen: 8192,
  });
  expect(lines.filter((line) => line.includes("GPU "))).toHaveLength(4);
});

test("what does not fit runs over the end", () => {
  const [bar = ""] = bars({ model: "meta-llama/Llama-3.1-70B-Instruct", gpu: "h100-80", maxModelLen: 8192 });
  expect(bar).toMatch(/\[W+>>\]$/);
});
