import type { ResolvedPool } from "@capstan/core";
import type { NodeGroupArgs } from "@pulumi/aws/eks/nodeGroup.js";
import type * as pulumi from "@pulumi/pulumi";
import { API_CAPACITY_TYPES, apiTaints } from "./api-spelling.ts";

export interface NodeGroupInput {
  readonly pool: ResolvedPool;
  readonly clusterName: pulumi.Input<string>;
  readonly nodeRoleArn: pulumi.Input<string>;
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  readonly launchTemplate: { readonly id: pulumi.Output<string>; readonly latestVersion: pulumi.Output<number> };
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Leaves room for the 26 characters of the unique suffix in a name of 63. */
const LONGEST_NAME_PREFIX = 37;

export function nodeGroupArgs(input: NodeGroupInput): NodeGroupArgs {
  const { pool } = input;
  return {
    clusterName: input.clusterName,
    // A fixed name would collide when a change of instance type replaces the group: the new one has to exist first.
    nodeGroupNamePrefix: namePrefix(pool.name),
    nodeRoleArn: input.nodeRoleArn,
    subnetIds: input.subnetIds,
    capacityType: API_CAPACITY_TYPES[pool.capacity.kind],
    // An image of one's own is in the template, a capacity block's type too; EKS refuses to hear either twice.
    ...(pool.ami.id === null && { amiType: pool.ami.type }),
    ...(pool.ami.release !== null && pool.ami.id === null && { releaseVersion: pool.ami.release }),
    ...(pool.capacity.kind !== "capacity-block" && { instanceTypes: [...pool.instanceTypes] }),
    launchTemplate: {
      id: input.launchTemplate.id,
      // The API answers with a number: "$Latest" would show as a change in every preview.
      version: input.launchTemplate.latestVersion.apply((version) => String(version)),
    },
    scalingConfig: { minSize: pool.size.min, maxSize: pool.size.max, desiredSize: pool.size.desired },
    labels: { ...pool.labels },
    ...(pool.taints.length > 0 && { taints: apiTaints(pool) }),
    updateConfig: {
      maxUnavailable: 1,
      // The default strategy starts up to two more nodes a zone before it drains one: GPUs that quota or reservation
      // do not have.
      ...(pool.kind === "gpu" && { updateStrategy: "MINIMAL" }),
    },
    nodeRepairConfig: { enabled: true },
    tags: { ...input.tags },
  };
}

function namePrefix(name: string): string {
  return `${name.slice(0, LONGEST_NAME_PREFIX - 1)}-`;
}

/**
 * How long Pulumi waits. An update drains one node after the other, each for up to 15 minutes (the eviction window of
 * managed node groups) and some minutes for the new one; the provider's own hour is over after the third node.
 */
export function nodeGroupTimeouts(pool: ResolvedPool): { create: string; update: string; delete: string } {
  const perNodeMinutes = 25;
  return {
    create: "60m",
    update: `${60 + perNodeMinutes * pool.size.max}m`,
    delete: "60m",
  };
}
