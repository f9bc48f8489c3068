import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OfficeHours } from "../../scaling/props.ts";
import type { ResolvedScaling, ScalingBehaviour } from "../../scaling/resolved.ts";
import { dailyShape, weeklyReplicas } from "./week.ts";

const behaviour: ScalingBehaviour = {
  scaleUp: { stabilizationSeconds: 15, pods: 2, periodSeconds: 60 },
  scaleDown: { stabilizationSeconds: 300, pods: 1, periodSeconds: 120 },
};

function keda(min: number, max: number, hours: readonly OfficeHours[], target: number | null): ResolvedScaling {
  return {
    by: "keda",
    min,
    max,
    triggers: [],
    fallback: null,
    pollingSeconds: 15,
    cooldownSeconds: 300,
    behaviour,
    targetPerReplica: target,
    hours,
  };
}

const office: OfficeHours = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "19:00", replicas: 2 };

test("flat load has no peak", () => {
  for (const hour of dailyShape(1)) expect(hour).toBeCloseTo(1, 9);
});

test("a day's mean is 1 and its busiest hour is 14:00 at peakToMean", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 12, noNaN: true }), (peak) => {
      const shape = dailyShape(peak);
      expect(shape.reduce((a, b) => a + b, 0) / 24).toBeCloseTo(1, 6);
      expect(shape[14]).toBeCloseTo(peak, 4);
      expect(Math.max(...shape)).toBe(shape[14]);
    }),
  );
});

test("five days of eleven hours are 55 of 168 hours", () => {
  const hours = weeklyReplicas(keda(0, 2, [office], null), null);
  expect(hours.filter((n) => n === 2)).toHaveLength(55);
  expect(hours.filter((n) => n === 0)).toHaveLength(113);
  // Monday 07:00 is still outside, 08:00 inside, 18:00 inside, 19:00 outside; Saturday noon outside.
  expect([hours[7], hours[8], hours[18], hours[19], hours[5 * 24 + 12]]).toEqual([0, 2, 2, 0, 0]);
});

test("a window over midnight belongs to the evening's day", () => {
  const hours = weeklyReplicas(
    keda(0, 1, [{ ...office, weekdays: "5", from: "22:00", to: "02:00", replicas: 1 }], null),
    null,
  );
  const inside = hours.flatMap((n, hour) => (n === 1 ? [hour] : []));
  // Friday is the fifth day: 22:00 and 23:00, then Saturday 00:00 and 01:00.
  expect(inside).toEqual([4 * 24 + 22, 4 * 24 + 23, 5 * 24, 5 * 24 + 1]);
});

test.each([
  ["*", 7],
  ["1-5", 5],
  ["mon-fri", 5],
  ["0,6", 2],
  ["7", 1],
])("weekdays %s are %i days", (weekdays, days) => {
  const hours = weeklyReplicas(
    keda(0, 1, [{ ...office, weekdays, from: "00:00", to: "23:00", replicas: 1 }], null),
    null,
  );
  expect(hours.filter((n) => n === 1)).toHaveLength(days * 23);
});

test("load moves replicas inside the limits: 7 requests a second on replicas of 1.4 a second need five", () => {
  const demand = { requestsPerDay: 7 * 86_400, peakToMean: 1, requestsPerSecondPerReplica: 1.4 };
  expect(new Set(weeklyReplicas(keda(1, 8, [], 16), demand))).toEqual(new Set([5]));
  expect(new Set(weeklyReplicas(keda(1, 3, [], 16), demand))).toEqual(new Set([3]));
});

test("nobody's number stands, whatever the load", () => {
  const demand = { requestsPerDay: 1e9, peakToMean: 3, requestsPerSecondPerReplica: 1 };
  expect(new Set(weeklyReplicas({ by: "nobody", min: 2, max: 2 }, demand))).toEqual(new Set([2]));
});
