import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool } from "../lib/run.ts";
import { readJson } from "../lib/workspace.ts";

export interface TestCounts {
  readonly passed: number;
  /** Tests, files that could not be loaded, and one for errors outside of any test. */
  readonly failed: number;
  readonly skipped: number;
  readonly files: number;
  readonly output: string;
  readonly seconds: number;
}

/** The part of vitest's JSON report that counts are taken from. */
export interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** Runs vitest and counts. `progress` shows a dot for each test; else nothing is shown until the end. */
export async function runVitest(
  args: readonly string[],
  { progress }: { readonly progress: boolean },
): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-test-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  try {
    const { code, output, seconds } = await runTool("vitest/vitest.mjs", ["run", ...reporters, ...args], {
      show: progress,
      environment: process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined },
    });
    const report = existsSync(file) ? readJson<JsonReport>(file) : null;
    return { ...countsOf(report, code), output: progress ? "" : withoutProgress(output), seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Exported for its test. */
export function countsOf(report: JsonReport | null, code: number): Omit<TestCounts, "output" | "seconds"> {
  if (report === null) return { passed: 0, failed: 1, skipped: 0, files: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    // An error that no test caught, or no test at all, ends vitest with 1 and is in no test's result.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    files: report.testResults.length,
  };
}

/** Without the line of dots and the name of the temporary report. */
function withoutProgress(output: string): string {
  const noise = (line: string) => /^[·x*-]+$/.test(line) || line.startsWith("JSON report written to ");
  return output
    .split("\n")
    .filter((line) => !noise(line))
    .join("\n");
}
