import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { UserError } from "../errors.ts";
import type { ProjectFile } from "./project-file.ts";

/** Where a project's program is and what kind of modules it is made of. */
export interface ProgramEntry {
  /** Working directory of the program. */
  readonly directory: string;
  /** What Pulumi's own runner is given: a file in `directory`, or "." for what package.json or an index file says. */
  readonly argument: string;
  /** The file that runs first. */
  readonly file: string;
  /** Its package says `"type": "module"`. */
  readonly isModule: boolean;
}

const INDEX_FILES = {
  module: ["index.js", "index.mjs", "index.ts", "index.mts"],
  commonjs: ["index.js", "index.json", "index.ts"],
};

/** Follows the rules of Pulumi's command line (`main`) and of its runner (package.json, then index files). */
export function findProgram(project: ProjectFile): ProgramEntry {
  const target = resolve(project.directory, project.main ?? ".");
  if (target !== project.directory && !target.startsWith(project.directory + sep)) {
    throw new UserError(`${project.file}: "main" is ${project.main}, which is outside of the project's folder`);
  }
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) throw new UserError(`${project.file}: "main" is ${project.main}, which does not exist`);

  const directory = stats.isDirectory() ? target : dirname(target);
  const { root, manifest } = nearestPackage(directory);
  const isModule = manifest.type === "module";
  if (!stats.isDirectory()) {
    return { directory, argument: target.slice(directory.length + 1), file: target, isModule };
  }
  const file = packageMain(root, manifest) ?? indexFile(directory, isModule);
  return { directory, argument: ".", file, isModule };
}

interface Manifest {
  readonly type?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
}

function nearestPackage(directory: string): { root: string; manifest: Manifest } {
  for (let root = directory; ; root = dirname(root)) {
    const file = join(root, "package.json");
    if (existsSync(file)) {
      try {
        return { root, manifest: JSON.parse(readFileSync(file, "utf8")) as Manifest };
      } catch (error) {
        throw new UserError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
      }
    }
    if (dirname(root) === root) return { root: directory, manifest: {} };
  }
}

/** What `exports` or `main` point to; the runner goes on with the folder when that does not exist. */
function packageMain(root: string, { main, exports }: Manifest): string | undefined {
  const entry = exports === undefined ? main : mainExport(exports);
  if (typeof entry !== "string") return undefined;
  const file = join(root, entry);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

function mainExport(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return exports;
  const main = (exports as Record<string, unknown>)["."];
  if (typeof main !== "object" || main === null) return main;
  const conditions = main as Record<string, unknown>;
  return conditions.default ?? conditions.require ?? conditions.import;
}

function indexFile(directory: string, isModule: boolean): string {
  const candidates = INDEX_FILES[isModule ? "module" : "commonjs"];
  const found = candidates.map((name) => join(directory, name)).find((file) => existsSync(file));
  if (found === undefined) {
    throw new UserError(
      `there is no program in ${directory}: no index.ts, and neither Pulumi.yaml nor package.json has a "main" that exists`,
    );
  }
  return found;
}
