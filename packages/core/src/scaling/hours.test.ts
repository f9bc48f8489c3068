import { expect, test } from "vitest";
import { minutes, overlap, timezoneProblem, weekdays } from "./hours.ts";

const hours = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 1 };

test.each([
  ["00:00", 0],
  ["08:30", 510],
  ["23:59", 1439],
  ["24:00", null],
  ["8:30", null],
  ["08:60", null],
  ["0830", null],
  ["", null],
])("%s is %s minutes", (time, expected) => {
  expect(minutes(time)).toBe(expected);
});

test.each([
  ["1-5", [1, 2, 3, 4, 5]],
  ["*", [0, 1, 2, 3, 4, 5, 6]],
  ["MON-FRI", [1, 2, 3, 4, 5]],
  ["mon,wed,fri", [1, 3, 5]],
  ["0,6", [0, 6]],
  ["*/2", [0, 2, 4, 6]],
  ["1/2", [1, 3, 5]],
  ["1-7", null],
  ["7", null],
  ["5-1", null],
  ["Monday", null],
  ["1--5", null],
  ["1-5-6", null],
  ["", null],
  ["1,", null],
  ["*/0", null],
] as const)("cron weekdays %s", (field, expected) => {
  const days = weekdays(field);
  expect(days === null ? null : [...days]).toEqual(expected);
});

test.each([
  ["Europe/Berlin", null],
  ["UTC", null],
  ["US/Eastern", null],
  ["Asia/Calcutta", null],
  ["europe/berlin", 'is written "Europe/Berlin"'],
  ["Europe/Berln", 'is not in the IANA time zone database; did you mean "Europe/Berlin"?'],
  ["+01:00", "is not in the IANA time zone database"],
  ["CEST", "is not in the IANA time zone database"],
  ["", "is not in the IANA time zone database"],
])("time zone %s", (name, expected) => {
  if (expected === null) expect(timezoneProblem(name)).toBeNull();
  else expect(timezoneProblem(name)).toContain(expected);
});

test.each([
  ["the same days, later", { from: "17:00", to: "20:00" }, true],
  ["one after the other", { from: "18:00", to: "20:00" }, false],
  ["other days", { weekdays: "0,6" }, false],
  ["Sunday night into Monday morning", { weekdays: "0", from: "22:00", to: "09:00" }, true],
  ["Saturday night", { weekdays: "6", from: "22:00", to: "09:00" }, false],
  ["another time zone", { timezone: "Europe/Paris" }, false],
])("overlap with %s: %s", (_, other, expected) => {
  expect(overlap(hours, { ...hours, ...other })).toBe(expected);
  expect(overlap({ ...hours, ...other }, hours)).toBe(expected);
});

test("a window over the end of the week overlaps its beginning", () => {
  const saturday = { ...hours, weekdays: "6", from: "22:00", to: "06:00" };
  expect(overlap(saturday, { ...hours, weekdays: "0", from: "05:00", to: "07:00" })).toBe(true);
});
