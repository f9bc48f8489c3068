import type { MigFacts, MigProfileFacts } from "@capstan/catalog";

/** Instances on one GPU: profile -> count. */
export type MigLayout = Readonly<Record<string, number>>;

/** The layout as counts: a bare profile fills the GPU. */
export function migCounts(mig: MigFacts | null, layout: string | Readonly<Partial<Record<string, number>>>): MigLayout {
  if (typeof layout !== "string") {
    const counted = Object.entries(layout).filter((e): e is [string, number] => e[1] !== undefined);
    // Sorted, large ones first: the order of keys in a declaration is not a change of the pool.
    return Object.fromEntries(counted.sort(([a], [b]) => memoryIn(b) - memoryIn(a) || (a < b ? -1 : 1)));
  }
  const profile = mig?.profiles.find((p) => p.profile === layout);
  return { [layout]: profile?.maxInstances ?? 0 };
}

/** Gigabytes in a profile's name: 40 in `3g.40gb`. */
function memoryIn(profile: string): number {
  return Number(/\.(\d+)gb/.exec(profile)?.[1] ?? 0);
}

/**
 * True where the instances fit one GPU: no two memory slices overlap, the compute slices suffice, and at most one
 * instance has the media extensions. Every profile must be in the GPU's table.
 */
export function migLayoutFits(mig: MigFacts, layout: MigLayout): boolean {
  const instances: MigProfileFacts[] = [];
  for (const [name, count] of Object.entries(layout)) {
    const profile = mig.profiles.find((p) => p.profile === name);
    if (!profile || !Number.isInteger(count) || count < 0 || count > profile.maxInstances) return false;
    for (let i = 0; i < count; i++) instances.push(profile);
  }
  if (instances.length === 0) return false;
  if (sum(instances.map((p) => p.computeSlices)) > mig.computeSlices) return false;
  if (instances.filter((p) => p.profile.includes("+me") && !p.profile.includes("+me.all")).length > 1) return false;
  // Large ones first: they have the fewest places.
  instances.sort((a, b) => b.placementSize - a.placementSize || a.placementStarts.length - b.placementStarts.length);
  return place(instances, 0, 0);
}

function place(instances: readonly MigProfileFacts[], index: number, taken: number): boolean {
  const profile = instances[index];
  if (!profile) return true;
  for (const start of profile.placementStarts) {
    const mask = ((1 << profile.placementSize) - 1) << start;
    if ((taken & mask) === 0 && place(instances, index + 1, taken | mask)) return true;
  }
  return false;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
