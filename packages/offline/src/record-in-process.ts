import { AsyncLocalStorage } from "node:async_hooks";
import { Engine, plainEngineReplies } from "./engine/engine.ts";
import { Monitor } from "./engine/monitor.ts";
import { plainReplies } from "./engine/plain-replies.ts";
import { Recorder } from "./engine/recorder.ts";
import { ProgramError, UserError } from "./errors.ts";
import type { Recording } from "./recording.ts";
import type { RecordingMonitorOptions } from "./recording-monitor.ts";
import { deferred } from "./run/deferred.ts";
import { leanRuntime } from "./run/lean-runtime.ts";
import type { RuntimeStore } from "./run/runtime.ts";
import { createContext, pendingResources, settled, shutdown, unfinishedMessage } from "./run/runtime.ts";
import { ownSdk } from "./run/sdk.ts";
import { programError } from "./run/serialized-error.ts";
import { takeStrayErrors } from "./run/stray-errors.ts";

export interface RecordInProcessOptions extends RecordingMonitorOptions {
  /**
   * Stack configuration, keys bare (`replicas`) or with a namespace (`aws:region`); objects as JSON text.
   * @default - none
   */
  readonly config?: Readonly<Record<string, string>>;
  /** Keys of `config` whose values are secret. @default - none */
  readonly secretConfig?: readonly string[];
  /** How long the program may take. @default 60 */
  readonly timeoutSeconds?: number;
}

const inside = new AsyncLocalStorage<true>();
let queue: Promise<unknown> = Promise.resolve();

/**
 * Runs `program` in this process against no cloud at all and gives back what it registers. What it returns are the
 * stack's outputs. Waits for all that the program has asked for, but not for timers that it has left running (those only
 * `recordProject` waits for). Throws `ProgramError` when it throws, when an input is rejected or when it asks a provider.
 */
export async function recordInProcess(
  options: RecordInProcessOptions,
  program: () => unknown | Promise<unknown>,
): Promise<Recording> {
  if (inside.getStore()) throw new UserError("recordInProcess was called by a program that is being recorded itself");
  const turn = queue.then(() => inside.run(true, () => record(options, program)));
  // One at a time: errors that nobody handles do not say whose they are.
  queue = turn.catch(() => {});
  return turn;
}

async function record(options: RecordInProcessOptions, program: () => unknown): Promise<Recording> {
  const { project, stack, organization = "organization", preview = true, stackReferences = {} } = options;
  const sdk = ownSdk();
  const failed = deferred<never>();
  const recorder = new Recorder({ project, stack, preview, stackReferences }, failed.reject);
  const { store, run } = createContext(
    sdk,
    { project, stack, organization, preview, rootDirectory: process.cwd(), ...qualifiedConfig(project, options) },
    new Monitor(recorder, sdk, plainReplies),
    new Engine(recorder, plainEngineReplies),
  );
  const putBack = [takeStrayErrors((error) => failed.reject(programError(error))), leanRuntime(sdk)];
  const limit = deadline(options.timeoutSeconds ?? 60, store);
  try {
    await Promise.race([run(program).then(() => settled(store)), failed.promise, limit.reached]);
    if (recorder.failure !== undefined) throw recorder.failure;
    return recorder.recording();
  } catch (error) {
    // What fails along with the first failure must not reach the listeners of the test runner.
    await Promise.race([settled(store), new Promise((resolve) => setTimeout(resolve, 500))]);
    throw recorder.failure ?? programError(error);
  } finally {
    limit.cancel();
    shutdown(store);
    for (const restore of putBack) restore();
  }
}

function qualifiedConfig(project: string, { config = {}, secretConfig = [] }: RecordInProcessOptions) {
  const qualified = (key: string) => (key.includes(":") ? key : `${project}:${key}`);
  return {
    config: Object.fromEntries(Object.entries(config).map(([key, value]) => [qualified(key), value])),
    secretConfig: secretConfig.map(qualified),
  };
}

function deadline(seconds: number, store: RuntimeStore): { reached: Promise<never>; cancel(): void } {
  const { promise, reject } = deferred<never>();
  const timer = setTimeout(() => {
    reject(
      new ProgramError(`the program did not end within ${seconds} s: ${unfinishedMessage(pendingResources(store))}`),
    );
  }, seconds * 1000);
  return { reached: promise, cancel: () => clearTimeout(timer) };
}
