import { dirname, resolve } from "node:path";
import { answerQuery, type FitAnswer, FitError, type FitRanking } from "@capstan/core";
import { Command } from "commander";
import { EXIT } from "../exit-codes.ts";
import type { Terminal } from "../main.ts";
import { readJson } from "../read-json.ts";
import { fitText } from "../text/fit-text.ts";
import { rankingText } from "../text/ranking-text.ts";
import { UsageError } from "../usage-error.ts";
import { addFitOptions, asOption, queryOf } from "./fit-options.ts";

interface Options extends Readonly<Record<string, unknown>> {
  readonly from?: string;
  readonly json?: true;
}

interface Failure {
  readonly error: string;
}

export function fitCommand(terminal: Terminal, done: (code: number) => void): Command {
  const command = new Command("fit").description(
    "does a model fit, how many tokens and requests, how fast, at what price; without a GPU or instance type, all of them ranked",
  );
  return addFitOptions(command)
    .option(
      "--from <file>",
      "a JSON array of such queries, keys in camelCase; answers with a JSON array in the same order",
    )
    .option("--json", "print one JSON document and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  capstan fit --model meta-llama/Llama-3.1-8B-Instruct --gpu h100-80 --engine vllm@0.19.0
  capstan fit --model Qwen/Qwen3-8B --max-model-len 16384 --objective-ttft-p99-ms 800
`,
    )
    .action((options: Options) => {
      const query = queryOf(options);
      if (options.from !== undefined) {
        if (Object.keys(query).length > 0) {
          throw new UsageError(`--from takes its queries from the file; write ${Object.keys(query).join(", ")} there`);
        }
        const answers = batch(resolve(terminal.cwd, options.from));
        terminal.out(json(answers));
        return done(answers.every(isGood) ? EXIT.good : EXIT.failed);
      }
      const answer = single(query, terminal.cwd);
      terminal.out(options.json ? json(answer) : asText(answer, terminal));
      done(isGood(answer) ? EXIT.good : EXIT.failed);
    });
}

function single(query: Record<string, unknown>, folder: string): FitAnswer | FitRanking {
  try {
    return answerQuery(withConfig(query, folder));
  } catch (error) {
    if (!(error instanceof FitError)) throw error;
    throw new UsageError(error.problems.map(({ message }) => asOption(message)).join("\n"));
  }
}

/** One answer for each query, whatever is wrong with the others. */
function batch(file: string): readonly (FitAnswer | FitRanking | Failure)[] {
  const queries = readJson(file);
  if (!Array.isArray(queries)) throw new UsageError(`${file} is not a JSON array of queries`);
  return queries.map((query: unknown) => {
    try {
      return answerQuery(withConfig(query, dirname(file)));
    } catch (error) {
      if (error instanceof FitError || error instanceof UsageError) return { error: error.message };
      throw error;
    }
  });
}

/** A path in `modelConfig` becomes the contents of the file. */
function withConfig(query: unknown, folder: string): unknown {
  if (typeof query !== "object" || query === null || !("modelConfig" in query)) return query;
  const { modelConfig } = query;
  return typeof modelConfig === "string" ? { ...query, modelConfig: readJson(resolve(folder, modelConfig)) } : query;
}

function isGood(answer: FitAnswer | FitRanking | Failure): boolean {
  if ("error" in answer) return false;
  if ("verdict" in answer) return answer.verdict === "serves";
  // Good options stand first, with a price or without.
  const first = answer.options[0];
  return first?.verdict === "serves" && (first.objective === null || first.objective.met);
}

function asText(answer: FitAnswer | FitRanking, terminal: Terminal): string {
  return "verdict" in answer ? fitText(answer, terminal) : rankingText(answer, terminal);
}

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
