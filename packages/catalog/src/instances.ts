import type { CpuPlatformFacts, InstanceFacts } from "./facts.ts";
import type { InstanceType } from "./generated/ids.ts";
import { lazy, once } from "./load.ts";

interface InstanceRecord extends Omit<InstanceFacts, "cpuPlatform"> {
  readonly cpuPlatform: string | null;
}

const document = lazy<{
  readonly cpuPlatforms: Readonly<Record<string, CpuPlatformFacts>>;
  readonly instances: readonly InstanceRecord[];
}>("instances");

const byType = once(
  () => new Map<string, InstanceFacts>(document().instances.map((record) => [record.type, facts(record)])),
);

export function instance(type: InstanceType): InstanceFacts {
  return byType().get(type)!;
}

/** undefined: no EC2 type of that name in the table. */
export function findInstance(type: string): InstanceFacts | undefined {
  return byType().get(type);
}

function facts(record: InstanceRecord): InstanceFacts {
  const platform = record.cpuPlatform === null ? null : (document().cpuPlatforms[record.cpuPlatform] ?? null);
  return Object.freeze({ ...record, cpuPlatform: platform });
}
