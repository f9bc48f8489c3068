import type { MemoryCalibration } from "../../packages/core/src/plan/memory/calibration-types.ts";
import { vllmMemoryWith } from "../../packages/core/src/plan/memory/index.ts";
import { bandOf, errorPercent, median } from "../calibrate/fit.ts";
import type { UsablePoint } from "../calibrate/points.ts";
import { table } from "../lib/table.ts";

/** A start of a real server beside what the planner says about it. */
export interface JudgedStart {
  readonly point: UsablePoint;
  readonly band: string;
  /** Off in `kvCache.tokens`, per cent, unsigned; null: no figure to compare. */
  readonly error: number | null;
  /** Off in available KV memory, GiB; null: not logged. */
  readonly availableOffGib: number | null;
  readonly verdictRight: boolean;
}

/** Points of versions whose accounting is modelled. */
export function judgeStarts(points: readonly UsablePoint[], calibration: MemoryCalibration): readonly JudgedStart[] {
  return points.flatMap((point) => {
    const result = vllmMemoryWith(point.input, calibration);
    if (!result.supported) return [];
    const band = bandOf(point);
    const error = point.succeeded ? errorPercent(point, calibration) : null;
    const { available_kv_gib: available } = point.point;
    return [
      {
        point,
        band: band === null ? "none" : `${band.runner} ${band.id}`,
        error: error === null ? null : Math.abs(error),
        availableOffGib:
          available === null || !point.succeeded ? null : Math.abs(result.memory.availableKvGib - available),
        verdictRight: (result.verdict === "serves") === point.succeeded,
      },
    ];
  });
}

/** Nothing had to be assumed: what the bars are about. */
export function isComplete({ point }: JudgedStart): boolean {
  return point.assumed.length === 0;
}

export function memoryTable(judged: readonly JudgedStart[]): string {
  const groups = new Map<string, JudgedStart[]>();
  const add = (name: string, each: JudgedStart): void => {
    groups.set(name, [...(groups.get(name) ?? []), each]);
  };
  for (const each of judged) {
    const { input, point } = each.point;
    add(isComplete(each) ? "all that logged everything" : "all with something assumed", each);
    add(`GPU: ${point.gpu.split(" (")[0]}`, each);
    add(`band: ${each.band}`, each);
    add(`precision: ${input.precision}`, each);
    add(`TP: ${input.tensorParallel}`, each);
  }
  const order = ["all", "GPU", "band", "precision", "TP"];
  const rank = (name: string): number => order.findIndex((each) => name.startsWith(each));
  const rows = [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([name, some]) => row(name, some));
  return table([["group", "starts", "median error", "worst", "available off by at most", "wrong verdicts"], ...rows]);
}

function row(name: string, some: readonly JudgedStart[]): readonly string[] {
  const errors = some.flatMap(({ error }) => error ?? []);
  const off = some.flatMap(({ availableOffGib }) => availableOffGib ?? []);
  const middle = median(errors);
  return [
    name,
    String(some.length),
    middle === null ? "-" : `${middle.toFixed(2)} %`,
    errors.length === 0 ? "-" : `${Math.max(...errors).toFixed(2)} %`,
    off.length === 0 ? "-" : `${Math.max(...off).toFixed(2)} GiB`,
    String(some.filter(({ verdictRight }) => !verdictRight).length),
  ];
}
