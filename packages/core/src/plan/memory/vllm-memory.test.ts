import { expect, test } from "vitest";
import { h100, input, l4, l40s, supported, times } from "./testing/cases.ts";
import type { VllmMemoryInput } from "./types.ts";
import { GIB } from "./units.ts";

const llama8 = "meta-llama/Llama-3.1-8B-Instruct";
const llama70 = "meta-llama/Llama-3.1-70B-Instruct";

/** vLLM start-up logs on an H100 of 79.19 GiB: what was logged against what is computed. */
interface Logged {
  readonly of: VllmMemoryInput;
  readonly availableGib: number;
  readonly tokens: number | null;
}
const v19: Partial<VllmMemoryInput> = { version: "0.19.0", gpuMemoryUtilization: 0.95, maxModelLen: 8192 };
const two = times(h100, 2);
const logged: readonly Logged[] = [
  { of: input("codellama/CodeLlama-7b-hf", v19), availableGib: 61.66, tokens: 126_256 },
  { of: input("deepseek-ai/DeepSeek-V2-Lite-Chat", v19), availableGib: 43.61, tokens: 1_505_552 },
  { of: input("ibm-granite/granite-3.1-2b-instruct", v19), availableGib: 69.28, tokens: 908_048 },
  { of: input("Qwen/Qwen1.5-MoE-A2.7B", v19), availableGib: 45.83, tokens: 250_304 },
  { of: input("Qwen/Qwen3-30B-A3B", v19), availableGib: 15.41, tokens: 168_288 },
  { of: input(llama8, { ...v19, precision: "w4a16" }), availableGib: 67.71, tokens: 554_704 },
  {
    of: input(llama70, { ...v19, precision: "int8", tensorParallel: 2, device: two }),
    availableGib: 37.28,
    tokens: 244_304,
  },
  {
    of: input("mistralai/Mistral-Small-3.1-24B-Instruct-2503", {
      ...v19,
      precision: "int8",
      device: two,
      tensorParallel: 2,
    }),
    availableGib: 59.02,
    tokens: 773_584,
  },
  { of: input("Qwen/Qwen3-14B", { ...v19, version: "0.16.0" }), availableGib: 41.94, tokens: 274_848 },
  { of: input("Qwen/Qwen3-14B", { ...v19, version: "0.18.0" }), availableGib: 45.23, tokens: 296_400 },
];

test("measured starts: KV memory within 0.3 GiB, tokens within half a per cent", () => {
  for (const { of, availableGib, tokens } of logged) {
    const result = supported(of);
    expect(Math.abs(result.memory.availableKvGib - availableGib), of.model.id).toBeLessThan(0.3);
    expect(Math.abs(result.kvCache.tokens / (tokens as number) - 1), of.model.id).toBeLessThan(0.005);
    expect(result.verdict).toBe("serves");
    expect(result.calibration.extrapolated).toBe(false);
    expect(result.kvCache.tokensRange.low).toBeLessThanOrEqual(tokens as number);
    expect(result.kvCache.tokensRange.high).toBeGreaterThanOrEqual(tokens as number);
  }
});

test("FIT-04: the context is longer than the KV memory", () => {
  const on = (maxModelLen?: number) => supported(input(llama8, { device: l4, gpuMemoryUtilization: 0.9, maxModelLen }));
  const unset = on();
  expect(unset.resolved.maxModelLen).toBe(131_072);
  expect(unset.verdict).toBe("cannot-serve-one-request");
  expect(unset.verdictRange.optimistic).toBe("cannot-serve-one-request");
  expect(unset.longestContextTokens).toBeGreaterThan(8192);
  expect(on(8192).verdictRange).toEqual({ pessimistic: "serves", optimistic: "serves" });
  // The advice is true: the longest length serves, one token more does not.
  expect(on(unset.longestContextTokens).verdict).toBe("serves");
  expect(on(unset.longestContextTokens + 1).verdict).toBe("cannot-serve-one-request");
});

test("FIT-04: 70B on two H100", () => {
  const on = (version: string, maxModelLen?: number) =>
    supported(input(llama70, { version, device: two, tensorParallel: 2, maxModelLen }));
  for (const version of ["0.19.1", "0.28.0", "0.33.0"]) {
    expect(on(version).verdict).not.toBe("serves");
    expect(on(version).verdictRange.optimistic).not.toBe("serves");
  }
  // 16,384 needs 2.5 GiB a GPU. With 1024 sequences it is a close call in the newest band, and with fewer it serves.
  expect(on("0.28.0", 16_384).verdict).toBe("serves");
  expect(on("0.33.0", 16_384).verdictRange.optimistic).toBe("serves");
});

test("FIT-05: weights beyond the GPU do not load", () => {
  for (const version of ["0.19.1", "0.33.0"]) {
    const on = (id: string, rest: Partial<VllmMemoryInput>) => supported(input(id, { version, ...rest }));
    const one70 = on(llama70, { maxModelLen: 8192 });
    expect(one70.verdictRange.optimistic).toBe("does-not-load");
    expect(one70.longestContextTokens).toBe(0);
    const four = on(llama70, { device: times(l40s, 4), tensorParallel: 4, maxModelLen: 8192 });
    expect(four.verdict).toBe("serves");
    expect(on("Qwen/Qwen2.5-14B-Instruct", { device: l4, maxModelLen: 8192 }).verdictRange.optimistic).toBe(
      "does-not-load",
    );
    // Close calls: never surely refused, never surely served.
    const int4 = on(llama70, { device: l40s, precision: "int4", maxModelLen: 8192 });
    expect(int4.verdictRange).toMatchObject({ optimistic: "serves" });
    expect(int4.verdictRange.pessimistic).not.toBe("serves");
    const fp8 = (maxModelLen: number) => on(llama70, { precision: "fp8", maxModelLen }).verdictRange;
    expect(fp8(131_072).optimistic).not.toBe("serves");
    expect(fp8(8192).pessimistic).not.toBe("serves");
    expect(fp8(2048).optimistic).toBe("serves");
  }
});

test("the arithmetic adds up to what is left", () => {
  for (const version of ["0.19.0", "0.24.0", "0.28.0", "0.33.0"]) {
    const { memory, arithmetic } = supported(input(llama8, { version }));
    const of = (name: string) =>
      arithmetic.filter((line) => line.name.startsWith(name)).reduce((sum, line) => sum + line.gib, 0);
    const uncounted = arithmetic
      .filter((line) => line.how.includes("not counted"))
      .reduce((sum, { gib }) => sum + gib, 0);
    const counted =
      of("weights") + of("activation") + of("non-torch") + of("sampler tables") + of("CUDA graphs") - uncounted;
    expect(of("requested") - counted).toBeCloseTo(memory.availableKvGib, 6);
    expect(uncounted).toBeCloseTo(memory.outsideBudgetGib, 9);
    expect(of("weights")).toBeCloseTo(memory.weightsGib, 9);
  }
});

test("graphs and sampler tables count from the versions that count them", () => {
  const at = (version: string) => supported(input(llama8, { version })).memory;
  expect(at("0.19.0").outsideBudgetGib).toBe(at("0.19.0").cudaGraphGib);
  expect(at("0.20.0").outsideBudgetGib).toBe(0);
  // 0.24 runs Llama on V2, which counts neither: 4.125 x 1024 x 128,256 bytes of tables.
  const tables = (4.125 * 1024 * 128_256) / GIB;
  expect(at("0.24.0").outsideBudgetGib).toBeCloseTo(tables + at("0.24.0").cudaGraphGib, 9);
  expect(at("0.28.0").samplerTablesGib).toBeCloseTo(tables, 9);
  expect(at("0.28.0").outsideBudgetGib).toBe(at("0.28.0").cudaGraphGib);
  expect(at("0.33.0").outsideBudgetGib).toBe(0);
});

test("eager mode gives the graphs' memory to the KV cache where they are counted", () => {
  const graphs = supported(input(llama8)).memory;
  const eager = supported(input(llama8, { enforceEager: true })).memory;
  expect(eager.cudaGraphGib).toBe(0);
  expect(eager.availableKvGib).toBeCloseTo(graphs.availableKvGib + graphs.cudaGraphGib, 6);
});

test("bands without a measured start say so and are less sure", () => {
  const old = supported(input(llama8, { version: "0.19.0" }));
  expect(old.calibration).toMatchObject({ band: "0.17-0.19", runner: "v1", extrapolated: false });
  expect(old.memory.uncertaintyGib).toBe(0.3);
  const newest = supported(input(llama8, { enforceEager: true }));
  expect(newest.calibration).toEqual({ band: "0.33", runner: "v2", extrapolated: true, medianErrorPercent: null });
  expect(newest.memory.uncertaintyGib).toBe(0.8);
  // Half of the graph estimate on top where one is subtracted unseen.
  const graphs = supported(input(llama8)).memory;
  expect(graphs.uncertaintyGib).toBeCloseTo(0.8 + graphs.cudaGraphGib / 2, 9);
});

test("a fixed KV size takes the place of utilisation", () => {
  const fixed = supported(input(llama8, { kvCacheMemoryBytes: 4 * GIB, maxModelLen: 8192 }));
  // 2 MiB a block.
  expect(fixed.kvCache.blocks).toBe(2048);
  expect(fixed.kvCache.tokens).toBe(32_768);
  expect(fixed.kvCache.tokensRange).toEqual({ low: 32_768, high: 32_768 });
  expect(fixed.kvCache.maxConcurrency).toBe(4);
  expect(fixed.verdict).toBe("serves");
  // 15 GiB of weights and 10 of KV are more than an L4 has, though the engine would not say so.
  expect(supported(input(llama8, { device: l4, kvCacheMemoryBytes: 10 * GIB })).verdict).toBe("does-not-load");
});

test("a fixed number of blocks takes the place of the computed one", () => {
  const at = (version: string, numGpuBlocksOverride: number) =>
    supported(input(llama8, { version, numGpuBlocksOverride, maxModelLen: 8192 }));
  expect(at("0.28.0", 512).kvCache.blocks).toBe(512);
  expect(at("0.28.0", 512).verdict).toBe("serves");
  // 0.29 holds one block back.
  expect(at("0.29.0", 512).verdict).toBe("cannot-serve-one-request");
  expect(at("0.29.0", 513).verdict).toBe("serves");
  // 40,000 blocks of 2 MiB are 78 GiB.
  expect(at("0.29.0", 40_000).verdict).toBe("does-not-load");
});

test("auto takes the longest length that fits", () => {
  const auto = supported(input(llama8, { device: l4, maxModelLen: "auto" }));
  expect(auto.verdict).toBe("serves");
  expect(auto.resolved.maxModelLen).toBe(auto.longestContextTokens);
  expect(auto.kvCache.maxConcurrency).toBeGreaterThanOrEqual(1);
  expect(auto.kvCache.maxConcurrency).toBeLessThan(1.01);
  expect(supported(input(llama8, { maxModelLen: "auto" })).resolved.maxModelLen).toBe(131_072);
  expect(supported(input(llama70, { device: l4, maxModelLen: "auto" })).verdict).toBe("does-not-load");
});

test("logged weights take the place of the computed ones", () => {
  const given = supported(input(llama8, { weightsGibOverride: 20 }));
  const computed = supported(input(llama8));
  expect(given.memory.weightsGib).toBe(20);
  expect(given.memory.availableKvGib).toBeCloseTo(computed.memory.availableKvGib + computed.memory.weightsGib - 20, 6);
});

test("sliding layers save nothing while the length is below the window and the steps in flight", () => {
  // Gemma 3 27B, 8192 tokens, 2 x 8192 in flight: seven groups of about 512 blocks.
  const gemma = supported(input("google/gemma-3-27b-it", { maxModelLen: 8192 }));
  expect(gemma.kvCache.blocksPerRequest).toBe(512 + 6 * 513);
  const small = supported(input("google/gemma-3-27b-it", { maxModelLen: 8192, maxNumBatchedTokens: 1024 }));
  // ceil((1023 + 2 x 1024) / 16) + 1 = 193.
  expect(small.kvCache.blocksPerRequest).toBe(512 + 6 * 193);
});

test("a pipeline is as good as its last stage, which carries the sampler", () => {
  const { memory, kvCache } = supported(input(llama70, { device: two, pipelineParallel: 2, maxModelLen: 8192 }));
  // 40 layers a stage x 4096 B x 16 tokens.
  expect(kvCache.bytesPerBlock).toBe(40 * 4096 * 16);
  expect(memory.samplerTablesGib).toBeGreaterThan(0);
});

test("block size and prefix caching are as given", () => {
  const result = supported(input(llama8, { blockSize: 64, prefixCaching: false, maxModelLen: 8192 }));
  expect(result.kvCache.blockSize).toBe(64);
  expect(result.kvCache.bytesPerBlock).toBe(8 * 2 ** 20);
  expect(result.kvCache.blocksPerRequest).toBe(128);
  expect(result.resolved.prefixCaching).toBe(false);
  expect(supported(input(llama8)).resolved.prefixCaching).toBe(true);
});

test("the result is plain JSON and the input is left alone", () => {
  const of = Object.freeze(input(llama8));
  const result = supported(of);
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
});
