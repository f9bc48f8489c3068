import { type RunResult, runTool } from "../lib/run.ts";
import { runVitest } from "./vitest.ts";

export interface CheckResult {
  readonly passed: number;
  readonly failed: number;
  /** What the tool printed, for when something failed. */
  readonly output: string;
  /** One line: `good`, or the counts. */
  readonly note: string;
  readonly seconds: number;
}

export interface Check {
  readonly title: string;
  readonly run: () => Promise<CheckResult>;
}

/** Checks of the sources. They start together, since none of them fills two cores, and are shown in this order. */
export function staticChecks(): readonly Check[] {
  const colour = process.stdout.isTTY === true;
  return [
    started(
      "Type check",
      runTool("typescript/bin/tsc", ["--noEmit", "-p", "tsconfig.json", `--pretty`, String(colour)]),
    ),
    started(
      "Lint",
      runTool("@biomejs/biome/bin/biome", [
        "check",
        "--error-on-warnings",
        "--max-diagnostics=50",
        `--colors=${colour ? "force" : "off"}`,
        ".",
      ]),
    ),
    started("Unused code", runTool("knip/bin/knip.js", ["--no-progress", "--no-config-hints"])),
  ];
}

export function testCheck({ progress }: { readonly progress: boolean }): Check {
  return {
    title: "Tests",
    run: async () => {
      const { passed, failed, files, output, seconds } = await runVitest([], { progress });
      return { passed, failed, output, note: `${passed} passed, ${failed} failed in ${files} files`, seconds };
    },
  };
}

/** One check that counts as one. */
function started(title: string, running: Promise<RunResult>): Check {
  return {
    title,
    run: async () => {
      const { code, output, seconds } = await running;
      const good = code === 0;
      return { passed: good ? 1 : 0, failed: good ? 0 : 1, output, note: good ? "good" : "failed", seconds };
    },
  };
}
