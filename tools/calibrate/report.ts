import type { MemoryCalibration } from "../../packages/core/src/plan/memory/calibration-types.ts";
import { vllmMemoryWith } from "../../packages/core/src/plan/memory/index.ts";
import { table } from "../lib/table.ts";
import { errorPercent, median } from "./fit.ts";
import type { SkippedPoint, UsablePoint } from "./points.ts";

/** The table of all points that can be predicted, and what it sums up to. */
export function report(
  points: readonly UsablePoint[],
  skipped: readonly SkippedPoint[],
  calibration: MemoryCalibration,
): string {
  const fitted = new Set(calibration.bands.flatMap((band) => band.fittedPoints));
  const heldOut = new Set(calibration.bands.flatMap((band) => band.heldOutPoints));
  const rows = points.map((point) => row(point, calibration, fitted, heldOut));
  const header = [
    "point",
    "use",
    "model",
    "version",
    "TP",
    "weights",
    "activation",
    "available",
    "tokens",
    "error %",
    "verdict",
  ];
  return [
    table([header, ...rows]),
    "",
    ...summary(points, calibration, heldOut),
    "",
    `${skipped.length} points skipped:`,
    ...skipped.map(({ point, reason }) => `  ${point.id} ${point.model} ${point.vllm_version}: ${reason}`),
  ].join("\n");
}

function row(
  point: UsablePoint,
  calibration: MemoryCalibration,
  fitted: ReadonlySet<string>,
  heldOut: ReadonlySet<string>,
): readonly string[] {
  const { point: logged, input } = point;
  const use = fitted.has(logged.id) ? "fit" : heldOut.has(logged.id) ? "held out" : "shown";
  const result = vllmMemoryWith(input, calibration);
  const head = [logged.id, use, logged.model.split("/").at(-1) ?? "", input.version, String(input.tensorParallel)];
  if (!result.supported) return [...head, "", "", "", "", "", result.reason];
  const { memory, kvCache } = result;
  const error = errorPercent(point, calibration);
  const assumed = point.assumed.length === 0 ? "" : ` (assumed: ${point.assumed.join(", ")})`;
  return [
    ...head,
    pair(memory.weightsGib, logged.weights_gib),
    pair(memory.activationGib, logged.activation_peak_gib),
    pair(memory.availableKvGib, logged.available_kv_gib),
    `${kvCache.tokens}/${logged.kv_cache_tokens ?? "-"}`,
    error === null ? "-" : error.toFixed(2),
    `${result.verdict}, was ${logged.outcome}${assumed}`,
  ];
}

function pair(predicted: number, logged: number | null): string {
  return `${predicted.toFixed(2)}/${logged === null ? "-" : logged.toFixed(2)}`;
}

function summary(
  points: readonly UsablePoint[],
  calibration: MemoryCalibration,
  heldOut: ReadonlySet<string>,
): readonly string[] {
  const errorsOf = (some: readonly UsablePoint[]): readonly number[] =>
    some.flatMap((point) => errorPercent(point, calibration) ?? []).map(Math.abs);
  const line = (name: string, errors: readonly number[]): string =>
    errors.length === 0
      ? `${name}: no points`
      : `${name}: median ${(median(errors) ?? 0).toFixed(2)} %, worst ${Math.max(...errors).toFixed(2)} % (${errors.length} points)`;
  const complete = points.filter((point) => point.succeeded && point.assumed.length === 0);
  const dense = complete.filter(
    ({ input, model }) => input.tensorParallel === 1 && model.moe === null && /^0\.1[789]\./.test(input.version),
  );
  const off = dense.flatMap(({ input, point }) => {
    const result = vllmMemoryWith(input, calibration);
    return result.supported && point.available_kv_gib !== null
      ? [Math.abs(result.memory.availableKvGib - point.available_kv_gib)]
      : [];
  });
  const wrong = points.filter(({ input, succeeded }) => {
    const result = vllmMemoryWith(input, calibration);
    return result.supported && (result.verdict === "serves") !== succeeded;
  });
  return [
    line("successful points", errorsOf(complete)),
    line("held-out points", errorsOf(complete.filter(({ point }) => heldOut.has(point.id)))),
    `available KV, dense, one GPU, 0.17 to 0.19: worst ${Math.max(0, ...off).toFixed(2)} GiB off (${off.length} points)`,
    `wrong verdicts: ${wrong.length === 0 ? "none" : wrong.map(({ point }) => point.id).join(", ")}`,
  ];
}
