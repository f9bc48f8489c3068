import { ProgramError } from "../errors.ts";
import type { ChildMessage, ProgramEnd } from "./child-channel.ts";
import type { RuntimeStore } from "./runtime.ts";
import { pendingResources, unfinishedMessage } from "./runtime.ts";

/**
 * Watches, inside a program's process, how it ends. A process that has nothing left to do says so before it ends; one
 * that the program ends itself does not.
 */
export function watchEnd(
  store: () => RuntimeStore | undefined,
  onEnd: (exitCode: number, end: ProgramEnd) => void,
): void {
  let natural = false;
  let idle = false;
  process.on("beforeExit", () => {
    natural = true;
    void (store()?.settings.rpcDone ?? Promise.resolve()).then(() => {
      idle = true;
    });
  });
  process.on("exit", (exitCode) => {
    const at = store();
    onEnd(exitCode, { natural, idle, pending: at === undefined ? [] : pendingResources(at) });
  });
}

/** Throws unless the program has run to its end; `finished` says whether its outputs have arrived. */
export function requireGoodEnd(end: Extract<ChildMessage, { kind: "end" }>, finished: boolean): void {
  if (!end.natural) {
    throw new ProgramError(
      `the program ended its process with exit code ${end.exitCode} (process.exit) before everything was registered: throw an error or return instead`,
    );
  }
  if (!finished || !end.idle || end.pending.length > 0) throw new ProgramError(unfinishedMessage(end.pending));
  if (end.exitCode !== 0)
    throw new ProgramError(`the program set exit code ${end.exitCode}, with which a deployment fails`);
}
