import type { ResolvedPool } from "@capstan/core";
import { AddonError } from "./addon.ts";

/** Key of the file that nodes without the label `nvidia.com/device-plugin.config` read. */
export const DEFAULT_DEVICE_PLUGIN_CONFIG = "default";

/**
 * One file a sharing pool, under the name that its nodes carry in `nvidia.com/device-plugin.config`, and one for all
 * other nodes: without a default the plugin fails on every node that has no label.
 */
export function devicePluginConfigs(pools: readonly ResolvedPool[]): Record<string, string> {
  const configs: Record<string, string> = { [DEFAULT_DEVICE_PLUGIN_CONFIG]: "version: v1\n" };
  for (const pool of pools) {
    if (pool.sharing.kind !== "time-slicing" && pool.sharing.kind !== "mps") continue;
    if (pool.name === DEFAULT_DEVICE_PLUGIN_CONFIG) {
      throw new AddonError(
        `a pool that shares GPUs cannot be called ${pool.name}: that is the device plugin's name for all other nodes; ` +
          "rename the pool",
      );
    }
    configs[pool.name] = sharingConfig(pool.sharing);
  }
  return configs;
}

/**
 * No `flags.migStrategy`: the operator sets it as an environment variable, which wins over the file.
 * `failRequestsGreaterThanOne` has a different default for each kind of sharing, so it is always written.
 */
function sharingConfig(sharing: { kind: "time-slicing" | "mps"; replicas: number; rename: boolean }): string {
  return [
    "version: v1",
    "sharing:",
    `  ${sharing.kind === "mps" ? "mps" : "timeSlicing"}:`,
    `    renameByDefault: ${sharing.rename}`,
    "    failRequestsGreaterThanOne: true",
    "    resources:",
    "      - name: nvidia.com/gpu",
    `        replicas: ${sharing.replicas}`,
    "",
  ].join("\n");
}
