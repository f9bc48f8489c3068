import { DeclarationError } from "@capstan/core";
import { ProgramError, UserError } from "@capstan/offline";
import { Command, CommanderError } from "commander";
import { explainCommand } from "./commands/explain.ts";
import { fitCommand } from "./commands/fit.ts";
import { planCommand } from "./commands/plan.ts";
import { renderCommand } from "./commands/render.ts";
import { EXIT } from "./exit-codes.ts";
import { watchOutput } from "./output-failure.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** Where a command writes and looks; given by tests. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly cwd: string;
  /** Colours and widths of a terminal, or plain text. */
  readonly colour: boolean;
  readonly columns: number;
}

function processTerminal(): Terminal {
  const plain = process.env.NO_COLOR !== undefined || process.env.CI !== undefined || !process.stdout.isTTY;
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    cwd: process.cwd(),
    colour: !plain,
    columns: Math.max(80, Math.min(process.stdout.columns ?? 100, 140)),
  };
}

/** Runs one command line and gives its exit code. Never throws. */
export async function main(args: readonly string[], terminal?: Terminal): Promise<number> {
  if (terminal !== undefined) return runCommand(args, terminal);
  // Nobody is left to tell when standard error fails.
  process.stderr.on("error", () => {});
  const written = watchOutput(process.stdout);
  const code = await runCommand(args, processTerminal());
  const failed = await written();
  if (failed === undefined) return code;
  process.stderr.write(`capstan: standard output cannot be written: ${failed.message}\n`);
  return EXIT.failed;
}

async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.good;
  const done = (value: number) => {
    code = value;
  };
  const program = new Command("capstan")
    .description("AI inference on Kubernetes, planned before it exists")
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showSuggestionAfterError(true);
  for (const command of [
    planCommand(terminal, done),
    fitCommand(terminal, done),
    renderCommand(terminal, done),
    explainCommand(terminal, done),
  ]) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    return failure(error, terminal);
  }
}

/** One clear message for every failure, and a stack only for a fault of ours. */
function failure(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.good : EXIT.usage;
  // A program that refuses its own declaration is readable input with an error in it.
  if (error instanceof ProgramError || error instanceof DeclarationError) {
    terminal.err(`capstan: ${error.message}\n`);
    return EXIT.failed;
  }
  if (error instanceof UsageError || error instanceof UserError) {
    terminal.err(`capstan: ${error.message}\n`);
    return EXIT.usage;
  }
  terminal.err(
    `capstan: unexpected fault, please report it\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return EXIT.usage;
}
