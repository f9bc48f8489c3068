import type { ResolvedPool } from "@capstan/core";
import { Tag, type TagArgs } from "@pulumi/aws/autoscaling/tag.js";
import { LaunchTemplate, type LaunchTemplateArgs } from "@pulumi/aws/ec2/launchTemplate.js";
import type { PlacementGroupArgs } from "@pulumi/aws/ec2/placementGroup.js";
import { NodeGroup, type NodeGroupArgs } from "@pulumi/aws/eks/nodeGroup.js";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster.ts";
import { createNodeRole, type RoleTransform } from "../iam/node-role.ts";
import { type Transform, transformed } from "../transform.ts";
import { userData } from "../user-data/user-data.ts";
import { autoscalerTags } from "./autoscaler-tags.ts";
import { createEfaSecurityGroup, createPlacementGroup, type EfaTransform } from "./efa-network.ts";
import { launchTemplateArgs } from "./launch-template.ts";
import { nodeGroupArgs, nodeGroupTimeouts } from "./node-group-args.ts";

/** Last changes to the children of a node group; those of the security group are for EFA, other nodes have the cluster's. */
export interface NodeGroupTransform extends EfaTransform {
  readonly launchTemplate?: Transform<LaunchTemplateArgs>;
  readonly nodeGroup?: Transform<NodeGroupArgs>;
  readonly autoscalerTag?: Transform<TagArgs>;
  readonly placementGroup?: Transform<PlacementGroupArgs>;
  /** The nodes' role, where the node group makes one. */
  readonly nodeRole?: RoleTransform;
}

type NodeGroupCluster = Pick<
  Cluster,
  | "name"
  | "region"
  | "endpoint"
  | "certificateAuthority"
  | "vpcId"
  | "nodeSecurityGroupId"
  | "features"
  | "dependencies"
>;

export interface NodeGroupPlan {
  readonly pool: ResolvedPool;
  readonly cluster: NodeGroupCluster;
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /** Null: a role of its own. */
  readonly nodeRoleArn: pulumi.Input<string> | null;
  /** cluster-autoscaler owns the number of nodes. */
  readonly autoscaled: boolean;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: NodeGroupTransform | undefined;
}

export interface CreatedNodeGroup {
  readonly launchTemplate: LaunchTemplate;
  readonly nodeGroup: NodeGroup;
  readonly autoscalingGroupName: pulumi.Output<string>;
  readonly nodeRoleArn: pulumi.Output<string>;
}

/** Launch template, managed node group and the tags of its Auto Scaling group: the same for every kind of node. */
export function createNodeGroup(parent: pulumi.Resource, name: string, plan: NodeGroupPlan): CreatedNodeGroup {
  const { pool, cluster, transform } = plan;
  const role =
    plan.nodeRoleArn === null
      ? createNodeRole(parent, `${name}-node`, {
          region: cluster.region,
          cniOnNodes: !cluster.features.vpcCniRole,
          tags: plan.tags,
          transform: transform?.nodeRole,
        })
      : null;
  const launchTemplate = createLaunchTemplate(parent, name, plan);
  const nodeGroup = new NodeGroup(
    name,
    transformed(
      transform?.nodeGroup,
      nodeGroupArgs({
        pool,
        clusterName: cluster.name,
        nodeRoleArn: role?.arn ?? plan.nodeRoleArn!,
        subnetIds: plan.subnetIds,
        launchTemplate,
        tags: plan.tags,
      }),
      name,
    ),
    {
      parent,
      // The autoscaler owns the number; without this a deploy would take live nodes back to the declared one.
      ...(plan.autoscaled && { ignoreChanges: ["scalingConfig.desiredSize"] }),
      customTimeouts: nodeGroupTimeouts(pool),
      dependsOn: [...cluster.dependencies, ...(role?.resources ?? [])],
    },
  );
  const autoscalingGroupName = nodeGroup.resources.apply((resources) => resources[0]!.autoscalingGroups![0]!.name!);
  if (plan.autoscaled) createAutoscalerTags(nodeGroup, name, autoscalingGroupName, plan);
  return { launchTemplate, nodeGroup, autoscalingGroupName, nodeRoleArn: nodeGroup.nodeRoleArn };
}

function createLaunchTemplate(parent: pulumi.Resource, name: string, plan: NodeGroupPlan): LaunchTemplate {
  const { pool, cluster, tags, transform } = plan;
  const efaSecurityGroup =
    pool.efaInterfaces > 0 && cluster.vpcId !== null
      ? createEfaSecurityGroup(parent, `${name}-efa`, {
          vpcId: cluster.vpcId,
          tags,
          transform,
        })
      : null;
  const placementGroup =
    pool.placement === "cluster" ? createPlacementGroup(parent, name, tags, transform?.placementGroup) : null;
  const args = launchTemplateArgs({
    pool,
    userData: userData(pool, cluster),
    efaSecurityGroupIds:
      efaSecurityGroup && cluster.nodeSecurityGroupId ? [cluster.nodeSecurityGroupId, efaSecurityGroup.id] : null,
    placementGroupName: placementGroup?.name ?? null,
    tags: { Name: name, ...tags },
  });
  return new LaunchTemplate(name, transformed(transform?.launchTemplate, args, name), { parent });
}

/** EKS makes the group, so its name is an output of the node group; a tag is a resource of its own. */
function createAutoscalerTags(
  parent: NodeGroup,
  name: string,
  autoscalingGroupName: pulumi.Output<string>,
  plan: NodeGroupPlan,
): void {
  for (const tag of autoscalerTags(plan.pool)) {
    const tagName = `${name}-${tag.id}`;
    const args: TagArgs = {
      autoscalingGroupName,
      // For the autoscaler, which reads the group; instances need none of it.
      tag: { key: plan.cluster.name.apply(tag.key), value: tag.value, propagateAtLaunch: false },
    };
    new Tag(tagName, transformed(plan.transform?.autoscalerTag, args, tagName), { parent });
  }
}
