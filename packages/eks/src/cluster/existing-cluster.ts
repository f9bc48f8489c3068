import { DEFAULT_KUBERNETES } from "@capstan/core";
import type { Provider as KubernetesProvider, ProviderArgs } from "@pulumi/kubernetes/provider.js";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import type { Transform } from "../transform.ts";
import type { Cluster } from "./cluster.ts";
import type { ClusterFeatures } from "./features.ts";
import { type ClusterCredentials, kubeconfig } from "./kubeconfig.ts";
import { createProvider } from "./provider.ts";
import { type NodeSubnets, nodeSubnets, type Subnets } from "./subnets.ts";

/** How the API server is reached: by its coordinates, or by a kubeconfig that has them in it. */
export type ClusterConnection =
  | {
      /** URL of the API server. */
      readonly endpoint: pulumi.Input<string>;
      /** Base64, as the EKS API gives it. */
      readonly certificateAuthority: pulumi.Input<string>;
      /** Whose AWS credentials Pulumi uses inside the cluster. @default - those that it runs with */
      readonly credentials?: ClusterCredentials;
    }
  | { readonly kubeconfig: pulumi.Input<string> };

export type ExistingClusterArgs = ClusterConnection & {
  readonly clusterName: pulumi.Input<string>;
  readonly region: string;
  /** Minor version of Kubernetes. @default "1.34" */
  readonly version?: string;
  /** Judge what runs here as production. @default false */
  readonly production?: boolean;
  /** Subnets of the nodes. */
  readonly subnetIds: Subnets;
  /** Needed for EFA. @default - unknown */
  readonly vpcId?: pulumi.Input<string>;
  /** Security group that EKS attaches to every node. Needed for EFA. @default - unknown */
  readonly nodeSecurityGroupId?: pulumi.Input<string>;
  /** ARN of a role that all node groups share. @default - each makes one of its own */
  readonly nodeRole?: pulumi.Input<string>;
  /** AWS tags that platforms on the cluster take over. @default - none */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
  /** @default - a new provider */
  readonly provider?: KubernetesProvider;
  /** Last changes to the new provider's arguments. */
  readonly transform?: { readonly provider?: Transform<ProviderArgs> };
  /** What the cluster has. Nothing is looked up, and what something needs and the cluster has not is a finding. */
  readonly has: ExistingFeatures;
};

export type ExistingFeatures = Omit<ClusterFeatures, "vpcCniRole"> & {
  /** The VPC CNI has an IAM role of its own. @default false - new node roles get `AmazonEKS_CNI_Policy` */
  readonly vpcCniRole?: boolean;
};

/** A cluster that others made. Made by `EksCluster.fromExisting`. */
export class ExistingCluster extends pulumi.ComponentResource implements Cluster {
  readonly name: pulumi.Output<string>;
  readonly region: string;
  readonly kubernetes: string;
  readonly production: boolean;
  readonly endpoint: pulumi.Output<string>;
  readonly certificateAuthority: pulumi.Output<string>;
  readonly provider: KubernetesProvider;
  readonly subnets: NodeSubnets;
  readonly vpcId: pulumi.Output<string> | null;
  readonly nodeSecurityGroupId: pulumi.Output<string> | null;
  readonly nodeRoleArn: pulumi.Output<string> | null;
  readonly features: ClusterFeatures;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly dependencies: readonly pulumi.Resource[];
  readonly systemServices: readonly pulumi.Resource[];

  constructor(name: string, args: ExistingClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const kubernetes = args.version ?? DEFAULT_KUBERNETES;
    const production = args.production ?? false;
    const features = Object.freeze({ vpcCniRole: false, ...args.has });
    super("capstan:eks:ExistingCluster", name, { region: args.region, kubernetes, production, features }, opts);
    const coordinates = coordinatesOf(args);
    this.name = pulumi.output(args.clusterName);
    this.region = args.region;
    this.kubernetes = kubernetes;
    this.production = production;
    this.endpoint = coordinates.endpoint;
    this.certificateAuthority = coordinates.certificateAuthority;
    this.provider =
      args.provider ??
      createProvider(this, name, {
        kubeconfig: coordinates.kubeconfig,
        clusterIdentifier: this.endpoint,
        transform: args.transform?.provider,
      });
    this.subnets = nodeSubnets(args.subnetIds);
    this.vpcId = known(args.vpcId);
    this.nodeSecurityGroupId = known(args.nodeSecurityGroupId);
    this.nodeRoleArn = known(args.nodeRole);
    this.features = features;
    this.tags = Object.freeze({ ...args.tags });
    this.dependencies = [];
    this.systemServices = [];
    this.registerOutputs({ name: this.name, endpoint: this.endpoint });
  }
}

function known(value: pulumi.Input<string> | undefined): pulumi.Output<string> | null {
  return value === undefined ? null : pulumi.output(value);
}

interface Coordinates {
  readonly endpoint: pulumi.Output<string>;
  readonly certificateAuthority: pulumi.Output<string>;
  readonly kubeconfig: pulumi.Output<string>;
}

function coordinatesOf(args: ExistingClusterArgs): Coordinates {
  if ("kubeconfig" in args) {
    const server = pulumi.output(args.kubeconfig).apply(serverOf);
    return {
      endpoint: server.apply(({ endpoint }) => endpoint),
      certificateAuthority: server.apply(({ certificateAuthority }) => certificateAuthority),
      kubeconfig: pulumi.output(args.kubeconfig),
    };
  }
  return {
    endpoint: pulumi.output(args.endpoint),
    certificateAuthority: pulumi.output(args.certificateAuthority),
    kubeconfig: kubeconfig({
      clusterName: args.clusterName,
      region: args.region,
      endpoint: args.endpoint,
      certificateAuthority: args.certificateAuthority,
      credentials: args.credentials,
    }),
  };
}

/** The API server of the current context, else of the first cluster. */
export function serverOf(text: string): { readonly endpoint: string; readonly certificateAuthority: string } {
  const config = parse(text) as Kubeconfig | null;
  const context = config?.contexts?.find(({ name }) => name === config["current-context"]);
  const clusters = config?.clusters ?? [];
  const cluster = (clusters.find(({ name }) => name === context?.context?.cluster) ?? clusters[0])?.cluster;
  const certificateAuthority = cluster?.["certificate-authority-data"];
  if (!cluster?.server || !certificateAuthority) {
    throw new Error(
      "the kubeconfig names no cluster with server and certificate-authority-data; give endpoint and certificateAuthority instead",
    );
  }
  return { endpoint: cluster.server, certificateAuthority };
}

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly contexts?: readonly { readonly name: string; readonly context?: { readonly cluster?: string } }[];
  readonly clusters?: readonly {
    readonly name: string;
    readonly cluster?: { readonly server?: string; readonly "certificate-authority-data"?: string };
  }[];
}
