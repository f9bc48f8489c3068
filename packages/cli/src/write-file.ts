import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The whole file or none of it: a reader never sees half, and a full disk leaves the old one. */
export function writeWhole(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
