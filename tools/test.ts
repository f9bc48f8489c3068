// npm test [-- --quiet]: type check, lint, unused code and all tests; the last line counts what passed and failed.
//   --quiet  shows what fails and nothing else
import { parseArgs } from "node:util";
import { type Check, staticChecks, testCheck } from "./test/checks.ts";

async function main(): Promise<number> {
  const quiet = quietFrom(process.argv.slice(2));
  if (quiet === null) return 2;
  const counts = { passed: 0, failed: 0 };
  const report = async ({ title, run }: Check) => {
    if (!quiet) process.stdout.write(`== ${title}\n`);
    const { passed, failed, output, note, seconds } = await run();
    counts.passed += passed;
    counts.failed += failed;
    if (failed > 0) process.stdout.write(`${quiet ? `== ${title}\n` : ""}${output.trimEnd()}\n`);
    if (!quiet || failed > 0) process.stdout.write(`   ${note} (${seconds.toFixed(1)} s)\n`);
  };
  for (const check of staticChecks()) await report(check);
  await report(testCheck({ progress: !quiet && process.stdout.isTTY === true }));
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed > 0 ? 1 : 0;
}

function quietFrom(args: readonly string[]): boolean | null {
  try {
    return parseArgs({ args: [...args], options: { quiet: { type: "boolean", default: false } } }).values.quiet;
  } catch (error) {
    process.stderr.write(`npm test: ${(error as Error).message}; the only option is --quiet\n`);
    return null;
  }
}

process.exitCode = await main();
