// npm run build: compiles every package into its dist/, which is what is published. The sources run without it.
import { buildPackages } from "./lib/build-packages.ts";
import { packages } from "./lib/workspace.ts";

const { code, output, seconds } = await buildPackages({ check: true });
process.stderr.write(output);
if (code === 0) process.stdout.write(`${packages().length} packages built in ${seconds.toFixed(1)} s\n`);
process.exitCode = code;
