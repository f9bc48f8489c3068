export { ProgramError, UserError } from "./errors.ts";
export type { Curves } from "./plan/curves.ts";
export {
  PLAN_SCHEMA_VERSION,
  type PlanDocument,
  type PlanFile,
  type PlannedResource,
  planDocument,
  planFile,
} from "./plan/document.ts";
export { planOf } from "./plan/plan-of.ts";
export type { RecordInProcessOptions } from "./record-in-process.ts";
export { recordInProcess } from "./record-in-process.ts";
export { recordProject } from "./record-project.ts";
export type {
  JsonValue,
  LogSeverity,
  RecordedAlias,
  RecordedLog,
  RecordedOptions,
  RecordedResource,
  RecordedTimeouts,
  Recording,
  StackReferences,
} from "./recording.ts";
export type { RecordingMonitorOptions } from "./recording-monitor.ts";
export { RecordingMonitor } from "./recording-monitor.ts";
export { type RenderedFile, type RenderedTree, renderTree } from "./render/tree.ts";
export type { RecordProjectOptions } from "./run/program-run.ts";
