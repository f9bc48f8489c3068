import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fit } from "./fit.ts";
import type { FitAnswer, FitQuery } from "./types.ts";

const models = [
  "meta-llama/Llama-3.1-8B-Instruct",
  "Qwen/Qwen3-30B-A3B",
  "google/gemma-3-27b-it",
  "deepseek-ai/DeepSeek-V2-Lite-Chat",
  "microsoft/Phi-3-mini-4k-instruct",
] as const;
const engines = ["vllm@0.11.0", "vllm@0.19.0", "vllm@0.25.1", "vllm@0.33.0"] as const;
const rank = { "does-not-load": 0, "cannot-serve-one-request": 1, serves: 2 } as const;

const query = fc.record({
  model: fc.constantFrom(...models),
  engine: fc.constantFrom(...engines),
  tensorParallel: fc.constantFrom(1, 2, 4),
  maxNumSeqs: fc.constantFrom(16, 256, 1024),
  maxModelLen: fc.integer({ min: 16, max: 4096 }),
  gpu: fc.constant("h100-80"),
});

const about = { numRuns: 60 };

test("more memory never serves less", () => {
  fc.assert(
    fc.property(
      query,
      fc.double({ min: 8, max: 69, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (given, small, more) => {
        // Both below the 70 GiB or both above: the engine changes its batch by the size of the device.
        const large = Math.min(69.9, small + more);
        const before = fit({ ...given, totalGpuMemoryGib: small });
        const after = fit({ ...given, totalGpuMemoryGib: large });
        expect(rank[after.verdict]).toBeGreaterThanOrEqual(rank[before.verdict]);
        expect(after.kvCache.tokens).toBeGreaterThanOrEqual(before.kvCache.tokens);
      },
    ),
    about,
  );
});

test("a longer context never serves more at once", () => {
  fc.assert(
    fc.property(query, fc.integer({ min: 1, max: 2000 }), (given, more) => {
      // Batch and steps fixed: left open, the engine cuts them to a short context and keeps more memory for KV.
      const fixed = { ...given, maxNumSeqs: 16, maxNumBatchedTokens: 2048 };
      const long = { ...fixed, maxModelLen: Math.min(4096, given.maxModelLen + more) };
      expect(fit(long).kvCache.maxConcurrency).toBeLessThanOrEqual(fit(fixed).kvCache.maxConcurrency + 1e-9);
    }),
    about,
  );
});

test("remedies are sorted by gain, none makes it worse, and each is what running it gives", () => {
  fc.assert(
    fc.property(query, fc.double({ min: 8, max: 80, noNaN: true }), (given, totalGpuMemoryGib) => {
      const answer: FitAnswer = fit({ ...given, totalGpuMemoryGib });
      const gains = answer.remedies.map((each) => each.gainGib);
      expect(gains).toEqual([...gains].sort((a, b) => b - a));
      for (const { change, verdict } of answer.remedies) {
        expect(rank[verdict]).toBeGreaterThanOrEqual(rank[answer.verdict]);
        const seqs = /^--max-num-seqs (\d+)$/.exec(change);
        const length = /^--max-model-len (\d+)$/.exec(change);
        const again: FitQuery = { ...given, totalGpuMemoryGib };
        if (seqs) expect(fit({ ...again, maxNumSeqs: Number(seqs[1]) }).verdict).toBe(verdict);
        if (length) expect(fit({ ...again, maxModelLen: Number(length[1]) }).verdict).toBe("serves");
      }
    }),
    about,
  );
});

test("a bigger batch never gives fewer tokens in all", () => {
  fc.assert(
    fc.property(fc.constantFrom(...models), fc.integer({ min: 1, max: 60 }), (model, concurrency) => {
      const at = (n: number) =>
        fit({ model, gpu: "h100-80", maxModelLen: 2048, promptTokens: 300, outputTokens: 100, concurrency: n })
          .throughput.outputTokensPerSecond?.expected ?? 0;
      expect(at(concurrency + 1)).toBeGreaterThanOrEqual(at(concurrency) * (1 - 1e-9));
    }),
    { numRuns: 25 },
  );
});
