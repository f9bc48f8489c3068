import * as fc from "fast-check";
import { expect, test } from "vitest";
import { largestLoad, loadLatency } from "./load-latency.ts";
import { input, supported } from "./testing/cases.ts";
import type { OperatingPoint } from "./types.ts";

function point(change: Partial<OperatingPoint>): OperatingPoint {
  return {
    batch: 1,
    requestsPerSecond: 1,
    interTokenSeconds: 0.01,
    firstTokenSeconds: 0,
    promptSeconds: 0,
    chunkStepSeconds: 0.01,
    promptChunks: 1,
    ...change,
  };
}

test("one slot of a request a second is M/M/1: at half load a mean wait of 1 s, and 7.8 s in one of a hundred", () => {
  const { ttftSeconds, batch, utilisation } = loadLatency({ speed: { curve: [point({})] }, requestsPerSecond: 0.5 });
  // rho / (mu - lambda) = 0.5 / 0.5; ln(0.5 / 0.01) / 0.5.
  expect(ttftSeconds?.mean).toBeCloseTo(1, 12);
  expect(ttftSeconds?.p99).toBeCloseTo(Math.log(50) / 0.5, 9);
  expect([batch, utilisation]).toEqual([0.5, 0.5]);
});

test("behind other prompts: 0.5 a second of 0.4 s each wait 0.2 x 0.4 / 0.8 = 0.1 s", () => {
  // Room for a thousand: nobody waits for a slot.
  const curve = [
    point({ batch: 1, promptSeconds: 0.4 }),
    point({ batch: 1000, requestsPerSecond: 100, promptSeconds: 0.4 }),
  ];
  const { ttftSeconds } = loadLatency({ speed: { curve }, requestsPerSecond: 0.5 });
  expect(ttftSeconds?.mean).toBeCloseTo(0.1, 9);
  // ln(0.2 / 0.01) x 0.4 / 0.8.
  expect(ttftSeconds?.p99).toBeCloseTo(Math.log(20) * 0.5, 9);
});

test("between two operating points the batch is the one that completes what arrives", () => {
  const curve = [point({}), point({ batch: 8, requestsPerSecond: 5, interTokenSeconds: 0.03 })];
  const { batch, interTokenSeconds } = loadLatency({ speed: { curve }, requestsPerSecond: 3 });
  expect(batch).toBeCloseTo(4.5, 12);
  expect(interTokenSeconds?.mean).toBeCloseTo(0.02, 12);
});

test("steps with a prompt in them count once they are more than one in a hundred", () => {
  const curve = [point({}), point({ batch: 10, requestsPerSecond: 10, chunkStepSeconds: 0.2 })];
  const at = (requestsPerSecond: number) => loadLatency({ speed: { curve }, requestsPerSecond }).interTokenSeconds?.p99;
  // 0.9 a second x 0.01 s a step: one step in 111.
  expect(at(0.9)).toBe(0.01);
  expect(at(9.9)).toBeGreaterThan(0.19);
});

test("what arrives faster than the replica completes waits for ever, and has no latency", () => {
  const speed = supported(input());
  const saturated = loadLatency({ speed, requestsPerSecond: speed.requestsPerSecond.expected });
  expect(saturated).toMatchObject({ saturated: true, ttftSeconds: null, interTokenSeconds: null, batch: null });
});

test("more load is never faster", () => {
  const speed = supported(input());
  fc.assert(
    fc.property(
      fc.double({ min: 0.01, max: 0.98, noNaN: true }),
      fc.double({ min: 0.001, max: 0.01, noNaN: true }),
      (part, more) => {
        const at = (share: number) =>
          loadLatency({ speed, requestsPerSecond: share * speed.requestsPerSecond.expected });
        const [low, high] = [at(part), at(part + more)];
        for (const key of ["mean", "p99"] as const) {
          expect(high.ttftSeconds?.[key]).toBeGreaterThanOrEqual((low.ttftSeconds?.[key] ?? Number.NaN) * (1 - 1e-9));
          expect(high.interTokenSeconds?.[key]).toBeGreaterThanOrEqual(
            (low.interTokenSeconds?.[key] ?? Number.NaN) * (1 - 1e-9),
          );
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("the largest load meets its objective, and a little more does not", () => {
  const speed = supported(input());
  const { requestsPerSecond, concurrency } = largestLoad(speed, { ttftP99Seconds: 0.5 });
  const p99 = (rate: number) =>
    loadLatency({ speed, requestsPerSecond: rate }).ttftSeconds?.p99 ?? Number.POSITIVE_INFINITY;
  expect(p99(requestsPerSecond)).toBeLessThanOrEqual(0.5);
  expect(p99(requestsPerSecond * 1.001)).toBeGreaterThan(0.5);
  expect(concurrency).toBeGreaterThan(1);
  expect(requestsPerSecond).toBeLessThan(speed.requestsPerSecond.expected);
});

test("an objective below the prompt's own time is met by no load", () => {
  const speed = supported(input());
  expect(largestLoad(speed, { ttftP99Seconds: 0.0001 })).toEqual({
    requestsPerSecond: 0,
    concurrency: 0,
    latency: null,
  });
});
