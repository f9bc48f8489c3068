import { coverageKey } from "../../packages/core/src/plan/speed/bands.ts";
import type { SpeedCalibration } from "../../packages/core/src/plan/speed/calibration-types.ts";
import { engineSpeedWith, situationOf } from "../../packages/core/src/plan/speed/engine-speed.ts";
import type { SpeedEstimate } from "../../packages/core/src/plan/speed/types.ts";
import { table } from "../lib/table.ts";
import { allConstants, valuesOf } from "./constants.ts";
import { bandOf, factorOf, median } from "./fit.ts";
import type { SkippedPoint, UsablePoint } from "./points.ts";

/** A point beside what the planner says. */
export interface Judged {
  readonly point: UsablePoint;
  readonly speed: SpeedEstimate;
  readonly use: "fit" | "held out" | "shown";
  /** Expected over measured. */
  readonly ratio: number;
  readonly inside: boolean;
}

export function judge(points: readonly UsablePoint[], calibration: SpeedCalibration): readonly Judged[] {
  const fitted = new Set(calibration.engines.flatMap((each) => each.fittedPoints));
  const heldOut = new Set(calibration.engines.flatMap((each) => each.heldOutPoints));
  return points.map((point) => {
    const speed = engineSpeedWith(point.input, calibration);
    if (!speed.supported) throw new Error(`${point.point.id}: ${speed.reason}`);
    const { low, expected, high } = speed.outputTokensPerSecond;
    const { id } = point.point;
    return {
      point,
      speed,
      use: fitted.has(id) ? "fit" : heldOut.has(id) ? "held out" : "shown",
      ratio: expected / point.measured,
      inside: low <= point.measured && point.measured <= high,
    };
  });
}

export interface Summary {
  readonly points: number;
  readonly insideShare: number;
  readonly withinShare: number;
  readonly medianErrorPercent: number;
  readonly worstFactor: number;
  readonly widestRange: number;
}

/** The bar on `expected`: off by no more than this factor. */
const withinFactor = 1.5;

export function summarise(some: readonly Judged[]): Summary {
  const share = (hit: (each: Judged) => boolean): number => some.filter(hit).length / some.length;
  return {
    points: some.length,
    insideShare: share((each) => each.inside),
    withinShare: share((each) => factorOf(each.ratio) <= withinFactor),
    medianErrorPercent: median(some.map((each) => Math.abs(each.ratio - 1) * 100)) ?? Number.NaN,
    worstFactor: Math.max(...some.map((each) => factorOf(each.ratio))),
    widestRange: Math.max(
      ...some.map(({ speed }) => speed.outputTokensPerSecond.high / speed.outputTokensPerSecond.low),
    ),
  };
}

export function groupTable(judged: readonly Judged[], calibration: SpeedCalibration): string {
  const groups = new Map<string, Judged[]>();
  const add = (name: string, each: Judged): void => {
    groups.set(name, [...(groups.get(name) ?? []), each]);
  };
  for (const each of judged) {
    const { input } = each.point;
    add("all", each);
    add(`use: ${each.use}`, each);
    const { engine, band } = bandOf(each.point, calibration);
    add(`engine: ${engine} ${band}`, each);
    add(`GPU: ${input.engine} ${input.gpu}`, each);
    add(`precision: ${input.engine} ${input.precision}`, each);
    if (input.tensorParallel > 1) add(`TP: ${linkName(each, calibration)}, ${input.tensorParallel} ranks`, each);
  }
  const order = ["all", "use", "engine", "GPU", "precision", "TP"];
  const rank = (name: string): number => order.indexOf(name.split(":")[0] ?? "");
  const rows = [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([name, some]) => row(name, some));
  return table([
    ["group", "points", "inside range", "within 1.5x", "median error", "worst", "range high/low"],
    ...rows,
  ]);
}

function linkName({ point }: Judged, calibration: SpeedCalibration): string {
  return situationOf(point.input, calibration).replica.link.kind;
}

function row(name: string, some: readonly Judged[]): readonly string[] {
  const { points, insideShare, withinShare, medianErrorPercent, worstFactor, widestRange } = summarise(some);
  return [
    name,
    String(points),
    `${(insideShare * 100).toFixed(1)} %`,
    `${(withinShare * 100).toFixed(1)} %`,
    `${medianErrorPercent.toFixed(1)} %`,
    `${worstFactor.toFixed(2)}x`,
    widestRange.toFixed(2),
  ];
}

export function pointTable(judged: readonly Judged[], calibration: SpeedCalibration): string {
  const rows = judged.map(({ point, speed, use, ratio, inside }) => {
    const { replica, rate } = situationOf(point.input, calibration);
    const { input } = point;
    return [
      point.point.id,
      use,
      input.model.id.split("/").at(-1) ?? "",
      coverageKey(replica.engine, input.gpu, rate.kind, replica.link.kind),
      `TP${input.tensorParallel}`,
      `${input.promptTokens}/${input.outputTokens}`,
      String(speed.batch),
      point.measured.toFixed(0),
      speed.outputTokensPerSecond.expected.toFixed(0),
      ratio.toFixed(2),
      inside ? "" : "OUTSIDE",
      speed.limitedBy,
      point.assumed.join("; "),
    ];
  });
  return table([
    [
      "point",
      "use",
      "model",
      "engine, GPU, arithmetic, link",
      "TP",
      "tokens",
      "batch",
      "measured",
      "expected",
      "ratio",
      "",
      "limit",
      "assumed",
    ],
    ...rows,
  ]);
}

export function skippedList(skipped: readonly SkippedPoint[]): string {
  return [
    `${skipped.length} points skipped:`,
    ...skipped.map(
      ({ point, reason }) => `  ${point.id} ${point.model}, ${point.engine} ${point.engine_version}: ${reason}`,
    ),
  ].join("\n");
}

export function constantsTable(calibration: SpeedCalibration): string {
  const values = valuesOf(calibration);
  const rows = allConstants.map(({ name, start, why }) => [name, String(start), String(values[name]), why]);
  return table([["constant", "start", "fitted", "what it is about"], ...rows]);
}
