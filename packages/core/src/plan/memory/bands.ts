import { atLeast, type EngineVersion } from "./engine-version.ts";
import type { ModelRunner } from "./types.ts";

/**
 * A range of vLLM versions with one way of accounting for start-up memory. The same model changes band when its runner
 * changes, so a band is a pair of range and runner (facts/vllm-by-version.md sections 0 and 2).
 */
export interface MemoryBand {
  readonly id: string;
  readonly runner: ModelRunner;
  /** First version of the band. */
  readonly from: string;
  /** First version after it; null: the newest that was read is in the band. */
  readonly before: string | null;
  /** `parts`: weights + non-torch + torch peak. `consumed`: all that left the device, plus the transient peak. */
  readonly accounting: "parts" | "consumed";
  /** The CUDA graph estimate is taken off the KV memory. */
  readonly graphsSubtracted: boolean;
  /** Runner V2's tables: `outside` of the accounting (a real overcommit) or `counted`. */
  readonly samplerTables: "none" | "outside" | "counted";
  /** The native sampler of V1 masks with a Triton buffer, from 0.17. */
  readonly samplerMask: boolean;
  /** Workspaces of mixture-of-experts kernels stay allocated while the sampler runs. */
  readonly moeWorkspaceKept: boolean;
  /** The vision encoder is part of the profile run. */
  readonly encoderProfiled: boolean;
}

/** Newest version whose accounting was read. */
export const NEWEST_READ = "0.33";

const v1: Omit<MemoryBand, "id" | "from" | "before"> = {
  runner: "v1",
  accounting: "parts",
  graphsSubtracted: true,
  samplerTables: "none",
  samplerMask: true,
  moeWorkspaceKept: true,
  encoderProfiled: true,
};
const v2: Omit<MemoryBand, "id" | "from" | "before"> = {
  runner: "v2",
  accounting: "consumed",
  graphsSubtracted: true,
  samplerTables: "counted",
  samplerMask: false,
  moeWorkspaceKept: true,
  encoderProfiled: true,
};

export const memoryBands: readonly MemoryBand[] = [
  {
    ...v1,
    id: "0.11-0.16",
    from: "0.11.0",
    before: "0.17.0",
    graphsSubtracted: false,
    samplerMask: false,
    moeWorkspaceKept: false,
  },
  { ...v1, id: "0.17-0.19", from: "0.17.0", before: "0.20.0", graphsSubtracted: false },
  { ...v1, id: "0.20-0.26", from: "0.20.0", before: "0.27.0" },
  { ...v1, id: "0.27-0.28", from: "0.27.0", before: "0.29.0", accounting: "consumed" },
  {
    ...v2,
    id: "0.22-0.26",
    from: "0.22.0",
    before: "0.27.0",
    accounting: "parts",
    graphsSubtracted: false,
    samplerTables: "outside",
    encoderProfiled: false,
  },
  { ...v2, id: "0.27", from: "0.27.0", before: "0.28.0", graphsSubtracted: false },
  { ...v2, id: "0.28", from: "0.28.0", before: "0.29.0", graphsSubtracted: false },
  { ...v2, id: "0.29-0.30", from: "0.29.0", before: "0.31.0" },
  { ...v2, id: "0.31-0.32", from: "0.31.0", before: "0.33.0" },
  { ...v2, id: "0.33", from: "0.33.0", before: null },
];

/** Null: the accounting of this version was not read. */
export function memoryBand(version: EngineVersion, runner: ModelRunner): MemoryBand | null {
  if (atLeast(version, "0.34.0")) return null;
  const found = memoryBands.find(
    (each) =>
      each.runner === runner && atLeast(version, each.from) && (each.before === null || !atLeast(version, each.before)),
  );
  return found ?? null;
}
