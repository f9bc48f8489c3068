import { coverageKey, engineConstants } from "../../packages/core/src/plan/speed/bands.ts";
import type { EngineConstants, SpeedCalibration } from "../../packages/core/src/plan/speed/calibration-types.ts";
import { cycleOf } from "../../packages/core/src/plan/speed/cycle.ts";
import { situationOf, widestRangeFactor } from "../../packages/core/src/plan/speed/engine-speed.ts";
import { allConstants, calibrationOf, startValues, type Values } from "./constants.ts";
import type { UsablePoint } from "./points.ts";

/** Output tokens a second over the published figure. */
export function ratioOf({ input, measured }: UsablePoint, calibration: SpeedCalibration): number {
  const { replica, shape, limit } = situationOf(input, calibration);
  const { batch, seconds } = cycleOf(replica, shape, limit.batch);
  return ((batch / seconds) * input.outputTokens) / measured;
}

/** Of expected / measured and its inverse the larger one: 1 is exact, and too much is as wrong as too little. */
export function factorOf(ratio: number): number {
  return Math.max(ratio, 1 / ratio);
}

/** FNV-1a of a point's id: an order that has nothing to do with what the points say. */
export function hashOf(id: string): number {
  let hash = 2166136261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash;
}

/** Of each five points of a band, in the order of the hashes of their ids, two are held out. */
export function split(points: readonly UsablePoint[]): {
  readonly fitted: readonly UsablePoint[];
  readonly heldOut: readonly UsablePoint[];
} {
  const order = [...points].sort((a, b) => hashOf(a.point.id) - hashOf(b.point.id));
  return {
    fitted: order.filter((_, at) => at % 5 < 3),
    heldOut: order.filter((_, at) => at % 5 >= 3),
  };
}

export function bandOf({ input }: UsablePoint, calibration: SpeedCalibration): EngineConstants {
  return engineConstants(calibration, input.engine, input.engineVersion);
}

function byBand(points: readonly UsablePoint[], calibration: SpeedCalibration): Map<string, UsablePoint[]> {
  const bands = new Map<string, UsablePoint[]>();
  for (const point of points) {
    const { engine, band } = bandOf(point, calibration);
    const key = `${engine} ${band}`;
    bands.set(key, [...(bands.get(key) ?? []), point]);
  }
  return bands;
}

export function fitSpeed(points: readonly UsablePoint[], asOf: string): SpeedCalibration {
  const start = calibrationOf(startValues(), asOf);
  const parts = new Map([...byBand(points, start)].map(([key, own]) => [key, split(own)]));
  const fitted = [...parts.values()].flatMap((part) => part.fitted);
  const values = search(fitted);
  const constants = calibrationOf(rounded(values), asOf);
  return {
    ...constants,
    engines: constants.engines.map((each) => {
      const part = parts.get(`${each.engine} ${each.band}`) ?? { fitted: [], heldOut: [] };
      return withErrors(each, part.fitted, part.heldOut, constants);
    }),
    coverage: coverageOf(points, constants),
  };
}

/** vLLM is what the planner is for, and has a tenth of the points. */
const weights: Readonly<Record<string, number>> = { vllm: 2, "tensorrt-llm": 1 };

/** Up to this deviation (natural logarithm) errors count by their square, beyond by their size: no single point pulls. */
const robustWithin = 0.2;

/** Price of doubling or halving a constant against its start. */
const pull = 0.0005;

function loss(points: readonly UsablePoint[], values: Values): number {
  const calibration = calibrationOf(values, "");
  let sum = 0;
  let weight = 0;
  for (const point of points) {
    const off = Math.abs(Math.log(ratioOf(point, calibration)));
    const counts = weights[point.input.engine] ?? 1;
    sum += counts * (off < robustWithin ? off ** 2 / (2 * robustWithin) : off - robustWithin / 2);
    weight += counts;
  }
  const moved = allConstants.reduce((all, { name, start }) => all + Math.log2((values[name] ?? start) / start) ** 2, 0);
  return sum / weight + pull * moved;
}

/** Moves one constant at a time by a factor that gets finer; deterministic. */
function search(points: readonly UsablePoint[]): Values {
  let values = startValues();
  let best = loss(points, values);
  for (let factor = 1.3; factor > 1.003; factor = 1 + (factor - 1) * 0.75) {
    for (let improved = true, round = 0; improved && round < 20; round++) {
      improved = false;
      for (const { name, least, most, start } of allConstants) {
        for (const by of [factor, 1 / factor]) {
          const value = Math.min(most, Math.max(least, (values[name] ?? start) * by));
          const tried = { ...values, [name]: value };
          const result = loss(points, tried);
          if (result < best - 1e-9) {
            best = result;
            values = tried;
            improved = true;
          }
        }
      }
    }
  }
  return values;
}

/** Three digits: the points tell no more. */
function rounded(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toPrecision(3))]));
}

/** With fewer points than this no range of their own: the widest is taken. */
const enoughForRange = 20;

function withErrors(
  constants: EngineConstants,
  fitted: readonly UsablePoint[],
  heldOut: readonly UsablePoint[],
  calibration: SpeedCalibration,
): EngineConstants {
  const factors = heldOut.map((point) => factorOf(ratioOf(point, calibration))).sort((a, b) => a - b);
  const errors = heldOut.map((point) => Math.abs(ratioOf(point, calibration) - 1) * 100);
  const middle = median(errors);
  return {
    ...constants,
    rangeFactor: factors.length < enoughForRange ? widestRangeFactor : rangeFactorOf(factors),
    medianErrorPercent: middle === null ? null : Number(middle.toFixed(1)),
    worstFactor: factors.length === 0 ? null : Number((factors.at(-1) as number).toFixed(2)),
    fittedPoints: fitted.map(({ point }) => point.id).sort(),
    heldOutPoints: heldOut.map(({ point }) => point.id).sort(),
  };
}

/** Holds 95 % of the held-out points, with a tenth on top for points that are like none of them. */
function rangeFactorOf(sorted: readonly number[]): number {
  const most = sorted[Math.ceil(sorted.length * 0.95) - 1] as number;
  return Math.min(widestRangeFactor, Math.max(1.3, Number((most * 1.1).toFixed(2))));
}

function coverageOf(points: readonly UsablePoint[], calibration: SpeedCalibration): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { input } of points) {
    const { replica, rate } = situationOf(input, calibration);
    const key = coverageKey(replica.engine, input.gpu, rate.kind, replica.link.kind);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
