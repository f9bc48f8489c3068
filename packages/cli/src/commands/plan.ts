import { resolve } from "node:path";
import { isBlocking } from "@capstan/core";
import { type PlanDocument, type PlanFile, planFile, recordProject } from "@capstan/offline";
import { Command } from "commander";
import { EXIT } from "../exit-codes.ts";
import type { Terminal } from "../main.ts";
import { projectDirectory } from "../project.ts";
import { planText } from "../text/plan-text.ts";
import { writeWhole } from "../write-file.ts";

interface Options {
  readonly stack: string;
  readonly json?: true;
  readonly out?: string;
}

export function planCommand(terminal: Terminal, done: (code: number) => void): Command {
  return new Command("plan")
    .description("what a Pulumi program would make: pools, services, fit, cold starts, cost, findings")
    .argument("[dir]", "directory with Pulumi.yaml", undefined)
    .requiredOption("--stack <name>", "stack, whose Pulumi.<name>.yaml is the configuration")
    .option("--json", "print one JSON document and nothing else")
    .option("--out <file>", "also write the plan with all resolved values, for report, diff and explain")
    .addHelpText("after", "\nExample:\n  capstan plan --stack dev --out plan.json\n")
    .action(async (dir: string | undefined, options: Options) => {
      const recording = await recordProject({ dir: projectDirectory(dir, terminal.cwd), stack: options.stack });
      for (const log of recording.logs) if (log.severity !== "info") terminal.err(`${log.severity}: ${log.message}\n`);
      const file = planFile(recording);
      if (options.out !== undefined) writeWhole(resolve(terminal.cwd, options.out), json(file));
      terminal.out(options.json ? json(withoutFile(file)) : planText(file, terminal));
      done(file.findings.some(isBlocking) ? EXIT.failed : EXIT.good);
    });
}

/** The document that `--json` prints: the file without what only a report needs. */
function withoutFile({ resolved: _resolved, curves: _curves, ...document }: PlanFile): PlanDocument {
  return document;
}

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
