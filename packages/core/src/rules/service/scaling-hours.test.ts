import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import type { Service } from "../../platform/props.ts";
import { type OfficeHours, schedule } from "../../scaling/props.ts";
import { llama } from "./examples.ts";

const office: OfficeHours = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 2 };

function open(hours: Partial<OfficeHours>): Service {
  return llama({ scaling: schedule({ hours: [{ ...office, ...hours }] }) });
}

function remedies(service: Service): string[] {
  const { findings } = resolveService(service);
  return findings.filter((f) => f.id.startsWith("scaling.hours")).map((f) => `${f.id}: ${f.remedy}`);
}

// The end 00:00 on 1-5 is the start of Monday to Friday, so what opens on Friday closes on Monday.
test("the end of a day is 23:59, and following the advice leaves nothing to say", () => {
  expect(remedies(open({ to: "24:00" }))).toEqual([
    'scaling.hours.invalid: write it as "08:00"; a day starts at 00:00 and ends at 23:59',
  ]);
  expect(remedies(open({ to: "00:00" }))).toEqual([
    'scaling.hours.overnight: end the day at "23:59": both ends are on the same weekdays, and 00:00 is the start of a day',
  ]);
  expect(remedies(open({ to: "23:59" }))).toEqual([]);
});

test("a night is two windows, of which neither is empty", () => {
  expect(remedies(open({ from: "20:00", to: "06:00" }))).toEqual([
    "scaling.hours.overnight: write two windows: from 20:00 to 23:59, and from 00:00 to 06:00 on the days after",
  ]);
});
