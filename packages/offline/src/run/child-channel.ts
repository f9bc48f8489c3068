import { readSync, writeSync } from "node:fs";
import type { Recording } from "../recording.ts";
import type { SerializedError } from "./serialized-error.ts";
import { programError, serializeError } from "./serialized-error.ts";

/*
 * How a program's process and ours talk: JSON lines on a pipe of their own. Standard output belongs to the program, and
 * a pipe that is written synchronously loses nothing when the program ends its process.
 */

export const CHANNEL = 3;

export type ChildMessage =
  | { readonly kind: "failure"; readonly message: string; readonly cause?: SerializedError }
  | { readonly kind: "recording"; readonly recording: Recording }
  | ({ readonly kind: "end"; readonly exitCode: number } & ProgramEnd);

/** In what state a program was when its process ended. */
export interface ProgramEnd {
  /** False: the program ended the process itself. */
  readonly natural: boolean;
  /** No request was under way. */
  readonly idle: boolean;
  /** Resources that could not be registered. */
  readonly pending: readonly string[];
}

export function send(message: ChildMessage): void {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) {
    const written = whenReady(() => writeSync(CHANNEL, rest));
    rest = rest.subarray(written);
  }
}

export function failureMessage(error: unknown): ChildMessage {
  const { message, cause } = programError(error);
  return { kind: "failure", message, ...(cause === undefined ? {} : { cause: serializeError(cause) }) };
}

/** The one line that the parent writes at the start. */
export function receive<T>(): T {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(65_536);
    const size = whenReady(() => readSync(CHANNEL, chunk));
    chunks.push(chunk.subarray(0, size));
    if (size === 0 || chunk[size - 1] === 0x0a) return JSON.parse(Buffer.concat(chunks).toString("utf8")) as T;
  }
}

/** The pipe may be non-blocking, depending on who made it. */
function whenReady(operation: () => number): number {
  for (;;) {
    try {
      return operation();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
