import { expect, test } from "vitest";
import { FitError } from "./fit-error.ts";
import { parseQuery, queryKeys } from "./query.ts";

function messages(query: unknown): readonly string[] {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof FitError) return error.problems.map((problem) => problem.message);
    throw error;
  }
  return [];
}

test("null is the same as left out", () => {
  expect(parseQuery({ model: "a", quantization: null, maxNumSeqs: null })).toEqual({ model: "a" });
});

test("every problem is told, each with key, value and what is valid", () => {
  const found = messages({
    model: 7,
    maxNumSeqs: 0,
    gpuMemoryUtilization: 1.2,
    enforceEager: "yes",
    maxModelLen: "long",
  });
  expect(found).toEqual([
    "model is 7: must be a text",
    "maxNumSeqs is 0: must be a whole number from 1 to 65536",
    "gpuMemoryUtilization is 1.2: must be a number above 0, at most 1",
    'enforceEager is "yes": must be true or false',
    'maxModelLen is "long": must be a whole number from 1 to 1073741824, or "auto"',
  ]);
});

test("an unknown key names the nearest", () => {
  expect(messages({ maxNumSeq: 4 })).toEqual(['maxNumSeq is 4: not a key of a query; did you mean "maxNumSeqs"?']);
  expect(messages({ zzz: 4 })[0]).toContain("known: model, modelConfig");
});

test.each([
  ["tensorParallel", -1],
  ["tensorParallel", 1.5],
  ["pipelineParallel", 1000],
  ["totalGpuMemoryGib", -79],
  ["totalGpuMemoryGib", 1e9],
  ["totalGpuMemoryGib", "79"],
  ["promptTokens", 0],
  ["concurrency", -5],
  ["parameters", -8e9],
  ["weightsGib", 0],
  ["blockSize", 17],
  ["blockSize", 0],
  ["modelConfig", "config.json"],
  ["modelConfig", []],
  ["objectiveTtftP99Ms", 0],
  ["shared", 0],
])("%s %j is refused", (key, value) => {
  const [message, ...others] = messages({ [key]: value });
  expect(message).toContain(`${key} is ${JSON.stringify(value)}`);
  expect(others).toEqual([]);
});

test.each([null, [], "fit", 3])("%j is no query", (query) => {
  expect(messages(query)[0]).toContain("a query is an object");
});

test("the keys of the contract are all there", () => {
  expect(queryKeys).toEqual(
    expect.arrayContaining([
      "model",
      "modelConfig",
      "parameters",
      "weightsGib",
      "gpu",
      "instanceType",
      "mig",
      "shared",
      "gpus",
      "engine",
      "tensorParallel",
      "pipelineParallel",
      "gpuMemoryUtilization",
      "maxModelLen",
      "maxNumSeqs",
      "maxNumBatchedTokens",
      "blockSize",
      "kvCacheDtype",
      "quantization",
      "dtype",
      "enforceEager",
      "totalGpuMemoryGib",
      "promptTokens",
      "outputTokens",
      "concurrency",
      "region",
    ]),
  );
});
