import { lstatSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RenderedFile } from "@capstan/offline";
import { linkTarget } from "./link-target.ts";
import { makeDirectory } from "./make-directory.ts";
import { MARKER, markerText, readMarker } from "./tree-marker.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Writes the files, takes away what an earlier run wrote and this one does not, and touches nothing else in the
 * directory. What can be refused is refused, and what can fail for lack of space is written, before anything changes.
 */
export function writeTree(directory: string, files: readonly RenderedFile[]): void {
  const paths = files.map(({ path }) => path);
  const { target, before } = existingTree(directory);
  const isNew = lstatSync(target, { throwIfNoEntry: false }) === undefined;
  let staging: string | undefined;
  try {
    for (const path of paths) refuseTaken(target, path, before);
    makeDirectory(target);
    // Inside, not beside: the directory may be a volume of its own, and files move only within one.
    staging = mkdtempSync(join(target, ".capstan-writing-"));
    for (const { path, content } of files) {
      makeDirectory(dirname(join(staging, path)));
      writeFileSync(join(staging, path), content);
    }
    // Whenever the run ends early from here on, the list has all that it may have written.
    placeMarker(staging, target, [...before, ...paths]);
    for (const path of paths) {
      makeDirectory(dirname(join(target, path)));
      renameSync(join(staging, path), join(target, path));
    }
    const kept = new Set(paths);
    for (const path of before) if (!kept.has(path)) removeFile(target, path);
    placeMarker(staging, target, paths);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${directory} cannot be written: ${(error as Error).message}`);
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
    if (isNew) removeEmpty(target);
  }
}

/** Where the tree goes, and the files in it that are ours. */
function existingTree(directory: string): { target: string; before: ReadonlySet<string> } {
  let target: string;
  let names: string[];
  try {
    target = linkTarget(directory);
    names = statSync(target, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(target);
  } catch (error) {
    throw new UsageError(`${directory} is not a directory that can be read: ${(error as Error).message}`);
  }
  if (names.includes(MARKER)) return { target, before: readMarker(target) };
  if (names.length > 0) {
    throw new UsageError(`${directory} has files that capstan did not write: name a new or empty directory`);
  }
  return { target, before: new Set() };
}

function refuseTaken(target: string, path: string, before: ReadonlySet<string>): void {
  const file = join(target, path);
  const obstacle = foreignParent(target, path);
  if (obstacle !== undefined) throw new UsageError(`${file} cannot be written: ${obstacle} is not a directory`);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${file} cannot be written: it is a directory`);
  if (there !== undefined && !before.has(path)) {
    throw new UsageError(`${file} exists and capstan did not write it: move it away, or name another directory`);
  }
}

/** Something other than a directory above a file; a link counts, since it may lead out of the tree. */
function foreignParent(target: string, path: string): string | undefined {
  const parts = path.split("/").slice(0, -1);
  return parts
    .map((_, index) => join(target, ...parts.slice(0, index + 1)))
    .find((parent) => lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() === false);
}

function removeFile(target: string, path: string): void {
  const file = join(target, path);
  // No longer what was written.
  if (foreignParent(target, path) !== undefined) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  rmSync(file);
  for (let parent = dirname(file); parent !== target && removeEmpty(parent); parent = dirname(parent));
}

function removeEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

function placeMarker(staging: string, target: string, paths: readonly string[]): void {
  writeFileSync(join(staging, MARKER), markerText(paths));
  renameSync(join(staging, MARKER), join(target, MARKER));
}
