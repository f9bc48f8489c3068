import { spawn } from "node:child_process";
import { root } from "./workspace.ts";

export interface RunOptions {
  /** @default - the workspace */
  readonly directory?: string;
  /** Added to this process's environment; undefined takes a variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Also shows the output while it comes. @default false */
  readonly show?: boolean;
  readonly input?: string;
}

export interface RunResult {
  /** Exit code; 1 where the command could not be started or was killed. */
  readonly code: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
  readonly seconds: number;
}

/** Runs a command to its end. Never throws: what went wrong is in the result. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.directory ?? root,
    env: { ...process.env, ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A command that does not read its input may close it first.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
    if (options.show) process.stdout.write(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (options.show) process.stderr.write(text);
  });
  return new Promise((resolve) => {
    const end = (code: number, note = "") =>
      resolve({ code, stdout, output: output + note, seconds: (performance.now() - started) / 1000 });
    child.on("error", (error) => end(1, `${command}: ${error.message}\n`));
    child.on("close", (code, signal) => end(code ?? 1, signal ? `${command} was ended by ${signal}\n` : ""));
  });
}

/** Runs a program of `node_modules` under this Node: no shell, the same on every system. */
export function runTool(script: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, [`${root}/node_modules/${script}`, ...args], options);
}

/** Runs pnpm as the set-up does: from the npm registry, in the version that the lockfile was written by. */
export function runPnpm(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const npm = ["exec", "--yes", "--loglevel=error", `--package=pnpm@${PNPM}`, "--", "pnpm", ...args];
  const script = process.env.npm_execpath;
  return script?.endsWith(".js") ? run(process.execPath, [script, ...npm], options) : run("npm", npm, options);
}

/** As in bootstrap.mjs, which has to start without any of this. */
const PNPM = "12.21.0";
