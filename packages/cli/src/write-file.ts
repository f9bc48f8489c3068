import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { chmodSync, fstatSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { linkTarget } from "./link-target.ts";
import { makeDirectory } from "./make-directory.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The whole file or none of it: a reader never sees half, and a full disk leaves the old one. A symbolic link stays and
 * its target is replaced; a pipe or device is written to; the mode of an existing file is kept.
 */
export function writeWhole(path: string, content: string): void {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw new Error("it is a directory");
    const direct = existing === undefined ? undefined : written(path, existing);
    if (direct === undefined) replace(linkTarget(path), content, existing?.mode);
    else writeFileSync(direct, content);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

function replace(target: string, content: string, mode: number | undefined): void {
  makeDirectory(dirname(target));
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    // Narrow from the start: content that only its owner may read is not readable by others for a moment.
    writeFileSync(temporary, content, { flag: "wx", ...(mode === undefined ? {} : { mode: mode & 0o777 }) });
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** What is written to as it is; undefined: a file that is replaced. */
function written(path: string, existing: Stats): string | number | undefined {
  if (!existing.isFile()) return path;
  // `--out /dev/stdout > file` names a file that is open already: replaced, it would take what is printed away with it.
  return [1, 2].find((descriptor) => {
    const open = fstatSync(descriptor);
    return open.dev === existing.dev && open.ino === existing.ino;
  });
}
