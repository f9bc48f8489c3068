import { readFileSync } from "node:fs";

/** The package's own version, for `--version`. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}
