import type { GpuPool } from "@capstan/core";
import type * as pulumi from "@pulumi/pulumi";
import { ManagedNodeGroup, type ManagedNodeGroupArgs } from "./managed-node-group.ts";

export type GpuNodeGroupArgs = ManagedNodeGroupArgs<GpuPool>;

/**
 * Managed node group of GPU nodes: launch template, node group, and the tags with which cluster-autoscaler starts the
 * first node. Changing instance type, AMI family, capacity or zones makes a second set of nodes before the first one
 * goes: quota and budget have to have room for both.
 *
 * @example
 * const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 0, max: 4 } });
 * new GpuNodeGroup("l40s", { cluster, pool: l40s });
 */
export class GpuNodeGroup extends ManagedNodeGroup {
  constructor(name: string, args: GpuNodeGroupArgs, opts?: pulumi.ComponentResourceOptions) {
    super("GpuNodeGroup", name, args, opts);
  }
}
