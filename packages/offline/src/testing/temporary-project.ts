import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** A project folder that lives as long as the test: file name to content. */
export function temporaryProject(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "offline-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return directory;
}

/** Lets the project find the packages that this one has. */
export function linkPackages(directory: string): void {
  symlinkSync(resolve(import.meta.dirname, "../../node_modules"), join(directory, "node_modules"));
}

export function fixture(name: string): string {
  return resolve(import.meta.dirname, "../../fixtures", name);
}
