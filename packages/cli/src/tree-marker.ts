import { join } from "node:path";
import { readJson } from "./read-json.ts";
import { UsageError } from "./usage-error.ts";

/** Marks a directory that `capstan render` writes, and lists its files there. */
export const MARKER = ".capstan-rendered";

export function markerText(paths: Iterable<string>): string {
  const about = "Written by capstan render: the next run replaces these files and touches no others.";
  return `${JSON.stringify({ about, files: [...new Set(paths)].sort() }, null, 2)}\n`;
}

/** Paths of the files that the last run wrote, relative to the directory. */
export function readMarker(directory: string): ReadonlySet<string> {
  const file = join(directory, MARKER);
  const wrong = `${file} does not list what capstan wrote: remove it with the files that it stands for, or name another directory`;
  let content: unknown;
  try {
    content = readJson(file);
  } catch {
    throw new UsageError(wrong);
  }
  const files = (content as { files?: unknown } | null)?.files;
  if (!Array.isArray(files) || !files.every(isInside)) throw new UsageError(wrong);
  return new Set(files);
}

/** Files are removed by this list: one that somebody has written by hand must not reach out of the directory. */
function isInside(path: unknown): path is string {
  return typeof path === "string" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
