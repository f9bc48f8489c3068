// Fits the constants of the vLLM memory model to part of the measured starts, reports the error on the rest, and writes
// packages/core/src/plan/memory/calibration.ts.
//   node tools/calibrate.ts --from DIR [--as-of YYYY-MM-DD] [--check]
// DIR holds vllm-memory-points.json. --check reports the constants that are there and writes nothing.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { calibration as current } from "../packages/core/src/plan/memory/calibration.ts";
import { fitCalibration } from "./calibrate/fit.ts";
import { readPoints, usable } from "./calibrate/points.ts";
import { report } from "./calibrate/report.ts";
import { calibrationSource } from "./calibrate/write.ts";

const output = join(import.meta.dirname, "../packages/core/src/plan/memory/calibration.ts");

const { from, "as-of": asOf, check } = options();
const each = readPoints(from).map(usable);
const points = each.flatMap((point) => ("input" in point ? [point] : []));
const skipped = each.flatMap((point) => ("reason" in point ? [point] : []));
const calibration = check ? current : fitCalibration(points, asOf);
console.log(report(points, skipped, calibration));
if (!check) {
  writeFileSync(output, calibrationSource(calibration));
  console.log("\nwritten: packages/core/src/plan/memory/calibration.ts");
}

function options(): { readonly from: string; readonly "as-of": string; readonly check: boolean } {
  const today = new Date().toISOString().slice(0, 10);
  try {
    const { values } = parseArgs({
      options: {
        from: { type: "string" },
        "as-of": { type: "string", default: today },
        check: { type: "boolean", default: false },
      },
    });
    if (values.from === undefined) throw new Error("--from DIR is missing: the folder with vllm-memory-points.json");
    if (!existsSync(join(values.from, "vllm-memory-points.json"))) {
      throw new Error(`--from ${values.from}: there is no vllm-memory-points.json in that folder`);
    }
    if (!/^\d{4}-\d{2}-\d{2}$/.test(values["as-of"])) throw new Error(`--as-of ${values["as-of"]}: not YYYY-MM-DD`);
    return { from: values.from, "as-of": values["as-of"], check: values.check };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
