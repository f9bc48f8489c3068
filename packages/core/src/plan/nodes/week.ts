import type { OfficeHours } from "../../scaling/props.ts";
import type { ResolvedScaling } from "../../scaling/resolved.ts";

export const HOURS_PER_WEEK = 168;
/** Hours of a month as AWS bills it on average. */
export const HOURS_PER_MONTH = 730;
const HOURS_PER_DAY = 24;
const BUSIEST_HOUR = 14;

/**
 * Load of each hour of a day relative to the mean, busiest at 14:00, falling off exponentially so that the mean is 1
 * and the busiest hour `peakToMean`. All services of a platform are taken to peak together.
 */
export function dailyShape(peakToMean: number): number[] {
  const rate = decay(Math.max(1, peakToMean));
  const ranked = Array.from({ length: HOURS_PER_DAY }, (_, rank) => Math.exp((-rate * rank) / HOURS_PER_DAY));
  const mean = ranked.reduce((a, b) => a + b, 0) / HOURS_PER_DAY;
  const byDistance = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour).sort(
    (a, b) => distance(a) - distance(b) || a - b,
  );
  const shape = new Array<number>(HOURS_PER_DAY).fill(0);
  for (const [rank, hour] of byDistance.entries()) shape[hour] = (ranked[rank] ?? 0) / mean;
  return shape;
}

function distance(hour: number): number {
  const away = Math.abs(hour - BUSIEST_HOUR);
  return Math.min(away, HOURS_PER_DAY - away);
}

/** The exponent for which the busiest of 24 hours is `peak` times the mean, by bisection. */
function decay(peak: number): number {
  const ratio = (rate: number) => {
    let sum = 0;
    for (let rank = 0; rank < HOURS_PER_DAY; rank++) sum += Math.exp((-rate * rank) / HOURS_PER_DAY);
    return HOURS_PER_DAY / sum;
  };
  let low = 0;
  let high = 1;
  while (ratio(high) < Math.min(peak, HOURS_PER_DAY - 1e-6) && high < 1e4) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (ratio(middle) < peak) low = middle;
    else high = middle;
  }
  return low;
}

export interface Demand {
  readonly requestsPerDay: number;
  readonly peakToMean: number;
  /** That one replica is planned for; null: not known, so the load does not move the replicas. */
  readonly requestsPerSecondPerReplica: number | null;
}

/** Replicas in every hour of a week, Monday 00:00 first. */
export function weeklyReplicas(scaling: ResolvedScaling, demand: Demand | null): number[] {
  const shape = demand ? dailyShape(demand.peakToMean) : null;
  const loadedAt = (hour: number) => (demand && shape ? wanted(demand, shape[hour % HOURS_PER_DAY] ?? 1) : 0);
  return Array.from({ length: HOURS_PER_WEEK }, (_, hour) => replicasAt(scaling, loadedAt(hour), hour));
}

function replicasAt(scaling: ResolvedScaling, loaded: number, hour: number): number {
  switch (scaling.by) {
    case "nobody":
      return scaling.max;
    case "hpa":
      return clamp(loaded, scaling.min, scaling.max);
    case "keda": {
      const byQueue = scaling.targetPerReplica === null ? 0 : loaded;
      return clamp(Math.max(byQueue, floorAt(scaling.hours, hour)), scaling.min, scaling.max);
    }
  }
}

function wanted(demand: Demand, relativeLoad: number): number {
  if (demand.requestsPerSecondPerReplica === null) return 0;
  const load = (demand.requestsPerDay / 86_400) * relativeLoad;
  return Math.ceil(load / demand.requestsPerSecondPerReplica - 1e-9);
}

/** Replicas that office hours ask for in an hour of the week. */
function floorAt(hours: readonly OfficeHours[], hour: number): number {
  return Math.max(0, ...hours.filter((window) => isInside(window, hour)).map((window) => window.replicas));
}

function isInside(window: OfficeHours, hour: number): boolean {
  const day = Math.floor(hour / HOURS_PER_DAY);
  const [from, to] = [toHour(window.from), toHour(window.to)];
  const at = hour % HOURS_PER_DAY;
  const days = weekdays(window.weekdays);
  if (from < to) return days.has(day) && at + 1 > from && at < to;
  // Over midnight: the evening belongs to the day, the morning to the day after.
  return (days.has(day) && at + 1 > from) || (days.has((day + 6) % 7) && at < to);
}

function toHour(time: string): number {
  const [hour = "0", minute = "0"] = time.split(":");
  return Number(hour) + Number(minute) / 60;
}

/** Cron weekdays as days with Monday 0; Sunday is 0 and 7 in cron. */
function weekdays(field: string): Set<number> {
  const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
  const value = (text: string) => {
    const named = names.indexOf(text.toLowerCase().slice(0, 3));
    return named >= 0 ? named : Number(text);
  };
  const days = new Set<number>();
  for (const part of field === "*" ? ["0-6"] : field.split(",")) {
    const [first = "", last = first] = part.split("-");
    for (let day = value(first); day <= value(last); day++) days.add((day + 6) % 7);
  }
  return days;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
