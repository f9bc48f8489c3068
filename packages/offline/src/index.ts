export { ProgramError, UserError } from "./errors.ts";
export type { RecordProjectOptions } from "./program-run.ts";
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
