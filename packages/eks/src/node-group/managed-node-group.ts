import { type CpuPool, type GpuPool, poolToJson, type ResolvedPool } from "@capstan/core";
import type { LaunchTemplate } from "@pulumi/aws/ec2/launchTemplate.js";
import type { NodeGroup } from "@pulumi/aws/eks/nodeGroup.js";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster.ts";
import { warn } from "../warn.ts";
import { createNodeGroup, type NodeGroupTransform } from "./create.ts";
import { resolveNodeGroup } from "./resolve.ts";

export interface ManagedNodeGroupArgs<Declared extends GpuPool | CpuPool> {
  readonly cluster: Cluster;
  /** A declaration, or a pool that a platform has resolved. */
  readonly pool: Declared | ResolvedPool;
  /** @default - the cluster's subnets, of the pool's zones where it names some */
  readonly subnetIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** ARN of the nodes' role. @default - the role that the cluster shares, else a new one with the least that a node needs */
  readonly nodeRole?: pulumi.Input<string>;
  /**
   * cluster-autoscaler owns the number of nodes: the Auto Scaling group is tagged for scale from zero, and changes of
   * the desired size are ignored. Without it every deployment sets the declared desired size.
   *
   * @default - true where the pool's max is above its min
   */
  readonly clusterAutoscaler?: boolean;
  /** AWS tags on everything that can have some, the instances and their volumes included. @default - none of one's own */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Last changes to the arguments of the children. */
  readonly transform?: NodeGroupTransform;
}

/** What GPU and CPU node groups have in common: all but the name of the type. */
export abstract class ManagedNodeGroup extends pulumi.ComponentResource {
  readonly pool: ResolvedPool;
  readonly launchTemplate: LaunchTemplate;
  readonly nodeGroup: NodeGroup;
  /** Made by EKS together with the node group. */
  readonly autoscalingGroupName: pulumi.Output<string>;
  readonly nodeRoleArn: pulumi.Output<string>;

  protected constructor(
    type: "GpuNodeGroup" | "CpuNodeGroup",
    name: string,
    args: ManagedNodeGroupArgs<GpuPool | CpuPool>,
    opts: pulumi.ComponentResourceOptions | undefined,
  ) {
    const resolved = resolveNodeGroup(`${type} "${name}"`, args, type === "GpuNodeGroup" ? "gpu" : "cpu");
    super(`capstan:eks:${type}`, name, { pool: poolToJson(resolved.pool) }, opts);
    warn(resolved.findings, this);
    const created = createNodeGroup(this, name, {
      pool: resolved.pool,
      cluster: args.cluster,
      subnetIds: resolved.subnets.all,
      nodeRoleArn: args.nodeRole ?? args.cluster.nodeRoleArn,
      autoscaled: args.clusterAutoscaler ?? resolved.pool.size.max > resolved.pool.size.min,
      tags: { "capstan.dev/pool": resolved.pool.name, ...args.tags },
      transform: args.transform,
    });
    this.pool = resolved.pool;
    this.launchTemplate = created.launchTemplate;
    this.nodeGroup = created.nodeGroup;
    this.autoscalingGroupName = created.autoscalingGroupName;
    this.nodeRoleArn = created.nodeRoleArn;
    this.registerOutputs({
      nodeGroupName: created.nodeGroup.nodeGroupName,
      autoscalingGroupName: created.autoscalingGroupName,
      nodeRoleArn: created.nodeRoleArn,
    });
  }
}
