import { serve } from "../engine/grpc-server.ts";
import { Recorder } from "../engine/recorder.ts";
import type { Recording } from "../recording.ts";
import { childModule, runChild } from "./child.ts";
import { deferred } from "./deferred.ts";
import { requireGoodEnd } from "./program-end.ts";
import type { ConfigSettings } from "./program-environment.ts";
import { programEnvironment } from "./program-environment.ts";
import type { ProgramRun } from "./program-run.ts";

/**
 * Diagnostics with which TypeScript 6 refuses options that it still follows; `moduleResolution: node`, which
 * `pulumi new` writes, is one of them. Whether the project builds is not for a plan to say.
 */
const DEPRECATIONS = ["5101", "5107"];

/**
 * Records a program under the runner of its own SDK, which `pulumi up` uses too, with the recorder as its engine. So it
 * is compiled and loaded in whichever way its package.json and tsconfig.json ask for.
 */
export async function runOverGrpc(run: ProgramRun): Promise<Recording> {
  const { settings, program, sdk } = run;
  const failed = deferred<never>();
  const recorder = new Recorder({ ...settings, stackReferences: run.stackReferences }, failed.reject);
  const input: ConfigSettings = { config: settings.config, secretConfig: settings.secretConfig };
  const server = await serve(sdk, recorder);
  try {
    const { end } = await runChild(
      {
        node: run.node,
        arguments: [...run.runtime.nodeArguments, ...runnerArguments(run, server.address)],
        environment: runnerEnvironment(run),
        directory: program.directory,
        input,
        timeoutSeconds: run.timeoutSeconds,
      },
      failed.promise,
    );
    requireGoodEnd(end, recorder.finished);
    return recorder.recording();
  } finally {
    server.close();
  }
}

function runnerArguments({ settings, program, sdk }: ProgramRun, address: string): string[] {
  const options = {
    monitor: address,
    engine: address,
    project: settings.project,
    stack: settings.stack,
    organization: settings.organization,
    "root-directory": settings.rootDirectory,
    pwd: program.directory,
    parallel: "16",
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return [`${sdk.directory}/cmd/run`, ...flags, "--dry-run", program.argument];
}

function runnerEnvironment({ runtime }: ProgramRun): NodeJS.ProcessEnv {
  const environment = programEnvironment();
  const { NODE_OPTIONS: before } = environment;
  return {
    ...environment,
    NODE_OPTIONS: `${before ?? ""} --import=${childModule("preload").href}`.trim(),
    ...(before === undefined ? {} : { CAPSTAN_NODE_OPTIONS: before }),
    ...(runtime.typescript ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
    ...(runtime.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: runtime.tsconfig }),
    // Types are for the program's own build to check; checking them here takes several times as long as the rest.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    TS_NODE_IGNORE_DIAGNOSTICS: [environment.TS_NODE_IGNORE_DIAGNOSTICS, ...DEPRECATIONS].filter(Boolean).join(),
  };
}
