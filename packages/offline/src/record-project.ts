import type { Recording } from "./recording.ts";
import type { RecordProjectOptions } from "./run/program-run.ts";
import { prepareRun, runsAsModule } from "./run/program-run.ts";
import { runModuleProgram } from "./run/run-module.ts";
import { runOverGrpc } from "./run/run-over-grpc.ts";

/**
 * Runs the program of a Pulumi project in a process of its own, with no engine, cloud or command line, and gives back
 * what it registers. Throws `UserError` for what is wrong with the project, `ProgramError` for what its program does.
 */
export async function recordProject(options: RecordProjectOptions): Promise<Recording> {
  const run = prepareRun(options);
  const recording = await (runsAsModule(run) ? runModuleProgram(run) : runOverGrpc(run));
  return withEnvironmentWarning(recording, run.environments);
}

function withEnvironmentWarning(recording: Recording, environments: readonly string[]): Recording {
  if (environments.length === 0) return recording;
  const message = `the stack takes configuration from the ESC environments ${environments.join(", ")}, which a plan does not read`;
  return { ...recording, logs: [{ severity: "warning", message, urn: "" }, ...recording.logs] };
}
