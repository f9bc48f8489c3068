import type { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider.js";
import type * as pulumi from "@pulumi/pulumi";
import type { ClusterFeatures } from "./features.ts";
import type { NodeSubnets } from "./subnets.ts";

/** What node groups and platforms need of a cluster, whoever made it. */
export interface Cluster {
  readonly name: pulumi.Output<string>;
  /** AWS region, such as `eu-central-1`. */
  readonly region: string;
  /** Minor version of Kubernetes, such as `1.34`. */
  readonly kubernetes: string;
  /** Production is judged more strictly. */
  readonly production: boolean;
  /** URL of the API server. */
  readonly endpoint: pulumi.Output<string>;
  /** Certificate authority of the API server, base64. */
  readonly certificateAuthority: pulumi.Output<string>;
  /** Kubernetes provider for everything inside the cluster. */
  readonly provider: KubernetesProvider;
  /** Subnets of the nodes. */
  readonly subnets: NodeSubnets;
  readonly vpcId: pulumi.Output<string> | null;
  /** Security group that EKS attaches to every node. */
  readonly nodeSecurityGroupId: pulumi.Output<string> | null;
  /** Role that node groups share; null: every node group makes one of its own. */
  readonly nodeRoleArn: pulumi.Output<string> | null;
  readonly features: ClusterFeatures;
  /** AWS tags that platforms on the cluster take over. */
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  /** What has to be there before a node can join: the network plugin and the Pod Identity agent. */
  readonly dependencies: readonly pulumi.Resource[];
  /** What software inside the cluster counts on: names, volumes, CPU figures. */
  readonly systemServices: readonly pulumi.Resource[];
}
