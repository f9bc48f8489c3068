import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { RenderedFile } from "@capstan/offline";
import { UsageError } from "./usage-error.ts";

/** Marks a directory that may be replaced as a whole. */
const MARKER = ".capstan-rendered";

/** All files or none: the new tree is built beside the old one and takes its place at the end. */
export function writeTree(directory: string, files: readonly RenderedFile[]): void {
  refuseForeign(directory);
  let building: string | undefined;
  try {
    mkdirSync(dirname(directory), { recursive: true });
    building = mkdtempSync(join(dirname(directory), `.${basename(directory)}-`));
    for (const { path, content } of files) {
      mkdirSync(dirname(join(building, path)), { recursive: true });
      writeFileSync(join(building, path), content);
    }
    writeFileSync(join(building, MARKER), "Written by capstan render: the next run replaces this directory.\n");
    rmSync(directory, { recursive: true, force: true });
    renameSync(building, directory);
  } catch (error) {
    if (building !== undefined) rmSync(building, { recursive: true, force: true });
    throw new UsageError(`${directory} cannot be written: ${(error as Error).message}`);
  }
}

function refuseForeign(directory: string): void {
  if (!existsSync(directory)) return;
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (error) {
    throw new UsageError(`${directory} is not a directory that can be read: ${(error as Error).message}`);
  }
  if (names.length > 0 && !names.includes(MARKER)) {
    throw new UsageError(`${directory} has files that capstan did not write: name a new or empty directory`);
  }
}
