import { ProgramError, UserError } from "../errors.ts";
import type { Recording } from "../recording.ts";
import { childFile, runChild } from "./child.ts";
import type { HarnessJob } from "./harness.ts";
import { requireGoodEnd } from "./program-end.ts";
import { programEnvironment } from "./program-environment.ts";
import type { ProgramRun } from "./program-run.ts";

const OLDEST_NODE_FOR_TYPESCRIPT = 24;

/** Records a program that is an ES module: the recorder runs in the program's own process, which is fast. */
export async function runModuleProgram(run: ProgramRun): Promise<Recording> {
  const { program, settings, stackReferences } = run;
  const major = Number(process.versions.node.split(".")[0]);
  if (/\.[mc]?ts$/.test(program.file) && major < OLDEST_NODE_FOR_TYPESCRIPT && run.node === process.execPath) {
    throw new UserError(
      `Node ${process.versions.node} cannot run ${program.file}: use Node ${OLDEST_NODE_FOR_TYPESCRIPT} or newer`,
    );
  }
  const input: HarnessJob = { settings, stackReferences, directory: program.directory, file: program.file };
  const { recording, end } = await runChild({
    node: run.node,
    arguments: [...run.runtime.nodeArguments, childFile("harness")],
    environment: programEnvironment(),
    directory: program.directory,
    input,
    timeoutSeconds: run.timeoutSeconds,
  });
  requireGoodEnd(end, recording !== undefined);
  if (recording === undefined) throw new ProgramError("the program's process has sent no recording");
  return recording;
}
