import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "./usage-error.ts";

/** The project in the directory named, else in this one; either may point to it in its package.json. */
export function projectDirectory(given: string | undefined, cwd: string): string {
  const directory = given === undefined ? cwd : resolve(cwd, given);
  if (existsSync(join(directory, "Pulumi.yaml"))) return directory;
  const pointed = pointedProject(directory);
  if (pointed !== undefined) return resolve(directory, pointed);
  // The offline runner says what is missing from a directory that was named.
  if (given !== undefined) return directory;
  throw new UsageError(
    `no Pulumi.yaml in ${cwd}: name the project's directory, for example capstan plan infra --stack dev`,
  );
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
