import type { CpuPool } from "@capstan/core";
import type * as pulumi from "@pulumi/pulumi";
import { ManagedNodeGroup, type ManagedNodeGroupArgs } from "./managed-node-group.ts";

export type CpuNodeGroupArgs = ManagedNodeGroupArgs<CpuPool>;

/**
 * Managed node group of CPU nodes. With `cpuManager: "static"` the kubelet gives whole cores to pods that ask for them;
 * changing that replaces the nodes one after the other.
 *
 * @example
 * const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 20 } });
 * new CpuNodeGroup("amx", { cluster, pool: amx });
 */
export class CpuNodeGroup extends ManagedNodeGroup {
  constructor(name: string, args: CpuNodeGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super("CpuNodeGroup", name, args, opts);
  }
}
