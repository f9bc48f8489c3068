// Loaded into the process of a program that Pulumi's own runner runs: started by `run-over-grpc.ts`, never imported.
import module from "node:module";
import { isMainThread } from "node:worker_threads";
import { failureMessage, receive, send } from "./child-channel.ts";
import { watchEnd } from "./program-end.ts";
import type { ConfigSettings } from "./program-environment.ts";
import { setConfigVariables } from "./program-environment.ts";
import type { RuntimeStore } from "./runtime.ts";

// Node loads it into worker threads as well.
if (isMainThread) prepare();

function prepare(): void {
  module.enableCompileCache?.();
  // What this process needs, the processes that the program may start must not get.
  const { CAPSTAN_NODE_OPTIONS: before } = process.env;
  delete process.env.CAPSTAN_NODE_OPTIONS;
  delete process.env.NODE_OPTIONS;
  if (before !== undefined) process.env.NODE_OPTIONS = before;
  setConfigVariables(receive<ConfigSettings>());

  // The runner has handlers of its own, which make decorated text of errors; these come first and see the errors.
  const fail = (error: unknown) => send(failureMessage(error));
  process.on("unhandledRejection", fail);
  process.on("uncaughtException", fail);
  watchEnd(
    () => (globalThis as { globalStore?: RuntimeStore }).globalStore,
    (exitCode, end) => {
      send({ kind: "end", exitCode, ...end });
      // Keeps the SDK from printing its own account of the same.
      if (!end.idle || end.pending.length > 0) process.exitCode = 1;
    },
  );
}
