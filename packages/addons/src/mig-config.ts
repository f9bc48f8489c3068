import type { ResolvedPool, ResolvedSharing } from "@capstan/core";
import { AddonError } from "./addon.ts";

type MigSharing = Extract<ResolvedSharing, { readonly kind: "mig" }>;

/** A pool whose GPUs are partitioned by MIG Manager. */
export interface MigPool {
  readonly pool: ResolvedPool;
  readonly sharing: MigSharing;
}

export function migPools(pools: readonly ResolvedPool[]): MigPool[] {
  return pools.flatMap((pool) => (pool.sharing.kind === "mig" ? [{ pool, sharing: pool.sharing }] : []));
}

/**
 * MIG Manager's configuration file, or null where the one that it generates from the hardware has every layout. Ours
 * replaces that one, so it holds the layouts of all pools and the one that turns MIG off.
 */
export function migPartedConfig(pools: readonly MigPool[]): string | null {
  if (!pools.some(({ sharing }) => sharing.customConfig)) return null;
  const lines = ["version: v1", "mig-configs:", "  all-disabled:", "    - devices: all", "      mig-enabled: false"];
  for (const [name, sharing] of layoutsByName(pools)) {
    lines.push(`  ${name}:`, "    - devices: all", "      mig-enabled: true", "      mig-devices:");
    for (const [profile, count] of instances(sharing)) lines.push(`        "${profile}": ${count}`);
  }
  return `${lines.join("\n")}\n`;
}

function layoutsByName(pools: readonly MigPool[]): Map<string, MigSharing> {
  const layouts = new Map<string, { readonly pool: string; readonly sharing: MigSharing }>();
  for (const { pool, sharing } of pools) {
    const known = layouts.get(sharing.configName);
    if (known && String(instances(known.sharing)) !== String(instances(sharing))) {
      throw new AddonError(
        `pools ${known.pool} and ${pool.name} need different MIG layouts under one name, ${sharing.configName} ` +
          "(their GPU models have different numbers of that profile); give one of them its layout by counts, such as " +
          `mig(${JSON.stringify(sharing.layout)}) less one instance, so that it gets a name of its own`,
      );
    }
    layouts.set(sharing.configName, { pool: pool.name, sharing });
  }
  return new Map([...layouts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { sharing }]) => [name, sharing]));
}

function instances(sharing: MigSharing): [string, number][] {
  return Object.entries(sharing.layout).filter(([, count]) => count > 0);
}
