import { ALL_DAYS, isOvernight, minutes, overlap, timezoneProblem, weekdays } from "../../scaling/hours.ts";
import { type OfficeHours, onQueue, schedule } from "../../scaling/props.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const office: OfficeHours = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 2 };

function open(...hours: readonly Partial<OfficeHours>[]) {
  return llama({ scaling: schedule({ hours: hours.map((h) => ({ ...office, ...h })) }) });
}

function hoursOf({ scaling }: ResolvedService): readonly OfficeHours[] {
  return scaling.by === "keda" ? scaling.hours : [];
}

export const noHours = serviceRule({
  id: "scaling.hours.empty",
  severity: "error",
  acknowledgeable: false,
  reason: "KEDA refuses a ScaledObject without triggers.",
  reference: "KEDA ScaledObject CRD, triggers minItems 1",
  check: ({ scaling }) =>
    scaling.by === "keda" && scaling.targetPerReplica === null && scaling.hours.length === 0
      ? [
          {
            at: "scaling.hours",
            message: "a schedule without hours",
            remedy: "give at least one window, or use fixed(n)",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "empty list", declare: () => open(), at: "scaling.hours" }],
    good: [{ title: "one window", declare: () => open({}) }],
  },
});

export const invalidHours = serviceRule({
  id: "scaling.hours.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "KEDA's cron trigger takes five valid fields whose start differs from the end; with others it stays in error and no window ever opens.",
  reference: "KEDA cron scaler; robfig/cron v3 parser",
  check: (service) =>
    hoursOf(service).flatMap((hours, i) => {
      const at = `scaling.hours.${i}`;
      const hits = [];
      for (const key of ["from", "to"] as const) {
        if (minutes(hours[key]) === null)
          hits.push({
            at: `${at}.${key}`,
            message: `"${hours[key]}" is not a time of day`,
            remedy: 'write it as "08:00"; a day starts at 00:00 and ends at 23:59',
          });
      }
      if (hours.from === hours.to)
        hits.push({
          at: `${at}.to`,
          message: `the window starts and ends at ${hours.to}`,
          remedy: "give another end; for whole days use fixed(n) or two windows",
        });
      if (weekdays(hours.weekdays) === null)
        hits.push({
          at: `${at}.weekdays`,
          message: `"${hours.weekdays}" is not a cron field of weekdays: numbers 0 (Sunday) to 6 or names, lists and ranges`,
          remedy: 'write "1-5" for Monday to Friday, "0,6" for the weekend, "*" for every day',
        });
      const zone = timezoneProblem(hours.timezone);
      if (zone !== null)
        hits.push({
          at: `${at}.timezone`,
          message: `"${hours.timezone}" ${zone}`,
          remedy: 'write a name such as "Europe/Berlin" or "UTC"',
        });
      return hits;
    }),
  examples: {
    bad: [
      { title: "hour alone", declare: () => open({ from: "8" }), at: "scaling.hours.0.from" },
      { title: "hour that does not exist", declare: () => open({ to: "24:00" }), at: "scaling.hours.0.to" },
      { title: "no time between", declare: () => open({ from: "08:00", to: "08:00" }), at: "scaling.hours.0.to" },
      { title: "Sunday as 7", declare: () => open({ weekdays: "1-7" }), at: "scaling.hours.0.weekdays" },
      { title: "words", declare: () => open({}, { weekdays: "weekdays" }), at: "scaling.hours.1.weekdays" },
      { title: "offset", declare: () => open({ timezone: "+01:00" }), at: "scaling.hours.0.timezone" },
      { title: "misspelt zone", declare: () => open({ timezone: "Europe/Berln" }), at: "scaling.hours.0.timezone" },
      {
        title: "in the queue's hours",
        declare: () => llama({ scaling: onQueue({ min: 0, max: 4, hours: [{ ...office, timezone: "CET+1" }] }) }),
        at: "scaling.hours.0.timezone",
      },
    ],
    good: [
      { title: "office", declare: () => open({}) },
      { title: "names", declare: () => open({ weekdays: "MON-FRI" }) },
      { title: "UTC", declare: () => open({ timezone: "UTC" }) },
    ],
  },
});

export const hoursReplicas = serviceRule({
  id: "scaling.hours.replicas",
  severity: "error",
  reason:
    "A window raises the number of replicas while it is open: none, or one outside of the range, changes nothing or less than it says.",
  reference: "KEDA cron scaler, desiredReplicas",
  check: (service) =>
    hoursOf(service).flatMap(({ replicas }, i) => {
      const { min, max } = service.scaling;
      const at = `scaling.hours.${i}.replicas`;
      if (replicas < 1)
        return [
          {
            at,
            message: `${replicas} replicas inside the window`,
            remedy: "use 1 or more: hours say when replicas run; outside of them min holds",
          },
        ];
      if (replicas > max)
        return [
          {
            at,
            message: `${replicas} replicas are above max ${max}`,
            remedy: `raise max to ${replicas}, or lower replicas`,
          },
        ];
      if (replicas <= min)
        return [
          {
            at,
            message: `${replicas} replicas run at all times (${service.scaling.by === "keda" && service.scaling.targetPerReplica === null ? "outside" : "min"} is ${min})`,
            remedy: "raise replicas of the window, or lower the number outside of it",
          },
        ];
      return [];
    }),
  examples: {
    bad: [
      { title: "zero, meant as closing time", declare: () => open({ replicas: 0 }), at: "scaling.hours.0.replicas" },
      {
        title: "above max",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 4, hours: [{ ...office, replicas: 6 }] }) }),
        at: "scaling.hours.0.replicas",
      },
      {
        title: "not above min",
        declare: () => llama({ scaling: onQueue({ min: 2, max: 4, hours: [office] }) }),
        at: "scaling.hours.0.replicas",
      },
    ],
    good: [
      { title: "inside the range", declare: () => llama({ scaling: onQueue({ min: 1, max: 4, hours: [office] }) }) },
      { title: "schedule", declare: () => open({}) },
    ],
  },
});

export const overnightWeekend = serviceRule({
  id: "scaling.hours.overnight",
  severity: "warning",
  reason:
    "Both ends of a window have the same weekdays: one that runs over midnight on Friday next ends on Monday, and the weekend is paid for.",
  reference: "kedacore/keda pkg/scalers/cron_scaler.go",
  check: (service) =>
    hoursOf(service).flatMap((hours, i) => {
      const days = weekdays(hours.weekdays);
      if (!isOvernight(hours) || days === null || days.size === ALL_DAYS) return [];
      return [
        {
          at: `scaling.hours.${i}`,
          message: `${hours.from} to ${hours.to} on "${hours.weekdays}" stays open from the last of these nights to the next`,
          remedy:
            minutes(hours.to) === 0
              ? 'end the day at "23:59": both ends are on the same weekdays, and 00:00 is the start of a day'
              : `write two windows: from ${hours.from} to 23:59, and from 00:00 to ${hours.to} on the days after`,
        },
      ];
    }),
  examples: {
    bad: [
      { title: "nights of the week", declare: () => open({ from: "20:00", to: "06:00" }), at: "scaling.hours.0" },
      { title: "until the end of the day", declare: () => open({ to: "00:00" }), at: "scaling.hours.0" },
    ],
    good: [
      { title: "until the last minute of the day", declare: () => open({ to: "23:59" }) },
      { title: "every night", declare: () => open({ from: "20:00", to: "06:00", weekdays: "*" }) },
      { title: "days", declare: () => open({}) },
    ],
  },
});

export const overlappingHours = serviceRule({
  id: "scaling.hours.overlap",
  severity: "info",
  reason: "Of windows that are open together the one with most replicas counts; they do not add up.",
  reference: "KEDA concepts, several triggers",
  check: (service) => {
    const hours = hoursOf(service);
    return hours.flatMap((window, i) => {
      const other = hours.findIndex((earlier, j) => j < i && overlap(earlier, window));
      return other < 0
        ? []
        : [
            {
              at: `scaling.hours.${i}`,
              message: `overlaps window ${other}: ${Math.max(window.replicas, hours[other]?.replicas ?? 0)} replicas run then`,
              remedy: "give the sum where both are meant, or part the windows",
            },
          ];
    });
  },
  examples: {
    bad: [
      { title: "lunch", declare: () => open({}, { from: "11:00", to: "14:00", replicas: 4 }), at: "scaling.hours.1" },
    ],
    good: [
      { title: "one after the other", declare: () => open({}, { from: "18:00", to: "20:00" }) },
      { title: "other days", declare: () => open({}, { weekdays: "6" }) },
    ],
  },
});
