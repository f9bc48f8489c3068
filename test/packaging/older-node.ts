import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface OlderNode {
  readonly file: string;
  readonly version: string;
}

/** A Node of this machine that is too old to run TypeScript, which users may still have; null where there is none. */
export function findOlderNode(): OlderNode | null {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, process.platform === "win32" ? "node.exe" : "node");
    if (!existsSync(file)) continue;
    try {
      const version = execFileSync(file, ["--version"], { encoding: "utf8" }).trim().slice(1);
      const major = Number(version.split(".")[0]);
      if (major >= 20 && major < 24) return { file, version };
    } catch {
      // Something that is called node and is none.
    }
  }
  return null;
}
