// npm run bench [-- --no-blueprints]: how long the first look takes, and what a large platform costs. Fails over a limit.
//   --no-blueprints  not against a cdk-eks-blueprints synth, which installs that library into ~/.cache/capstan first
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { compareWithBlueprints } from "./bench/blueprints.ts";
import { measureSizes } from "./bench/size.ts";
import { compareStart } from "./bench/start.ts";

async function main(): Promise<number> {
  const options = { blueprints: { type: "boolean", default: true } } as const;
  let blueprints: boolean;
  try {
    blueprints = parseArgs({ options, allowNegative: true }).values.blueprints;
  } catch (error) {
    process.stderr.write(`npm run bench: ${(error as Error).message}; the only option is --no-blueprints\n`);
    return 2;
  }
  const lines = [
    ...(await compareStart()),
    ...(blueprints ? await compareWithBlueprints() : []),
    ...(await measureSizes()),
  ];
  const table = new Table({ head: ["", "measured", "limit", ""], style: { head: [], border: [] }, chars: NO_LINES });
  for (const { what, measured, limit, good } of lines) {
    table.push([what, measured, limit ?? "", good === undefined ? "" : good ? "good" : "OVER"]);
  }
  process.stdout.write(`${table.toString()}\n`);
  return lines.some(({ good }) => good === false) ? 1 : 0;
}

const NO_LINES = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };

process.exitCode = await main();
