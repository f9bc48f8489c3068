import { atLeast, exactVersion } from "../memory/engine-version.ts";
import type { ComputeKind, EngineConstants, SpeedCalibration } from "./calibration-types.ts";
import type { Link } from "./hardware.ts";
import type { SpeedEngine } from "./types.ts";

/** Constants of an engine's version; without one, of the newest band. */
export function engineConstants(
  calibration: SpeedCalibration,
  engine: SpeedEngine,
  version: string | undefined,
): EngineConstants {
  const bands = calibration.engines.filter((each) => each.engine === engine);
  const newest = bands.at(-1);
  if (newest === undefined) throw new Error(`no constants for ${engine}`);
  if (version === undefined) return newest;
  const parsed = exactVersion(version);
  return bands.findLast((each) => each.from === null || atLeast(parsed, each.from)) ?? newest;
}

/** What makes two points alike: `vllm 0.8+, h100-80, half, nvlink`. */
export function coverageKey(engine: EngineConstants, gpu: string, kind: ComputeKind, link: Link["kind"]): string {
  return `${engine.engine} ${engine.band}, ${gpu}, ${kind}, ${link}`;
}
