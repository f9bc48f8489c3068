import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface CalibrationOptions {
  /** Folder with the measured points. */
  readonly from: string;
  /** YYYY-MM-DD */
  readonly asOf: string;
  readonly check: boolean;
}

/** Options of a script that fits constants to measured points. Wrong ones end the process with status 2. */
export function calibrationOptions(files: readonly string[]): CalibrationOptions {
  return orUsageError(() => {
    const today = new Date().toISOString().slice(0, 10);
    const { values } = parseArgs({
      options: {
        from: { type: "string" },
        "as-of": { type: "string", default: today },
        check: { type: "boolean", default: false },
      },
    });
    const asOf = values["as-of"];
    if (!/^\d{4}-\d{2}-\d{2}$/.test(asOf)) throw new Error(`--as-of ${asOf}: not YYYY-MM-DD`);
    return { from: checkedDirectory(values.from, files), asOf, check: values.check };
  });
}

/** The one option of a script that only compares: `--from DIR`. */
export function pointsDirectory(files: readonly string[]): string {
  return orUsageError(() => {
    const { values } = parseArgs({ options: { from: { type: "string" } } });
    return checkedDirectory(values.from, files);
  });
}

function checkedDirectory(from: string | undefined, files: readonly string[]): string {
  if (from === undefined) throw new Error(`--from DIR is missing: the folder with ${files.join(" and ")}`);
  for (const file of files) {
    if (!existsSync(join(from, file))) throw new Error(`--from ${from}: there is no ${file} in that folder`);
  }
  return from;
}

function orUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
