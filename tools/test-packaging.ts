// npm run test:packaging: every package, packed and installed in an empty project, as a user gets it.
import { runVitest } from "./test/vitest.ts";

const { passed, failed, skipped, output, seconds } = await runVitest(["--config", "test/packaging/vitest.config.ts"], {
  progress: process.stdout.isTTY === true,
});
if (failed > 0) process.stdout.write(`${output.trimEnd()}\n`);
process.stdout.write(`packaging took ${seconds.toFixed(1)} s\n`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exitCode = failed > 0 ? 1 : 0;
