import { onQueue, schedule } from "@capstan/core";
import { expect, test } from "vitest";
import { queueScaling } from "./platform.ts";

const officeHours = { timezone: "America/New_York", weekdays: "1-5", from: "08:00", to: "19:00" };

test("office hours: min runs in them, the queue adds up to max, nothing runs outside", () => {
  expect(queueScaling({ officeHours }, { min: 1, max: 3 })).toEqual(
    onQueue({ min: 0, max: 3, hours: [{ ...officeHours, replicas: 1 }] }),
  );
});

test("office hours of a number that does not vary: the clock alone", () => {
  expect(queueScaling({ officeHours }, { min: 2, max: 2 })).toEqual(
    schedule({ hours: [{ ...officeHours, replicas: 2 }], outside: 0 }),
  );
});

test("without office hours max is the queue's too", () => {
  expect(queueScaling({}, { min: 2, max: 8 })).toEqual(onQueue({ min: 2, max: 8 }));
});
