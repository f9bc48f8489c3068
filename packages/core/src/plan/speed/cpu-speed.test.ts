import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type CpuSpeedInput, cpuSpeed } from "./cpu-speed.ts";
import { model } from "./testing/cases.ts";

const of = (change: Partial<CpuSpeedInput> = {}) =>
  cpuSpeed({
    model: model("meta-llama/Llama-3.1-8B-Instruct"),
    precision: "bf16",
    vcpus: 64,
    memoryGBpsPerVcpu: 3.6,
    instructions: "amx",
    promptTokens: 220,
    outputTokens: 184,
    concurrency: 86,
    ...change,
  });

function holdsPublished(speed: ReturnType<typeof of>, published: number): void {
  const { low, expected, high } = speed.outputTokensPerSecond;
  expect(published).toBeGreaterThan(low);
  expect(published).toBeLessThan(high);
  // The middle is near too, not just the wide range around it.
  expect(expected / published).toBeGreaterThan(0.65);
  expect(expected / published).toBeLessThan(1.55);
}

test("OVMS, Llama 3 8B in 16 bits on 32 cores of a Xeon 6972P: 386 tokens a second", () => {
  // 386 tokens/s x 0.2236 s a token: 86 requests in flight. 16.06 GB at 64 x 3.6 x 0.6 GB/s: 116 ms a step.
  holdsPublished(of(), 2317.29 / 6);
  expect(16_060_522_496 / (64 * 3.6e9 * 0.6)).toBeCloseTo(0.1162, 4);
});

test("m7i.8xlarge, 7B in INT8: about 100 tokens a second with AMX, 25 to 27 without (16 requests of 128 and 128 tokens)", () => {
  const m7i = {
    model: model("codellama/CodeLlama-7b-hf"),
    precision: "int8",
    vcpus: 32,
    memoryGBpsPerVcpu: 3.2,
    promptTokens: 128,
    outputTokens: 128,
    concurrency: 16,
  } as const;
  holdsPublished(of({ ...m7i, instructions: "amx" }), 100);
  holdsPublished(of({ ...m7i, instructions: "avx512" }), 26);
});

test("one request is bound by reading the weights: 8.03 GB of INT8 at 32 x 3.2 x 0.6 GB/s", () => {
  const speed = of({
    precision: "int8",
    vcpus: 32,
    memoryGBpsPerVcpu: 3.2,
    promptTokens: 0,
    outputTokens: 100,
    concurrency: 1,
  });
  // 8,030,261,248 B + 50 tokens x 131,072 B of KV over 61.44e9 B/s: 130.8 ms.
  expect(speed.interTokenSeconds?.expected).toBeCloseTo((8_030_261_248 + 50 * 131_072) / 61.44e9, 9);
  expect(speed.limitedBy).toBe("bandwidth");
});

test("an encoder has requests and a first answer, and no tokens", () => {
  const speed = of({
    model: model("BAAI/bge-base-en-v1.5"),
    precision: "fp32",
    vcpus: 8,
    memoryGBpsPerVcpu: 3.2,
    instructions: "avx512",
    promptTokens: 256,
    outputTokens: 0,
    concurrency: 4,
  });
  // 12 layers of 4 x 768^2 + 2 x 768 x 3,072 and 25 norms; each token looks at all 256; 8 x 25 GFLOP/s.
  const parameters = 12 * (4 * 768 ** 2 + 2 * 768 * 3072) + 25 * 768;
  const flops = 2 * parameters * 256 + 12 * 2 * 768 * 2 * 256 ** 2;
  expect(speed.requestsPerSecond.expected).toBeCloseTo(200e9 / flops, 9);
  expect(speed.outputTokensPerSecond.expected).toBe(0);
  expect(speed.interTokenSeconds).toBeNull();
  expect(speed.limitedBy).toBe("compute");
});

test("more cores, better instructions and more requests never serve less; the range is a factor of five", () => {
  const shape = fc.record({
    vcpus: fc.integer({ min: 2, max: 96 }),
    promptTokens: fc.integer({ min: 1, max: 4000 }),
    outputTokens: fc.integer({ min: 1, max: 1000 }),
    concurrency: fc.integer({ min: 1, max: 256 }),
  });
  fc.assert(
    fc.property(shape, (change) => {
      const rate = (more: Partial<CpuSpeedInput>) =>
        of({ ...change, ...more }).outputTokensPerSecond.expected * (1 + 1e-9);
      const base = of({ ...change, instructions: "avx512" }).outputTokensPerSecond;
      expect(rate({ instructions: "amx" })).toBeGreaterThanOrEqual(base.expected);
      expect(rate({ instructions: "avx512", vcpus: change.vcpus + 1 })).toBeGreaterThanOrEqual(base.expected);
      expect(rate({ instructions: "avx512", concurrency: change.concurrency + 1 })).toBeGreaterThanOrEqual(
        base.expected,
      );
      expect(base.high / base.low).toBeLessThanOrEqual(5);
    }),
    { numRuns: 200 },
  );
});
