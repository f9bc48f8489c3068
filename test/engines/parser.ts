import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type RunResult, run } from "../../tools/lib/run.ts";

/** Outside of the checkout, so that it outlives it: 40 MB, and 25 to 60 MB for each version. */
const cache = process.env.CAPSTAN_CACHE ?? join(homedir(), ".cache", "capstan");
const here = import.meta.dirname;
const requirements = join(here, "requirements.txt");

/**
 * What vLLM's own parser of a version says of argument lists of `vllm serve`: null where it takes one, else its message.
 * Downloads that version first (some 300 MB, of which the Python sources are kept) where it is not in the cache.
 */
export async function judge(version: string, lists: readonly (readonly string[])[]): Promise<(string | null)[]> {
  const python = await pythonWithRequirements();
  const sources = await sourcesOf(version, python);
  const { stdout } = await good(`the parser of vLLM ${version}`, () =>
    run(python, ["-B", join(here, "judge.py")], {
      environment: { PYTHONPATH: sources },
      input: JSON.stringify(lists),
    }),
  );
  return JSON.parse(stdout) as (string | null)[];
}

async function pythonWithRequirements(): Promise<string> {
  const key = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = join(cache, `vllm-parser-${key}`);
  const python = join(folder, "bin", "python");
  // Packages are installed by path, so the environment cannot be moved: a file says that it is whole.
  const whole = join(folder, "whole");
  if (existsSync(whole)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  await good("python3 -m venv", () => run("python3", ["-m", "venv", folder]));
  await good("pip install", () => run(python, ["-m", "pip", "install", "--quiet", "--requirement", requirements]));
  mkdirSync(whole);
  return python;
}

async function sourcesOf(version: string, python: string): Promise<string> {
  const folder = join(cache, `vllm-${version}`);
  if (existsSync(folder)) return folder;
  const work = mkdtempSync(join(cache, "download-"));
  try {
    const download = ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", work, `vllm==${version}`];
    await good(`pip download vllm==${version}`, () => run(python, download));
    const wheel = readdirSync(work).find((file) => file.endsWith(".whl"));
    if (wheel === undefined) throw new Error(`pip has downloaded no wheel of vllm ${version}`);
    const unpacked = join(work, "unpacked");
    await good(`unpacking ${wheel}`, () => run(python, [join(here, "unpack.py"), join(work, wheel), unpacked]));
    renameSync(unpacked, folder);
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function good(what: string, start: () => Promise<RunResult>): Promise<RunResult> {
  const result = await start();
  if (result.code !== 0) throw new Error(`${what} failed:\n${result.output}`);
  return result;
}
