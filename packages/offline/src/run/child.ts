import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { ProgramError, UserError } from "../errors.ts";
import type { Recording } from "../recording.ts";
import type { ChildMessage } from "./child-channel.ts";
import { CHANNEL } from "./child-channel.ts";
import { deferred } from "./deferred.ts";
import { endsWithUs } from "./interrupt.ts";
import { deserializeError } from "./serialized-error.ts";

export interface ChildOptions {
  /** The node to run. */
  readonly node: string;
  readonly arguments: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  /** Written to the child as one line of JSON. */
  readonly input?: unknown;
  readonly timeoutSeconds: number;
}

export interface ChildResult {
  readonly recording: Recording | undefined;
  readonly end: Extract<ChildMessage, { kind: "end" }>;
}

/** A child module beside this one: TypeScript in the sources, JavaScript in the package. */
export function childModule(name: string): URL {
  return new URL(`./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
}

export function childFile(name: string): string {
  return fileURLToPath(childModule(name));
}

/**
 * Runs a program's process to its end. The first failure, the time limit or a rejection of `abort` ends it at once.
 * What the program prints goes to our standard error: standard output belongs to whoever called us.
 */
export async function runChild(options: ChildOptions, abort?: Promise<never>): Promise<ChildResult> {
  const child = start(options);
  const stop = endsWithUs(child);
  const ended = deferred<ChildResult>();
  const limit = setTimeout(() => {
    const waits = "it computes, or waits for a timer, a server or a connection";
    ended.reject(new ProgramError(`the program did not end within ${options.timeoutSeconds} s: ${waits}`));
  }, options.timeoutSeconds * 1000);

  const channel = child.stdio[CHANNEL] as Duplex;
  // A child that dies early closes the pipe; its end is reported by other means.
  channel.on("error", () => {});
  if (options.input !== undefined) channel.write(`${JSON.stringify(options.input)}\n`);

  let recording: Recording | undefined;
  let end: ChildResult["end"] | undefined;
  readLines(channel, (line) => {
    const message = JSON.parse(line) as ChildMessage;
    if (message.kind === "failure") ended.reject(failureOf(message));
    else if (message.kind === "recording") recording = message.recording;
    else end = message;
  });
  child.on("error", (error) => ended.reject(cannotRun(options, error)));
  child.on("close", (code, signal) => {
    if (end !== undefined) ended.resolve({ recording, end });
    else ended.reject(new ProgramError(`the program's process ended early (${signal ?? `exit code ${code}`})`));
  });

  try {
    return await (abort === undefined ? ended.promise : Promise.race([ended.promise, abort]));
  } finally {
    clearTimeout(limit);
    stop();
  }
}

function start(options: ChildOptions): ChildProcess {
  try {
    return spawn(options.node, options.arguments, {
      cwd: options.directory,
      env: options.environment,
      stdio: ["ignore", 2, 2, "pipe"],
    });
  } catch (error) {
    // An environment or arguments that are too large, say.
    throw cannotRun(options, error as Error);
  }
}

function cannotRun({ node }: ChildOptions, error: Error): UserError {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === "E2BIG" ? ": environment variables and arguments are larger than the system takes" : "";
  return new UserError(`cannot run ${node}: ${error.message}${why}`, { cause: error });
}

function failureOf({ message, cause }: Extract<ChildMessage, { kind: "failure" }>): ProgramError {
  return new ProgramError(message, cause === undefined ? {} : { cause: deserializeError(cause) });
}

function readLines(stream: Duplex, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
