import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A directory and those above it. Node's own recursive form tries for ever where a parent exists and takes nothing
 * new (`/proc`); this one fails at the first directory that cannot be made.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been first.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
