import { isBlocking } from "@capstan/core";
import { ProgramError, planDocument, recordInProcess, UserError } from "@capstan/offline";
import { planText } from "../../packages/cli/src/text/plan-text.ts";
import { prepareRun } from "../../packages/offline/src/run/program-run.ts";
import { loadTypeScriptLate } from "./late-typescript.ts";

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly colour: boolean;
  readonly columns: number;
}

/**
 * Shows what `capstan plan --stack dev` shows of the reference platform, and gives the same exit code. Its program runs in
 * this process, where the command gives each program one of its own: that would cost as much again as the whole answer.
 */
export async function showPlan(directory: string, output: Output): Promise<number> {
  try {
    const { settings, sdk } = prepareRun({ dir: directory, stack: "dev" });
    loadTypeScriptLate(sdk.directory);
    const recording = await recordInProcess(settings, async () => {
      const { program } = await import("../../stacks/inference-platform/program.ts");
      return program();
    });
    const plan = planDocument(recording);
    output.out(planText(plan, output));
    return plan.findings.some(isBlocking) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ProgramError || error instanceof UserError)) throw error;
    output.err(`capstan: ${error.message}\n`);
    return error instanceof UserError ? 2 : 1;
  }
}
