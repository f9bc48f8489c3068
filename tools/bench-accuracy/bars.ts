import { median } from "../calibrate/fit.ts";
import { type Judged, summarise } from "../calibrate-speed/report.ts";
import { isComplete, type JudgedStart } from "./memory.ts";

/** What the planner promises about its own error. */
export interface Bar {
  readonly name: string;
  /** Per cent, GiB, factor or count, as the name says. */
  readonly value: number;
  readonly bound: number;
  readonly atLeast: boolean;
}

export function holds({ value, bound, atLeast }: Bar): boolean {
  return atLeast ? value >= bound : value <= bound;
}

const most = (name: string, value: number, bound: number): Bar => ({ name, value, bound, atLeast: false });
const least = (name: string, value: number, bound: number): Bar => ({ name, value, bound, atLeast: true });

/** Largest tensor parallelism that the bars are about. */
const widestTensorParallel = 4;

export function memoryBars(judged: readonly JudgedStart[]): readonly Bar[] {
  const succeeded = judged.filter(
    (each) => isComplete(each) && each.point.succeeded && each.point.input.tensorParallel <= widestTensorParallel,
  );
  const errors = succeeded.flatMap(({ error }) => error ?? []);
  const simple = succeeded.filter(
    ({ point, band }) => band === "v1 0.17-0.19" && point.input.tensorParallel === 1 && point.model.moe === null,
  );
  const off = simple.flatMap(({ availableOffGib }) => availableOffGib ?? []);
  return [
    // No point at all must not pass as no error at all.
    most("memory: median error of KV tokens, %", median(errors) ?? Number.POSITIVE_INFINITY, 0.5),
    most(
      "memory: worst error of KV tokens, %",
      Math.max(...errors, errors.length === 0 ? Number.POSITIVE_INFINITY : 0),
      5,
    ),
    most(
      "memory: available KV, dense on one GPU, 0.17 to 0.19, GiB",
      off.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...off),
      0.3,
    ),
    most("memory: wrong verdicts", judged.filter(({ verdictRight }) => !verdictRight).length, 0),
  ];
}

export function speedBars(judged: readonly Judged[]): readonly Bar[] {
  const { insideShare, withinShare, widestRange } = summarise(judged);
  return [
    least("speed: points inside low..high, %", insideShare * 100, 80),
    least("speed: expected within a factor of 1.5, %", withinShare * 100, 85),
    most("speed: widest range, high / low", widestRange, 3),
  ];
}
