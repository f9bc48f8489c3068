import { expect, test } from "vitest";
import type { UsablePoint as UsableStart } from "../calibrate/points.ts";
import type { Judged } from "../calibrate-speed/report.ts";
import { holds, memoryBars, speedBars } from "./bars.ts";
import type { JudgedStart } from "./memory.ts";

/** Only what the bars look at. */
function figure(ratio: number, inside: boolean, high = 2.9): Judged {
  return { ratio, inside, speed: { outputTokensPerSecond: { low: 1, expected: 1.5, high } } } as unknown as Judged;
}

function start(change: Partial<JudgedStart>, tensorParallel = 1): JudgedStart {
  const point = {
    assumed: [],
    succeeded: true,
    input: { tensorParallel },
    model: { moe: null },
  } as unknown as UsableStart;
  return { point, band: "v1 0.17-0.19", error: 0.1, availableOffGib: 0.1, verdictRight: true, ...change };
}

const failing = (bars: ReturnType<typeof speedBars>) =>
  bars.filter((bar) => !holds(bar)).map(({ name }) => name.split(",")[0]);

test("speed: eight of ten inside and nine of ten within 1.5x hold", () => {
  const some = [...Array.from({ length: 8 }, () => figure(1.2, true)), figure(1.4, false), figure(1.6, false)];
  expect(failing(speedBars(some))).toEqual([]);
});

test("speed: seven of ten inside, eight of ten within, or a range of 3.1 fail", () => {
  const good = Array.from({ length: 7 }, () => figure(1, true));
  expect(failing(speedBars([...good, ...Array.from({ length: 3 }, () => figure(1.2, false))]))).toEqual([
    "speed: points inside low..high",
  ]);
  expect(failing(speedBars([...good, figure(1, true), figure(0.6, true), figure(1.6, true)]))).toEqual([
    "speed: expected within a factor of 1.5",
  ]);
  expect(failing(speedBars([...good, figure(1, true, 3.1)]))).toEqual(["speed: widest range"]);
});

test("memory: a wrong verdict, a bad point or a bad median fails", () => {
  expect(failing(memoryBars([start({}), start({ error: 4.9 }), start({})]))).toEqual([]);
  expect(failing(memoryBars([start({}), start({ verdictRight: false })]))).toEqual(["memory: wrong verdicts"]);
  expect(failing(memoryBars([start({}), start({}), start({ error: 5.1 })]))).toEqual([
    "memory: worst error of KV tokens",
  ]);
  expect(failing(memoryBars([start({ error: 0.6 })]))).toEqual(["memory: median error of KV tokens"]);
  expect(failing(memoryBars([start({ availableOffGib: 0.4 })]))).toEqual(["memory: available KV"]);
});

test("memory: wider tensor parallelism is not what the bars are about", () => {
  expect(failing(memoryBars([start({}), start({ error: 20 }, 8)]))).toEqual([]);
});

test("no point at all is a failure, not a perfect score", () => {
  expect(failing(speedBars([]))).toEqual(["speed: points inside low..high", "speed: expected within a factor of 1.5"]);
  expect(failing(memoryBars([]))).toContain("memory: median error of KV tokens");
});
