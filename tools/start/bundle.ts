import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../lib/workspace.ts";

/**
 * The sources that `npm start` runs, as three files instead of some six hundred: finding and opening modules is a third of
 * its time. Made after a start that had none; any change of a source makes another one.
 */
export interface Bundle {
  readonly directory: string;
  readonly isThere: boolean;
  /** URL of the module that stands for `show-plan.ts`. */
  readonly entry: string;
}

/** Below the stack, so that bare imports find what the stack's own files find. */
const cache = join(root, "stacks/inference-platform/node_modules/.cache/start");

export function findBundle(): Bundle {
  const directory = join(cache, stateOfSources());
  const file = join(directory, "show-plan.mjs");
  return { directory, isThere: existsSync(file), entry: pathToFileURL(file).href };
}

/** Changes whenever a source is written, added or removed. */
function stateOfSources(): string {
  const hash = createHash("sha256").update(process.version);
  const add = (file: string) => {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  };
  add(join(root, "pnpm-lock.yaml"));
  const sources = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src"));
  for (const folder of [...sources.filter((source) => existsSync(source)), join(root, "tools/start")]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (name.endsWith(".ts")) add(join(folder, name));
    }
  }
  const stack = join(root, "stacks/inference-platform");
  for (const name of readdirSync(stack).sort()) if (name.endsWith(".ts")) add(join(stack, name));
  return hash.digest("hex").slice(0, 16);
}

export async function writeBundle({ directory }: Bundle): Promise<void> {
  const { rolldown } = await import("rolldown");
  const built = await rolldown({
    input: { "show-plan": join(import.meta.dirname, "show-plan.ts") },
    platform: "node",
    // Pulumi's packages look at their own files, and one process must have one copy of them.
    external: [/^@pulumi\//, /^node:/],
    logLevel: "silent",
    plugins: [{ name: "own-place", transform: ownPlace }],
  });
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "new-"));
  await built.write({ dir: work, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
  await built.close();
  // Nothing is seen of a bundle before it is whole.
  renameSync(work, directory);
}

/** Modules find their data beside themselves: they keep the place that they have as sources. */
function ownPlace(code: string, id: string): string | null {
  if (!code.includes("import.meta.")) return null;
  return code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
}
