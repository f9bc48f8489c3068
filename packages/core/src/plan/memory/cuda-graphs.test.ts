import { expect, test } from "vitest";
import { captureSizes, cudaGraphs } from "./cuda-graphs.ts";
import { exactVersion } from "./engine-version.ts";
import { model } from "./testing/cases.ts";
import { GIB } from "./units.ts";

const sizes = (version: string, maxNumSeqs: number, maxNumBatchedTokens: number, computeCapability = "9.0") =>
  captureSizes({ version: exactVersion(version), maxNumSeqs, maxNumBatchedTokens, computeCapability });

test("51 sizes at a cap of 512, 83 at the 1024 of Blackwell", () => {
  expect(sizes("0.33.0", 1024, 8192)).toHaveLength(51);
  expect(sizes("0.33.0", 1024, 8192, "10.0")).toHaveLength(83);
  expect(sizes("0.27.1", 1024, 8192, "10.0")).toHaveLength(51);
});

test("the cap is twice the sequences", () => {
  expect(sizes("0.19.0", 8, 8192)).toEqual([1, 2, 4, 8, 16]);
  expect(sizes("0.33.0", 5, 8192)).toEqual([1, 2, 4, 5, 8]);
});

test("a small token budget is captured itself from 0.20", () => {
  expect(sizes("0.19.0", 256, 12)).toEqual([1, 2, 4, 8]);
  expect(sizes("0.20.0", 256, 12)).toEqual([1, 2, 4, 8, 12]);
});

test("graphs grow with layers and captured sizes; eager mode has none", () => {
  const common = {
    model: model("meta-llama/Llama-3.1-8B-Instruct"),
    version: exactVersion("0.19.0"),
    computeCapability: "9.0",
    layers: 32,
    maxNumSeqs: 1024,
    maxNumBatchedTokens: 8192,
    enforceEager: false,
    constants: { cudaGraphGibPerLayer: { dense: 0.025, mixture: 0.05 } },
  };
  expect(cudaGraphs(common).bytes).toBeCloseTo(0.8 * GIB, 3);
  expect(cudaGraphs({ ...common, maxNumSeqs: 8 }).bytes).toBeCloseTo((0.8 * GIB * 5) / 51, 3);
  expect(cudaGraphs({ ...common, model: model("Qwen/Qwen3-30B-A3B") }).bytes).toBeCloseTo(1.6 * GIB, 3);
  expect(cudaGraphs({ ...common, enforceEager: true }).bytes).toBe(0);
});
