import { join } from "node:path";
import { type RunOptions, type RunResult, run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { type Line, median, note } from "./line.ts";

const RUNS = 7;
const MOST = 2;

/** What `npm start` runs, without npm's own start. */
export function start(): Promise<RunResult> {
  return run(process.execPath, [join(root, "tools/bootstrap.mjs"), join("tools", "start.ts")]);
}

/** `npm start`, warm, against an import of the Pulumi SDK and nothing else, which any program of Pulumi pays. */
export async function compareStart(): Promise<Line[]> {
  note(`npm start against a bare import of @pulumi/pulumi: ${RUNS} runs of each`);
  const directory = join(root, "stacks/inference-platform");
  const bare = (environment: RunOptions["environment"]) => () =>
    run(process.execPath, ["--input-type=module", "-e", 'await import("@pulumi/pulumi")'], {
      directory,
      ...(environment && { environment }),
    });
  const [started, imported] = await inTurn([start, bare({ NODE_COMPILE_CACHE: undefined })]);
  if (started === undefined || imported === undefined) throw new Error("two commands were timed");
  const ratio = started / imported;
  return [
    { what: "npm start, warm, without npm", measured: seconds(started) },
    { what: 'import("@pulumi/pulumi")', measured: seconds(imported) },
    { what: "ratio", measured: ratio.toFixed(2), limit: `<= ${MOST.toFixed(1)}`, good: ratio <= MOST },
  ];
}

/** Median seconds of each. In turn, so that a busy moment of the machine is everybody's; the first round only warms up. */
export async function inTurn(commands: readonly (() => Promise<RunResult>)[]): Promise<number[]> {
  const times: number[][] = commands.map(() => []);
  for (let round = 0; round <= RUNS; round += 1) {
    for (const [i, command] of commands.entries()) {
      const { code, output, seconds } = await command();
      if (code !== 0) throw new Error(`a timed command failed:\n${output}`);
      if (round > 0) times[i]?.push(seconds);
    }
  }
  return times.map(median);
}

export function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
