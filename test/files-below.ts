import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** Paths of all files below a folder, with forward slashes, without what is installed inside it. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("node_modules/"))
    .sort();
}
