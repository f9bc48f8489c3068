// Compares the planner with measured starts and published throughput, prints the error by GPU, version band and
// precision, and fails past the bars.
//   node tools/bench-accuracy.ts --from DIR
// DIR holds vllm-memory-points.json and throughput-points.json.
import { calibration as memoryCalibration } from "../packages/core/src/plan/memory/calibration.ts";
import { calibration as speedCalibration } from "../packages/core/src/plan/speed/calibration.ts";
import { type Bar, holds, memoryBars, speedBars } from "./bench-accuracy/bars.ts";
import { judgeStarts, memoryTable } from "./bench-accuracy/memory.ts";
import { readPoints as readStarts, usable as usableStart } from "./calibrate/points.ts";
import { readPoints, usable } from "./calibrate-speed/points.ts";
import { groupTable, judge, skippedList } from "./calibrate-speed/report.ts";
import { pointsDirectory } from "./lib/calibration-options.ts";
import { table } from "./lib/table.ts";

const from = pointsDirectory(["vllm-memory-points.json", "throughput-points.json"]);

const starts = readStarts(from).map(usableStart);
const judgedStarts = judgeStarts(
  starts.flatMap((each) => ("input" in each ? [each] : [])),
  memoryCalibration,
);
console.log(`Memory: constants of ${memoryCalibration.asOf}\n\n${memoryTable(judgedStarts)}\n`);
console.log(
  `${starts.length - judgedStarts.length} of ${starts.length} starts skipped: not modelled, or not in the catalog\n`,
);

const figures = readPoints(from).map(usable);
const judged = judge(
  figures.flatMap((each) => ("input" in each ? [each] : [])),
  speedCalibration,
);
console.log(
  `Speed, output tokens a second: constants of ${speedCalibration.asOf}\n\n${groupTable(judged, speedCalibration)}\n`,
);
console.log(`${skippedList(figures.flatMap((each) => ("reason" in each ? [each] : [])))}\n`);

const bars = [...memoryBars(judgedStarts), ...speedBars(judged)];
console.log(table([["bar", "is", "must be", ""], ...bars.map(barRow)]));
if (!bars.every(holds)) process.exitCode = 1;

function barRow(bar: Bar): readonly string[] {
  const bound = `${bar.atLeast ? "at least" : "at most"} ${bar.bound}`;
  return [bar.name, String(Number(bar.value.toFixed(2))), bound, holds(bar) ? "holds" : "FAILS"];
}
