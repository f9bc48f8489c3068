// npm run goldens: writes the reviewed files of every stack and example anew. Their diff belongs into the review.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { goldenFiles } from "../test/programs/golden-files.ts";
import { programs, recordingOf } from "../test/programs/programs.ts";
import { root } from "./lib/workspace.ts";

const folder = join(root, "test/goldens");

for (const program of programs) {
  try {
    const files = goldenFiles(await recordingOf(program));
    // All of them were made before any is removed: a program that fails keeps what it had.
    rmSync(join(folder, program.name), { recursive: true, force: true });
    for (const [path, content] of files) {
      const file = join(folder, program.name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    process.stdout.write(`${program.name}: ${files.size} files\n`);
  } catch (error) {
    process.stderr.write(`${program.name}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
