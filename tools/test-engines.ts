// npm run test:engines: vLLM's own argument parser judges every argument list that we emit. Needs python3.
import { run } from "./lib/run.ts";
import { runVitest } from "./test/vitest.ts";

const python = await run("python3", ["-c", "import sys, venv; sys.exit(sys.version_info < (3, 10))"]);
if (python.code === 0) {
  process.stdout.write(
    "The first run downloads some 300 MB for each version of vLLM; ~/.cache/capstan keeps what is used of it.\n",
  );
  const { passed, failed, skipped, output } = await runVitest(["--config", "test/engines/vitest.config.ts"], {
    progress: process.stdout.isTTY === true,
  });
  if (failed > 0) process.stdout.write(`${output.trimEnd()}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = failed > 0 ? 1 : 0;
} else {
  process.stdout.write(
    "test:engines: skipped, there is no python3 of 3.10 or newer with venv\n0 passed, 0 failed, 1 skipped\n",
  );
}
