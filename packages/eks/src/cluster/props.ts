import type { CpuInstanceType, EksAddonName } from "@capstan/catalog";
import type { Acknowledgements, AmiFamily, PoolSize } from "@capstan/core";
import type { AddonArgs } from "@pulumi/aws/eks/addon.js";
import type { ProviderArgs } from "@pulumi/kubernetes/provider.js";
import type { StorageClassArgs } from "@pulumi/kubernetes/storage/v1/storageClass.js";
import type * as pulumi from "@pulumi/pulumi";
import type { RoleTransform } from "../iam/node-role.ts";
import type { PodRoleTransform } from "../iam/pod-role.ts";
import type { NodeGroupTransform } from "../node-group/create.ts";
import type { Transform } from "../transform.ts";
import type { ControlPlaneTransform } from "./control-plane.ts";
import type { ClusterCredentials } from "./kubeconfig.ts";
import type { LoadBalancerControllerValues } from "./load-balancer-controller.ts";
import type { NetworkTransform } from "./network.ts";
import type { Subnets } from "./subnets.ts";

export interface EksClusterArgs {
  /** AWS region, such as `eu-central-1`. The AWS provider has to be set to the same one. */
  readonly region: string;
  /** Changing it makes another cluster. @default - the component's name */
  readonly clusterName?: string;
  /** Minor version of Kubernetes. A newer one updates the cluster, which cannot go back. @default "1.34" */
  readonly version?: string;
  /** Protects cluster and key from deletion, and gives every zone its own NAT gateway. @default false */
  readonly production?: boolean;
  /** A new VPC. Give this or `network`. */
  readonly vpc?: ClusterVpc;
  /** Subnets that are there already. Give this or `vpc`. */
  readonly network?: ClusterNetwork;
  /** Who reaches the API server besides the VPC. @default - nobody: Pulumi has to run inside the VPC or a network joined to it */
  readonly endpoint?: ClusterEndpoint;
  /** KMS key for the cluster's Secrets. @default - a new one that rotates every year (1 USD a month, 2026) */
  readonly encryption?: { readonly kmsKeyArn: pulumi.Input<string> };
  /** Days that the control plane's logs are kept; all five kinds are on. @default 90 */
  readonly logRetentionDays?: number;
  /** People and pipelines that may use the cluster. @default - only who creates it */
  readonly accessEntries?: readonly ClusterAccess[];
  /** Nodes for everything that is not a model server. */
  readonly systemPool?: SystemPool;
  /** Versions of the EKS add-ons. @default - the catalog's pins; where it has none, what EKS recommends */
  readonly addonVersions?: Readonly<Partial<Record<EksAddonName, string>>>;
  /** Install the AWS Load Balancer Controller. @default true */
  readonly loadBalancerController?: boolean;
  /** Whose AWS credentials Pulumi uses inside the cluster. @default - those that it runs with */
  readonly credentials?: ClusterCredentials;
  /** AWS tags on everything. @default - none */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly acknowledge?: Acknowledgements;
  /** Last changes to the arguments of the children. */
  readonly transform?: EksClusterTransform;
}

export interface ClusterVpc {
  /** IPv4 block, between /16 and /20. @default "10.0.0.0/16" */
  readonly cidr?: string;
  /**
   * Availability zones by name (`eu-central-1a`) or letter (`a`), at least two. They are not looked up: a preview that
   * asks AWS would change when AWS does. A zone that is added at the end leaves the others where they are.
   */
  readonly zones: readonly string[];
  /** `one` saves about 33 USD a month for each further zone (us-east-1, 2026), and its zone takes all others along. @default - "per-zone" in production, else "one" */
  readonly natGateways?: "one" | "per-zone";
}

export interface ClusterNetwork {
  readonly vpcId: pulumi.Input<string>;
  /** Subnets of nodes and control plane, in at least two zones, with a way out. */
  readonly privateSubnetIds: Subnets;
  /** Subnets of load balancers; only passed on to the control plane. @default - none */
  readonly publicSubnetIds?: Subnets;
}

export interface ClusterEndpoint {
  /** IPv4 blocks from which the API server is reachable over the internet. `0.0.0.0/0` needs an acknowledgement. */
  readonly publicCidrs: readonly string[];
}

export interface ClusterAccess {
  /** Part of Pulumi names; the ARN may not be known yet. */
  readonly name: string;
  /** ARN of an IAM role or user. */
  readonly principalArn: pulumi.Input<string>;
  /** @default "cluster-admin" */
  readonly policy?: "cluster-admin" | "admin" | "edit" | "view";
  /** @default - the whole cluster */
  readonly namespaces?: readonly string[];
}

/** Untainted, on-demand and never empty: add-ons and operators live here, and GPU nodes have no room for them. */
export interface SystemPool {
  /** @default ["m7i.large"] */
  readonly instanceTypes?: readonly [CpuInstanceType, ...CpuInstanceType[]];
  /** @default { min: 2, max: 4 } */
  readonly size?: PoolSize;
  /** @default "al2023" */
  readonly amiFamily?: Exclude<AmiFamily, "ubuntu">;
}

export interface EksClusterTransform extends ControlPlaneTransform, NetworkTransform {
  readonly systemNodeGroup?: NodeGroupTransform;
  readonly addon?: Transform<AddonArgs>;
  readonly provider?: Transform<ProviderArgs>;
  readonly storageClass?: Transform<StorageClassArgs>;
  /** Roles of the network plugin, the EBS driver and the load balancer controller. */
  readonly podRole?: PodRoleTransform;
  /** The role of all nodes. */
  readonly nodeRole?: RoleTransform;
  /** Helm values of the AWS Load Balancer Controller. */
  // biome-ignore lint/suspicious/noConfusingVoidType: an in-place edit is written as a function without return.
  readonly loadBalancerController?: (values: LoadBalancerControllerValues) => LoadBalancerControllerValues | void;
}
