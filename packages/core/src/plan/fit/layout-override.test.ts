import { findModel, type ModelFacts } from "@capstan/catalog";
import { expect, test } from "vitest";
import { publishedConfig, read } from "../../model/hub-config/testing/published.ts";
import { loggedByLayout } from "./layout-override.ts";

const one = { tensorParallel: 1, pipelineParallel: 1, gpus: 1 };

test("ordinary models are left to the memory model", () => {
  for (const id of [
    "meta-llama/Llama-3.1-8B-Instruct",
    "microsoft/phi-2",
    "Qwen/Qwen3-30B-A3B",
    "google/gemma-3-4b-it",
  ]) {
    expect(loggedByLayout({ facts: findModel(id) as ModelFacts, precision: "bf16" }, one)).toBeUndefined();
  }
});

test("MiniCPM3's latent projections are far smaller than 40 heads of 96 make them", () => {
  const { facts } = read(publishedConfig("openbmb/MiniCPM3-4B"));
  // All parameters in 16 bits, and a rotary table of 32768 x 96.
  const gib = (facts.parameters.total * 2 + 32_768 * 96 * 2) / 2 ** 30;
  expect(loggedByLayout({ facts, precision: "bf16" }, one)).toBeCloseTo(gib, 6);
  const two = loggedByLayout({ facts, precision: "bf16" }, { ...one, tensorParallel: 2 });
  expect(two).toBeCloseTo((facts.parameters.total + 32_768 * 96 * 2) / 2 ** 30, 6);
});
