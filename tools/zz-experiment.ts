import { planText } from "../packages/cli/src/text/plan-text.ts";
import { Engine, plainEngineReplies } from "../packages/offline/src/engine/engine.ts";
import { Monitor } from "../packages/offline/src/engine/monitor.ts";
import { plainReplies } from "../packages/offline/src/engine/plain-replies.ts";
import { Recorder } from "../packages/offline/src/engine/recorder.ts";
import { planFile } from "../packages/offline/src/plan/document.ts";
import { leanRuntime } from "../packages/offline/src/run/lean-runtime.ts";
import { runModule } from "../packages/offline/src/run/module-program.ts";
import { prepareRun } from "../packages/offline/src/run/program-run.ts";
import { createContext, settled, shutdown } from "../packages/offline/src/run/runtime.ts";

const t0 = performance.now();
const job = prepareRun({ dir: "/work/main/stacks/inference-platform", stack: "dev" });
const sdk = job.sdk;
const recorder = new Recorder({ ...job.settings, stackReferences: {} }, (e) => {
  throw e;
});
const { store, run } = createContext(
  sdk,
  job.settings,
  new Monitor(recorder, sdk, plainReplies),
  new Engine(recorder, plainEngineReplies),
);
globalThis.globalStore = store;
leanRuntime(sdk);
const t1 = performance.now();
const a0 = performance.now();
await import("/work/main/stacks/inference-platform/program.ts");
const a1 = performance.now();
await run(() => runModule(job.program.file));
const a2 = performance.now();
console.error("import", (a1 - a0).toFixed(0), "program", (a2 - a1).toFixed(0));
await settled(store);
shutdown(store);
const t2 = performance.now();
const file = planFile(recorder.recording());
process.stdout.write(planText(file, { out: () => {}, err: () => {}, cwd: "/", colour: false, columns: 100 }));
console.error(t0, t1 - t0, t2 - t1, performance.now() - t2);
process.exitCode = 0;
