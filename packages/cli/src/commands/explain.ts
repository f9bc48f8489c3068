import { nearest } from "@capstan/catalog";
import { rules } from "@capstan/core";
import { planFile, recordProject } from "@capstan/offline";
import { Command } from "commander";
import type { Terminal } from "../main.ts";
import { projectDirectory } from "../project.ts";
import { originText, ruleText } from "../text/explain-text.ts";
import { UsageError } from "../usage-error.ts";

export function explainCommand(terminal: Terminal, _done: (code: number) => void): Command {
  return new Command("explain")
    .description("why a rule exists and what it accepts, or where a resolved value came from")
    .argument("<rule-or-dir>", "rule id, or directory with Pulumi.yaml")
    .argument("[path]", "path of a value, such as services.llama-8b.cpus")
    .option("--stack <name>", "stack, with a directory")
    .addHelpText(
      "after",
      "\nExamples:\n  capstan explain gpu.mig.unsupported\n  capstan explain . --stack dev services.llama-8b.cpus\n",
    )
    .action(async (subject: string, path: string | undefined, { stack }: { readonly stack?: string }) => {
      const rule = rules.find((r) => r.id === subject);
      if (rule) return terminal.out(ruleText(rule));
      if (path === undefined || stack === undefined) throw new UsageError(unknownRule(subject));
      const dir = projectDirectory(subject, terminal.cwd);
      terminal.out(originText(planFile(await recordProject({ dir, stack })), path));
    });
}

function unknownRule(id: string): string {
  const near = nearest(
    id,
    rules.map((r) => r.id),
  );
  return `there is no rule "${id}"${near ? `; did you mean "${near}"?` : ""}; for a value give a directory, --stack and a path`;
}
