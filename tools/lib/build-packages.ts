import { rmSync } from "node:fs";
import { join } from "node:path";
import { type RunResult, runTool } from "./run.ts";
import { packages } from "./workspace.ts";

/**
 * Compiles every package into its `dist/`. Each is a project that refers to those it depends on: the compiler orders
 * them, and reads the declarations of a package rather than its sources, so that none emits the files of another.
 */
export function buildPackages({ check }: { readonly check: boolean }): Promise<RunResult> {
  for (const { directory } of packages()) {
    // From nothing: the output of a source file that is gone would be published with the rest.
    rmSync(join(directory, "dist"), { recursive: true, force: true });
    rmSync(join(directory, "tsconfig.build.tsbuildinfo"), { force: true });
  }
  return runTool("typescript/bin/tsc", ["--build", ...(check ? [] : ["--noCheck"]), "tsconfig.build.json"]);
}
