// Runs one program in a process of its own: started by `run-module.ts`, never imported.
import module from "node:module";
import { Engine, plainEngineReplies } from "../engine/engine.ts";
import { Monitor } from "../engine/monitor.ts";
import { plainReplies } from "../engine/plain-replies.ts";
import { Recorder } from "../engine/recorder.ts";
import type { StackReferences } from "../recording.ts";
import { failureMessage, receive, send } from "./child-channel.ts";
import { leanRuntime } from "./lean-runtime.ts";
import { runModule } from "./module-program.ts";
import { watchEnd } from "./program-end.ts";
import { setConfigVariables } from "./program-environment.ts";
import type { ProgramSettings } from "./runtime.ts";
import { createContext, settled, shutdown, waitsForTimers } from "./runtime.ts";
import { requireSdk } from "./sdk.ts";

/** What the harness is told. */
export interface HarnessJob {
  readonly settings: ProgramSettings;
  readonly stackReferences: StackReferences;
  /** Folder that the program runs in. */
  readonly directory: string;
  /** File of the program. */
  readonly file: string;
}

// Loading the SDK takes most of the time of a small program; compiled code halves it from the second run on.
module.enableCompileCache?.();

const job = receive<HarnessJob>();
setConfigVariables(job.settings);
process.chdir(job.directory);
const sdk = requireSdk(job.directory);

function fail(error: unknown): void {
  send(failureMessage(error));
}

process.on("unhandledRejection", fail);
process.on("uncaughtException", fail);

const recorder = new Recorder({ ...job.settings, stackReferences: job.stackReferences }, fail);
const { store, run } = createContext(
  sdk,
  job.settings,
  new Monitor(recorder, sdk, plainReplies),
  new Engine(recorder, plainEngineReplies),
);
// Code that runs outside of the program's asynchronous context (callbacks of a pool, say) finds the same store.
(globalThis as { globalStore?: object }).globalStore = store;
leanRuntime(sdk);

watchEnd(
  () => store,
  (exitCode, end) => {
    if (recorder.finished) send({ kind: "recording", recording: recorder.recording() });
    send({ kind: "end", exitCode, ...end });
  },
);

// The process ends when nothing is left to do, as it does under Pulumi's own runner: timers of the program included.
run(() => runModule(job.file))
  .then(() => (waitsForTimers(sdk) ? undefined : settled(store).then(() => shutdown(store))))
  .catch(fail);
