import { findModel, type GpuModel, gpu, type ModelFacts, modelIds, type Precision } from "@capstan/catalog";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { calibration } from "./calibration.ts";
import { cycleOf } from "./cycle.ts";
import { situationOf } from "./engine-speed.ts";
import { effectiveRates } from "./hardware.ts";
import { supported } from "./testing/cases.ts";
import type { SpeedEstimate, SpeedInput } from "./types.ts";

const decoders = modelIds.flatMap((id): readonly ModelFacts[] => {
  const found = findModel(id);
  return found?.generative === true && found.attention !== "encoder-decoder" ? [found] : [];
});
const gpus: readonly GpuModel[] = [
  "t4",
  "a10g",
  "l4",
  "l40s",
  "a100-80",
  "h100-80",
  "h200",
  "b200",
  "rtx-pro-6000-blackwell",
];
const precisions: readonly Precision[] = ["fp16", "fp8", "int8", "awq"];

const cases: fc.Arbitrary<SpeedInput> = fc.record({
  model: fc.constantFrom(...decoders),
  engine: fc.constantFrom("vllm" as const, "tensorrt-llm" as const),
  engineVersion: fc.constantFrom("0.5.4", "0.33.0"),
  precision: fc.constantFrom(...precisions),
  kvCacheDtype: fc.constantFrom("auto", "fp8"),
  gpu: fc.constantFrom(...gpus),
  tensorParallel: fc.constantFrom(1, 2, 4),
  pipelineParallel: fc.constantFrom(1, 2),
  deviceShare: fc.constant({ bandwidth: 1, compute: 1 }),
  kvTokens: fc.integer({ min: 20_000, max: 2_000_000 }),
  maxNumSeqs: fc.constantFrom(16, 256, 1024),
  maxNumBatchedTokens: fc.constantFrom(2048, 8192),
  promptTokens: fc.integer({ min: 0, max: 8000 }),
  outputTokens: fc.integer({ min: 1, max: 4000 }),
  concurrency: fc.option(fc.integer({ min: 1, max: 1000 })),
  prefixCacheHitRate: fc.constantFrom(0, 0.5),
});

function holds(
  change: (of: SpeedInput) => SpeedInput,
  check: (before: SpeedEstimate, after: SpeedEstimate) => void,
): void {
  fc.assert(
    fc.property(cases, (of) => {
      check(supported(of), supported(change(of)));
    }),
    { numRuns: 300 },
  );
}

/** Not less, apart from the last digits. */
function atLeast(after: number, before: number): void {
  expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-9));
}

const rate = (speed: SpeedEstimate): number => speed.outputTokensPerSecond.expected;

test("a bigger batch never serves fewer tokens", () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 500 }), (of, concurrency) => {
      atLeast(rate(supported({ ...of, concurrency: concurrency + 1 })), rate(supported({ ...of, concurrency })));
    }),
    { numRuns: 300 },
  );
});

test("more KV memory never serves less", () => {
  holds(
    (of) => ({ ...of, kvTokens: of.kvTokens * 1.5 }),
    (before, after) => {
      atLeast(rate(after), rate(before));
      atLeast(after.capacity, before.capacity);
    },
  );
});

test("more bandwidth or more arithmetic is never slower", () => {
  for (const of of ["bandwidth", "compute"] as const) {
    fc.assert(
      fc.property(cases, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (input, share) => {
        const part = supported({ ...input, deviceShare: { bandwidth: 1, compute: 1, [of]: share } });
        const whole = supported(input);
        atLeast(rate(whole), rate(part));
        atLeast(part.ttftSeconds.expected, whole.ttftSeconds.expected);
        atLeast(part.interTokenSeconds.expected, whole.interTokenSeconds.expected);
      }),
      { numRuns: 300 },
    );
  }
});

test("a longer prompt is never faster, and never lets more requests in", () => {
  holds(
    (of) => ({ ...of, promptTokens: of.promptTokens + 500 }),
    (before, after) => {
      atLeast(rate(before), rate(after));
      atLeast(before.capacity, after.capacity);
      atLeast(after.prefillSeconds, before.prefillSeconds);
    },
  );
});

test("a prefix that is cached is never slower than one that is not", () => {
  holds(
    (of) => ({ ...of, prefixCacheHitRate: (of.prefixCacheHitRate ?? 0) + 0.4 }),
    (before, after) => atLeast(rate(after), rate(before)),
  );
});

test("ranges hold the expectation, are no wider than a factor of three, and all figures are finite", () => {
  fc.assert(
    fc.property(cases, (of) => {
      const speed = supported(of);
      for (const { low, expected, high } of [
        speed.outputTokensPerSecond,
        speed.requestsPerSecond,
        speed.ttftSeconds,
        speed.interTokenSeconds,
      ]) {
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThan(expected);
        expect(high).toBeGreaterThan(expected);
        expect(high / low).toBeLessThanOrEqual(3);
        expect(Number.isFinite(high)).toBe(true);
      }
      expect(speed.batch).toBeLessThanOrEqual(speed.capacity);
    }),
    { numRuns: 300 },
  );
});

test("requests in flight are what Little's law says: rate x time of a request", () => {
  fc.assert(
    fc.property(cases, (of) => {
      const speed = supported(of);
      const residence = speed.interTokenSeconds.expected * of.outputTokens;
      expect(speed.requestsPerSecond.expected * residence).toBeCloseTo(speed.batch, 6);
    }),
    { numRuns: 300 },
  );
});

test("no step beats the hardware: neither its bandwidth nor its arithmetic", () => {
  fc.assert(
    fc.property(cases, (of) => {
      const { replica, shape, limit, rate: peak } = situationOf(of, calibration);
      const cycle = cycleOf(replica, shape, limit.batch);
      const facts = gpu(of.gpu);
      const raw = effectiveRates(facts, facts.bandwidthGBps ?? Number.NaN, peak, of.deviceShare, {
        ...calibration.hardware,
        weightBandwidth: 1,
        compute: { half: 1, byte: 1, nibble: 1 },
        unpackedCompute: 1,
      });
      const { work } = replica;
      const tokens = cycle.sequences * (cycle.decodeSteps + shape.freshTokens);
      const flops = tokens * (work.denseFlops + work.expertFlops);
      expect(cycle.seconds).toBeGreaterThan((cycle.decodeSteps * work.denseBytes) / raw.weightBytesPerSecond);
      expect(cycle.seconds).toBeGreaterThan(flops / raw.flopsPerSecond);
    }),
    { numRuns: 300 },
  );
});
