import { nearest } from "@capstan/catalog";
import type { OfficeHours } from "./props.ts";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
export const ALL_DAYS = DAYS.length;
const MINUTES_PER_DAY = 24 * 60;

/** Minutes after midnight of `08:30`; null: not a time of day. */
export function minutes(time: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

/**
 * Days of a cron field with Sunday 0, as the parser of KEDA reads it: names or 0 to 6, lists, ranges and steps. Null
 * where it refuses the field; 7 for Sunday is one of those.
 */
export function weekdays(field: string): ReadonlySet<number> | null {
  const days = new Set<number>();
  for (const part of field.split(",")) {
    const [, range = "", step = "1"] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const [first, last] = ends(range, part.includes("/"));
    if (first === null || last === null || first > last || Number(step) < 1) return null;
    for (let day = first; day <= last; day += Number(step)) days.add(day);
  }
  return days;
}

function ends(range: string, stepped: boolean): readonly [number | null, number | null] {
  if (range === "*" || range === "?") return [0, ALL_DAYS - 1];
  const [from = "", to, ...more] = range.split("-");
  if (more.length > 0) return [null, null];
  const first = dayOf(from);
  // `1/2` is every second day from Monday on.
  return [first, to === undefined ? (stepped ? ALL_DAYS - 1 : first) : dayOf(to)];
}

function dayOf(text: string): number | null {
  const named = DAYS.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  return /^[0-6]$/.test(text) ? Number(text) : null;
}

/** Over midnight: the end lies on the next day. */
export function isOvernight({ from, to }: OfficeHours): boolean {
  const [start, end] = [minutes(from), minutes(to)];
  return start !== null && end !== null && end < start;
}

/** True where both windows are open at one moment of the week. Windows of different time zones are not compared. */
export function overlap(a: OfficeHours, b: OfficeHours): boolean {
  if (a.timezone !== b.timezone) return false;
  return intervals(a).some(([start, end]) => intervals(b).some(([from, to]) => start < to && from < end));
}

/** Minutes of the week, Sunday 00:00 first; what runs into the next week appears at both ends. */
function intervals(hours: OfficeHours): (readonly [number, number])[] {
  const [start, end, days] = [minutes(hours.from), minutes(hours.to), weekdays(hours.weekdays)];
  if (start === null || end === null || days === null) return [];
  const length = (end - start + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return [...days].flatMap((day) => {
    const from = day * MINUTES_PER_DAY + start;
    const week = ALL_DAYS * MINUTES_PER_DAY;
    return [
      [from, from + length] as const,
      ...(from + length > week ? [[from - week, from + length - week] as const] : []),
    ];
  });
}

const known = new Map<string, string | null>();
let canonical: readonly string[] | undefined;

/** Null for a name of the IANA time zone database; else what is wrong with it and the nearest name. */
export function timezoneProblem(name: string): string | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  const problem = findTimezoneProblem(name);
  known.set(name, problem);
  return problem;
}

function findTimezoneProblem(name: string): string | null {
  canonical ??= Intl.supportedValuesOf("timeZone");
  if (name === "UTC" || canonical.includes(name)) return null;
  // File names in the database, so case counts there; `Intl` forgives it, and takes offsets that the database lacks.
  const otherwise = canonical.find((zone) => zone.toLowerCase() === name.toLowerCase());
  if (otherwise !== undefined) return `is written "${otherwise}"`;
  if (/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(name) && isKnownToIntl(name)) return null;
  const near = nearest(name, canonical);
  return `is not in the IANA time zone database${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function isKnownToIntl(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
