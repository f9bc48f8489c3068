import type { GpuFacts } from "./facts.ts";
import type { GpuModel } from "./generated/ids.ts";
import { lazy, once } from "./load.ts";

const MIB_PER_GIB = 1024;

interface GpuRecord extends Omit<GpuFacts, "memoryGib"> {
  readonly memoryMib: number | null;
}

const document = lazy<{ readonly gpus: readonly GpuRecord[] }>("gpus");

const byId = once(() => new Map<string, GpuFacts>(document().gpus.map((record) => [record.id, facts(record)])));

export function gpu(id: GpuModel): GpuFacts {
  return byId().get(id)!;
}

/** undefined: no GPU of that id. */
export function findGpu(id: string): GpuFacts | undefined {
  return byId().get(id);
}

function facts({ memoryMib, ...rest }: GpuRecord): GpuFacts {
  return Object.freeze({ ...rest, memoryGib: memoryMib === null ? null : memoryMib / MIB_PER_GIB });
}
