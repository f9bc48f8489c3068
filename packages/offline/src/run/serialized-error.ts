import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ProgramError } from "../errors.ts";
import type { JsonValue } from "../recording.ts";
import { encryptedConfig } from "./encrypted-config.ts";

/** An error on its way between two processes. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** The error's own JSON properties: `findings` of a declaration error, `code` of a system error. */
  readonly details: Readonly<Record<string, JsonValue>>;
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: "Error", message: text(error), details: {} };
  return {
    name: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    details: jsonProperties(error),
  };
}

export function deserializeError({ name, message, stack, details }: SerializedError): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack ?? `${name}: ${message}`;
  return Object.assign(error, details);
}

/** What the user reads about an error that the program threw or let go unhandled. */
export function programError(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error;
  const said = error instanceof Error ? error.message || error.name : text(error);
  const parts = [failedResource(error), encryptedConfig(said) ?? said];
  const place = error instanceof Error && SLIPS.includes(error.name) ? placeInProgram(error) : undefined;
  const message = parts.filter((part) => part !== undefined).join(": ");
  return new ProgramError(place === undefined ? message : `${message} (${place})`, { cause: error });
}

/** Errors that nobody throws on purpose: their message alone does not say where to look. */
const SLIPS = ["TypeError", "ReferenceError", "RangeError", "SyntaxError"];

/** File (relative to the working folder), line and column of the first stack frame that is the program's own code. */
function placeInProgram(error: Error): string | undefined {
  const folder = process.cwd() + sep;
  for (const line of error.stack?.split("\n") ?? []) {
    const frame = /(?:\(|at (?:async )?|^)((?:file:\/\/)?\/.+?)((?::\d+){1,2})\)?$/.exec(line);
    if (frame === null) continue;
    const file = frame[1]!.startsWith("file:") ? fileURLToPath(frame[1]!) : frame[1]!;
    if (file.startsWith(folder) && !file.includes("/node_modules/")) return file.slice(folder.length) + frame[2];
  }
  return undefined;
}

/** The SDK hangs the promise onto an error that it could not wait for, and names the resource there. */
function failedResource(error: unknown): string | undefined {
  const context = (error as { promise?: { _debugCtx?: unknown } } | undefined)?.promise?._debugCtx;
  const [, name, type] = /^resource:(.+)\[(.+)\]$/.exec(String(context)) ?? [];
  return name === undefined ? undefined : `${type} "${name}"`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

function jsonProperties(error: Error): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(error)) {
    // The SDK's own mark, see above: no property of the error.
    if (key === "promise" || key === "stack") continue;
    try {
      const json = JSON.stringify(value);
      if (json !== undefined) found[key] = JSON.parse(json) as JsonValue;
    } catch {
      // A cycle or a bigint: not something that a caller could read anyway.
    }
  }
  return found;
}
