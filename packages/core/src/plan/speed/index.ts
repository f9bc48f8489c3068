export { calibration as speedCalibration } from "./calibration.ts";
export type { EngineConstants, HardwareConstants, SpeedCalibration } from "./calibration-types.ts";
export type { CpuInstructions } from "./cpu-assumptions.ts";
export { type CpuSpeed, type CpuSpeedInput, cpuSpeed } from "./cpu-speed.ts";
export { type DevicePart, deviceShareOf } from "./device-share.ts";
export { engineSpeed } from "./engine-speed.ts";
export {
  type LargestLoad,
  type LoadLatency,
  type LoadLatencyInput,
  type LoadObjective,
  largestLoad,
  loadLatency,
} from "./load-latency.ts";
export { type TensorRtCapacity, type TensorRtCapacityInput, tensorRtCapacity } from "./tensorrt-capacity.ts";
export { type ReplicaThroughput, replicaThroughput } from "./throughput.ts";
export type {
  DeviceShare,
  Estimate,
  OperatingPoint,
  Speculation,
  SpeedCalibrationNote,
  SpeedEngine,
  SpeedEstimate,
  SpeedInput,
  SpeedLimit,
  SpeedLine,
  SpeedResult,
} from "./types.ts";
