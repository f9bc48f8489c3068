import type { AsyncLocalStorage } from "node:async_hooks";
import type { PulumiSdk } from "./sdk.ts";

export interface ProgramSettings {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  readonly preview: boolean;
  /** Folder of Pulumi.yaml. */
  readonly rootDirectory: string;
  /** Keys with their namespace (`aws:region`). */
  readonly config: Readonly<Record<string, string>>;
  readonly secretConfig: readonly string[];
}

/** A registration that waits for one of its inputs, its parent or what it depends on. */
export interface PendingRegistration {
  readonly name?: string;
  readonly type?: string;
  readonly label?: string;
}

/** All state that the SDK has, of one run of one program. */
export interface RuntimeStore {
  readonly settings: {
    readonly options: Record<string, unknown>;
    monitor?: object;
    engine?: object;
    rpcDone: Promise<unknown>;
  };
  readonly config: Record<string, string>;
  /** Missing in older SDKs. */
  readonly pendingResourceRegistrations?: ReadonlyMap<unknown, PendingRegistration>;
  callbacks?: { shutdown(): void } | undefined;
}

type StoreStorage = AsyncLocalStorage<RuntimeStore>;

interface StateModule {
  readonly LocalStore: new () => RuntimeStore;
  /** Newer SDKs keep it in a global variable, so that several copies share it. */
  readonly asyncLocalStorage?: StoreStorage;
}

/** One run of one program: nothing of an earlier run, of the environment or of the test around it is in its store. */
export interface ProgramContext {
  readonly store: RuntimeStore;
  /** Runs `program` as the content of a stack. Whatever it starts, at any time, sees `store`. */
  run(program: () => unknown): Promise<void>;
}

export function createContext(
  sdk: PulumiSdk,
  program: ProgramSettings,
  monitor: object,
  engine: object,
): ProgramContext {
  const state = sdk.load<StateModule>("runtime/state.js");
  const store = new state.LocalStore();
  const storage =
    state.asyncLocalStorage ?? (globalThis as unknown as { asyncLocalStorage: StoreStorage }).asyncLocalStorage;
  Object.assign(store.settings.options, {
    project: program.project,
    stack: program.stack,
    organization: program.organization,
    rootDirectory: program.rootDirectory,
    dryRun: program.preview,
    // Where the SDK looks for an address, this one makes it take `settings.monitor`.
    monitorAddr: "mock",
    engineAddr: "",
    syncDir: undefined,
    legacyApply: false,
  });
  store.settings.monitor = monitor;
  store.settings.engine = engine;
  store.config.PULUMI_CONFIG = JSON.stringify(program.config);
  store.config.PULUMI_CONFIG_SECRET_KEYS = JSON.stringify(program.secretConfig);
  return { store, run: (content) => storage.run(store, () => runAsStack(sdk, content)) };
}

async function runAsStack(sdk: PulumiSdk, program: () => unknown): Promise<void> {
  const { awaitFeatureSupport } = sdk.load<{ awaitFeatureSupport(): Promise<void> }>("runtime/settings.js");
  const { runInPulumiStack } = sdk.load<{ runInPulumiStack(init: () => Promise<unknown>): Promise<unknown> }>(
    "runtime/stack.js",
  );
  // A new store has every feature off: secrets would arrive in clear and aliases not at all.
  await awaitFeatureSupport();
  await runInPulumiStack(async () => program());
}

/** Until no request is under way and none follows from the answers. */
export async function settled(store: RuntimeStore): Promise<void> {
  for (;;) {
    const last = store.settings.rpcDone;
    await last;
    // Rejections that nobody handles come to light after all promises of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (store.settings.rpcDone === last) return;
  }
}

export function shutdown(store: RuntimeStore): void {
  store.callbacks?.shutdown();
  store.callbacks = undefined;
}

/**
 * Newer runners wait until the process has nothing left to do; older ones (before 3.150) disconnect when the program
 * has returned and its requests are answered, and their server of transforms would keep the process alive otherwise.
 */
export function waitsForTimers(sdk: PulumiSdk): boolean {
  return "signalAndWaitForShutdown" in sdk.load<object>("runtime/settings.js");
}

/** Resources whose registration has not been possible yet, as `type "name"`. */
export function pendingResources(store: RuntimeStore): string[] {
  const pending = [...(store.pendingResourceRegistrations?.values() ?? [])];
  return pending.map(({ type, name, label }) => (type && name ? `${type} "${name}"` : (label ?? "a resource"))).sort();
}

/** Why a program that has come to its end, or to its time limit, has not registered everything. */
export function unfinishedMessage(pending: readonly string[]): string {
  if (pending.length === 0) return "the program waits for a promise that never settles";
  return `an input, parent or dependency of these resources never gets a value: ${pending.join(", ")}`;
}
