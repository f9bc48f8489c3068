import { resolve } from "node:path";
import { isBlocking } from "@capstan/core";
import { planDocument, recordProject, renderTree } from "@capstan/offline";
import { Command } from "commander";
import { EXIT } from "../exit-codes.ts";
import type { Terminal } from "../main.ts";
import { projectDirectory } from "../project.ts";
import { writeTree } from "../write-tree.ts";

interface Options {
  readonly stack: string;
  readonly out: string;
}

export function renderCommand(terminal: Terminal, done: (code: number) => void): Command {
  return new Command("render")
    .description("the Kubernetes objects and Helm values that a program stands for, as a tree of YAML files")
    .argument("[dir]", "directory with Pulumi.yaml", undefined)
    .requiredOption("--stack <name>", "stack, whose Pulumi.<name>.yaml is the configuration")
    .requiredOption("--out <dir>", "directory to write; must be new, empty, or written by capstan render")
    .addHelpText("after", "\nExample:\n  capstan render --stack dev --out rendered/dev\n")
    .action(async (dir: string | undefined, options: Options) => {
      const recording = await recordProject({ dir: projectDirectory(dir, terminal.cwd), stack: options.stack });
      const tree = renderTree(recording);
      const out = resolve(terminal.cwd, options.out);
      writeTree(out, tree.files);
      for (const note of tree.notes) terminal.err(`note: ${note}\n`);
      const errors = planDocument(recording).findings.filter(isBlocking);
      for (const f of errors) terminal.err(`error: ${f.path}: ${f.message} [${f.id}]\n`);
      terminal.out(`${tree.files.length} files in ${options.out}\n`);
      done(errors.length > 0 ? EXIT.failed : EXIT.good);
    });
}
