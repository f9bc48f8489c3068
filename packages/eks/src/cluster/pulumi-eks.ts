import * as pulumi from "@pulumi/pulumi";
import { ExistingCluster, type ExistingClusterArgs } from "./existing-cluster.ts";
import type { Subnets } from "./subnets.ts";

/** What is read of a `Cluster` of `@pulumi/eks`, version 3 or 4. Only the shape counts: that package is not needed. */
export interface PulumiEksCluster {
  readonly eksCluster: pulumi.Input<{
    readonly name: pulumi.Input<string>;
    readonly endpoint: pulumi.Input<string>;
    readonly certificateAuthority: pulumi.Input<{ readonly data: string }>;
    readonly vpcConfig: pulumi.Input<{ readonly clusterSecurityGroupId: string; readonly vpcId: string }>;
  }>;
  /** An object, or JSON. */
  readonly kubeconfig: pulumi.Input<string | object>;
  readonly core?: pulumi.Input<{
    readonly privateSubnetIds?: pulumi.Input<string[] | undefined>;
    readonly subnetIds?: pulumi.Input<string[] | undefined>;
  }>;
}

export type FromPulumiEksArgs = Pick<
  ExistingClusterArgs,
  "region" | "version" | "production" | "nodeRole" | "provider" | "has" | "tags" | "transform"
> & {
  /** @default - the cluster's own private subnets, else all that it was given; without zones, so pools cannot choose some */
  readonly subnetIds?: Subnets;
};

/** Takes over all that the cluster knows of itself. Its provider is a new one, with a fixed identity. */
export function fromPulumiEks(
  name: string,
  cluster: PulumiEksCluster,
  args: FromPulumiEksArgs,
  opts: pulumi.ComponentResourceOptions | undefined,
): ExistingCluster {
  const eksCluster = pulumi.output(cluster.eksCluster);
  const vpcConfig = eksCluster.apply((it) => pulumi.output(it.vpcConfig));
  const { subnetIds, ...rest } = args;
  return new ExistingCluster(
    name,
    {
      ...rest,
      clusterName: eksCluster.apply((it) => pulumi.output(it.name)),
      kubeconfig: pulumi.output(cluster.kubeconfig).apply(asText),
      subnetIds: subnetIds ?? ownSubnets(cluster),
      vpcId: vpcConfig.apply(({ vpcId }) => vpcId),
      nodeSecurityGroupId: vpcConfig.apply(({ clusterSecurityGroupId }) => clusterSecurityGroupId),
    },
    opts,
  );
}

function asText(config: string | object): string {
  return typeof config === "string" ? config : JSON.stringify(config);
}

function ownSubnets(cluster: PulumiEksCluster): pulumi.Output<string[]> {
  if (cluster.core === undefined) {
    throw new Error("the @pulumi/eks cluster does not say its subnets; give subnetIds");
  }
  return pulumi.output(cluster.core).apply(({ privateSubnetIds, subnetIds }) => {
    const ids = privateSubnetIds?.length ? privateSubnetIds : subnetIds;
    if (!ids?.length) throw new Error("the @pulumi/eks cluster does not say its subnets; give subnetIds");
    return ids;
  });
}
