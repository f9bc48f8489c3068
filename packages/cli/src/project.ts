import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The project that a command is about: the one named, the one of this folder, or the one that the folder points to. */
export function projectDirectory(given: string | undefined, cwd: string): string {
  if (given !== undefined) return resolve(cwd, given);
  if (existsSync(join(cwd, "Pulumi.yaml"))) return cwd;
  const pointed = pointedProject(cwd);
  if (pointed !== undefined) return resolve(cwd, pointed);
  throw new UsageError(`no Pulumi.yaml in ${cwd}: name the project's directory, for example capstan plan infra --stack dev`);
}

/** `"capstan": { "project": "infra" }` in the folder's package.json. */
function pointedProject(cwd: string): string | undefined {
  const file = join(cwd, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { capstan?: { project?: unknown } };
    return typeof manifest.capstan?.project === "string" ? manifest.capstan.project : undefined;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}
