// Fits the constants of the speed model to part of the published figures, reports the error on the rest, and writes
// packages/core/src/plan/speed/calibration.ts.
//   node tools/calibrate-speed.ts --from DIR [--as-of YYYY-MM-DD] [--check]
// DIR holds throughput-points.json. --check reports the constants that are there and writes nothing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { calibration as current } from "../packages/core/src/plan/speed/calibration.ts";
import { fitSpeed } from "./calibrate-speed/fit.ts";
import { readPoints, usable } from "./calibrate-speed/points.ts";
import { constantsTable, groupTable, judge, pointTable, skippedList } from "./calibrate-speed/report.ts";
import { calibrationSource } from "./calibrate-speed/write.ts";
import { calibrationOptions } from "./lib/calibration-options.ts";

const output = join(import.meta.dirname, "../packages/core/src/plan/speed/calibration.ts");

const { from, asOf, check } = calibrationOptions(["throughput-points.json"]);
const each = readPoints(from).map(usable);
const points = each.flatMap((point) => ("input" in point ? [point] : []));
const skipped = each.flatMap((point) => ("reason" in point ? [point] : []));
const calibration = check ? current : fitSpeed(points, asOf);
const judged = judge(points, calibration);
const parts = [
  pointTable(judged, calibration),
  groupTable(judged, calibration),
  constantsTable(calibration),
  skippedList(skipped),
];
console.log(parts.join("\n\n"));
if (!check) {
  writeFileSync(output, calibrationSource(calibration));
  console.log("\nwritten: packages/core/src/plan/speed/calibration.ts");
}
