import { findModel, type ModelFacts, modelIds, type Precision } from "@capstan/catalog";
import fc from "fast-check";
import { expect, test } from "vitest";
import { supported } from "./testing/cases.ts";
import type { VllmMemory, VllmMemoryInput } from "./types.ts";

const decoders = modelIds.flatMap((id): readonly ModelFacts[] => {
  const found = findModel(id);
  return found?.generative === true && found.attention !== "encoder-decoder" ? [found] : [];
});

const versions = [
  "0.11.0",
  "0.16.0",
  "0.19.1",
  "0.20.0",
  "0.20.2",
  "0.22.1",
  "0.26.0",
  "0.27.1",
  "0.28.0",
  "0.29.0",
  "0.31.0",
  "0.33.0",
];
const precisions: readonly Precision[] = ["bf16", "fp8", "w4a16"];

const cases: fc.Arbitrary<VllmMemoryInput> = fc
  .record({
    model: fc.constantFrom(...decoders),
    version: fc.constantFrom(...versions),
    totalGib: fc.double({ min: 8, max: 190, noNaN: true }),
    computeCapability: fc.constantFrom("8.0", "8.9", "9.0", "10.0"),
    precision: fc.constantFrom(...precisions),
    tensorParallel: fc.constantFrom(1, 2, 4),
    pipelineParallel: fc.constantFrom(1, 2),
    gpuMemoryUtilization: fc.double({ min: 0.3, max: 0.97, noNaN: true }),
    maxModelLen: fc.integer({ min: 64, max: 131_072 }),
    maxNumSeqs: fc.constantFrom(16, 256, 1024),
    maxNumBatchedTokens: fc.constantFrom(2048, 8192),
  })
  .filter(
    ({ model, tensorParallel: tp }) =>
      model.attentionHeads % tp === 0 && (model.mla !== null || model.kvHeads % tp === 0 || tp % model.kvHeads === 0),
  )
  .map(({ totalGib, computeCapability, ...rest }) => ({
    ...rest,
    kvCacheDtype: "auto",
    device: { totalGib, computeCapability, isA100: false, gpusPerReplica: rest.tensorParallel * rest.pipelineParallel },
  }));

function holds(
  change: (of: VllmMemoryInput) => VllmMemoryInput,
  check: (before: VllmMemory, after: VllmMemory) => void,
) {
  fc.assert(
    fc.property(cases, (of) => {
      check(supported(of), supported(change(of)));
    }),
    { numRuns: 300 },
  );
}

test("more memory never means fewer tokens", () => {
  holds(
    (of) => ({ ...of, device: { ...of.device, totalGib: of.device.totalGib * 1.1 } }),
    (before, after) => {
      expect(after.kvCache.tokens).toBeGreaterThanOrEqual(before.kvCache.tokens);
      expect(after.longestContextTokens).toBeGreaterThanOrEqual(before.longestContextTokens);
    },
  );
});

test("a lower utilisation never means more tokens", () => {
  holds(
    (of) => ({ ...of, gpuMemoryUtilization: (of.gpuMemoryUtilization ?? 1) * 0.9 }),
    (before, after) => expect(after.kvCache.tokens).toBeLessThanOrEqual(before.kvCache.tokens),
  );
});

test("a longer context never means more requests at once", () => {
  holds(
    (of) => ({ ...of, maxModelLen: (of.maxModelLen as number) + 1000 }),
    (before, after) => {
      expect(after.kvCache.maxConcurrency).toBeLessThanOrEqual(before.kvCache.maxConcurrency);
      expect(after.kvCache.blocks).toBe(before.kvCache.blocks);
    },
  );
});

test("an fp8 KV cache never holds fewer tokens than a 16-bit one", () => {
  holds(
    (of) => ({ ...of, kvCacheDtype: "fp8" }),
    (before, after) => expect(after.kvCache.tokens).toBeGreaterThanOrEqual(before.kvCache.tokens),
  );
});

test("fewer sequences never mean fewer tokens", () => {
  holds(
    (of) => ({ ...of, maxNumSeqs: 8 }),
    (before, after) => expect(after.kvCache.tokens).toBeGreaterThanOrEqual(before.kvCache.tokens),
  );
});

test("the longest context serves, one token more does not, and blocks fill the memory", () => {
  fc.assert(
    fc.property(cases, (of) => {
      const result = supported(of);
      const { kvCache, memory, longestContextTokens: longest } = result;
      expect(kvCache.tokensRange.low).toBeLessThanOrEqual(kvCache.tokens);
      expect(kvCache.tokensRange.high).toBeGreaterThanOrEqual(kvCache.tokens);
      if (memory.availableKvGib > 0) {
        expect(kvCache.blocks).toBe(Math.floor((memory.availableKvGib * 2 ** 30) / kvCache.bytesPerBlock));
      } else expect(result.verdict).toBe("does-not-load");
      expect(result.verdict === "serves").toBe(longest >= result.resolved.maxModelLen);
      if (longest === 0) return;
      expect(supported({ ...of, maxModelLen: longest }).verdict).toBe("serves");
      if (longest < of.model.maxPositionEmbeddings) {
        expect(supported({ ...of, maxModelLen: longest + 1 }).verdict).not.toBe("serves");
      }
    }),
    { numRuns: 300 },
  );
});
