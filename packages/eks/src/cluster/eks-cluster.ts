import type { Cluster as EksControlPlane } from "@pulumi/aws/eks/cluster.js";
import type { NodeGroup } from "@pulumi/aws/eks/nodeGroup.js";
import type { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider.js";
import * as pulumi from "@pulumi/pulumi";
import { createNodeRole } from "../iam/node-role.ts";
import { createNodeGroup } from "../node-group/create.ts";
import { warn } from "../warn.ts";
import type { Cluster } from "./cluster.ts";
import { createAccessEntries, createControlPlane } from "./control-plane.ts";
import { createNodeAddons, createSystemAddons } from "./core-addons.ts";
import { ExistingCluster, type ExistingClusterArgs } from "./existing-cluster.ts";
import type { ClusterFeatures } from "./features.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { createLoadBalancerController } from "./load-balancer-controller.ts";
import { createNetwork, type Network } from "./network.ts";
import { createOidcProvider } from "./oidc.ts";
import type { EksClusterArgs } from "./props.ts";
import { createProvider } from "./provider.ts";
import { type FromPulumiEksArgs, fromPulumiEks, type PulumiEksCluster } from "./pulumi-eks.ts";
import { type ResolvedCluster, resolveCluster } from "./resolve.ts";
import { createGp3StorageClass } from "./storage-class.ts";
import { type NodeSubnets, nodeSubnets } from "./subnets.ts";

/**
 * An EKS cluster with what inference needs around it: network, encryption, logs, access by API only, a system pool, and
 * the add-ons without which GPU node groups, autoscaling, volumes and network policies do nothing.
 *
 * @example
 * const cluster = new EksCluster("prod", { region: "eu-central-1", production: true, vpc: { zones: ["a", "b", "c"] } });
 * new GpuNodeGroup("l40s", { cluster, pool: l40s });
 */
export class EksCluster extends pulumi.ComponentResource implements Cluster {
  readonly name: pulumi.Output<string>;
  readonly region: string;
  readonly kubernetes: string;
  readonly production: boolean;
  readonly endpoint: pulumi.Output<string>;
  readonly certificateAuthority: pulumi.Output<string>;
  /** Issuer of the cluster's service account tokens. */
  readonly oidcIssuer: pulumi.Output<string>;
  readonly oidcProviderArn: pulumi.Output<string>;
  /** Kubeconfig that asks the AWS CLI for a token; holds no secret. */
  readonly kubeconfig: pulumi.Output<string>;
  readonly provider: KubernetesProvider;
  readonly subnets: NodeSubnets;
  readonly vpcId: pulumi.Output<string>;
  readonly nodeSecurityGroupId: pulumi.Output<string>;
  readonly nodeRoleArn: pulumi.Output<string>;
  readonly systemNodeGroup: NodeGroup;
  readonly features: ClusterFeatures;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly dependencies: readonly pulumi.Resource[];
  readonly systemServices: readonly pulumi.Resource[];

  constructor(name: string, args: EksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const resolved = resolveCluster(name, args);
    const { region, clusterName, kubernetes, production, features } = resolved;
    super("capstan:eks:EksCluster", name, { clusterName, region, kubernetes, production, features }, opts);
    warn(resolved.findings, this);
    this.region = region;
    this.kubernetes = kubernetes;
    this.production = production;
    this.features = features;
    this.tags = Object.freeze({ ...args.tags });

    const network = networkOf(this, name, args, resolved);
    this.subnets = network.privateSubnets;
    this.vpcId = network.vpcId;
    const controlPlane = controlPlaneOf(this, name, args, resolved, network);
    const access = accessOf(controlPlane, name, args);
    this.name = controlPlane.name;
    this.endpoint = controlPlane.endpoint;
    this.certificateAuthority = controlPlane.certificateAuthority.apply(({ data }) => data);
    this.nodeSecurityGroupId = controlPlane.vpcConfig.apply(({ clusterSecurityGroupId }) => clusterSecurityGroupId);
    this.oidcIssuer = controlPlane.identities.apply((identities) => identities[0]!.oidcs[0]!.issuer);
    this.oidcProviderArn = oidcProviderOf(controlPlane, name, args, this.oidcIssuer);
    this.kubeconfig = kubeconfigOf(this, args);
    this.provider = createProvider(this, name, {
      kubeconfig: this.kubeconfig,
      clusterIdentifier: controlPlane.arn,
      transform: args.transform?.provider,
    });

    const nodes = nodeBasics(this, name, args, controlPlane);
    this.nodeRoleArn = nodes.roleArn;
    this.dependencies = [...network.dependencies, ...nodes.resources];
    this.systemNodeGroup = systemNodesOf(this, name, args, resolved);
    this.systemServices = [...access, ...systemServicesOf(this, name, args, controlPlane, access)];
    this.registerOutputs({ name: this.name, endpoint: this.endpoint, oidcIssuer: this.oidcIssuer, vpcId: this.vpcId });
  }

  /** A cluster that others made. Registers nothing but a Kubernetes provider, and not even that where one is given. */
  static fromExisting(
    name: string,
    args: ExistingClusterArgs,
    opts?: pulumi.ComponentResourceOptions,
  ): ExistingCluster {
    return new ExistingCluster(name, args, opts);
  }

  /** A cluster of `@pulumi/eks`. */
  static fromPulumiEks(
    name: string,
    cluster: PulumiEksCluster,
    args: FromPulumiEksArgs,
    opts?: pulumi.ComponentResourceOptions,
  ): ExistingCluster {
    return fromPulumiEks(name, cluster, args, opts);
  }
}

function networkOf(parent: pulumi.Resource, name: string, args: EksClusterArgs, resolved: ResolvedCluster): Network {
  if (resolved.vpc !== null) {
    const common = { region: resolved.region, tags: args.tags ?? {}, transform: args.transform };
    return createNetwork(parent, name, { ...resolved.vpc, ...common });
  }
  const { vpcId, privateSubnetIds, publicSubnetIds } = args.network!;
  return {
    vpcId: pulumi.output(vpcId),
    privateSubnets: nodeSubnets(privateSubnetIds),
    publicSubnets: publicSubnetIds === undefined ? null : nodeSubnets(publicSubnetIds),
    dependencies: [],
  };
}

function controlPlaneOf(
  parent: pulumi.Resource,
  name: string,
  args: EksClusterArgs,
  { clusterName, region, kubernetes, production, publicCidrs, logRetentionDays }: ResolvedCluster,
  network: Network,
): EksControlPlane {
  return createControlPlane(parent, name, {
    clusterName,
    region,
    kubernetes,
    production,
    publicCidrs,
    logRetentionDays,
    subnetIds: controlPlaneSubnets(network),
    kmsKeyArn: args.encryption?.kmsKeyArn ?? null,
    tags: args.tags ?? {},
    transform: args.transform,
  });
}

/** Network interfaces of the control plane go into the subnets that it is given; load balancers find theirs by tag. */
function controlPlaneSubnets({ privateSubnets, publicSubnets }: Network): pulumi.Output<string[]> {
  if (publicSubnets === null) return privateSubnets.all;
  return pulumi.all([privateSubnets.all, publicSubnets.all]).apply(([inner, outer]) => [...inner, ...outer]);
}

function accessOf(controlPlane: EksControlPlane, name: string, args: EksClusterArgs): pulumi.Resource[] {
  const { region, tags = {}, transform } = args;
  return createAccessEntries(controlPlane, name, args.accessEntries ?? [], { region, tags, transform });
}

function oidcProviderOf(
  controlPlane: EksControlPlane,
  name: string,
  { tags = {}, transform }: EksClusterArgs,
  issuer: pulumi.Output<string>,
): pulumi.Output<string> {
  return createOidcProvider(controlPlane, name, issuer, tags, transform?.oidcProvider).arn;
}

function kubeconfigOf(cluster: EksCluster, args: EksClusterArgs): pulumi.Output<string> {
  return kubeconfig({
    clusterName: cluster.name,
    region: cluster.region,
    endpoint: cluster.endpoint,
    certificateAuthority: cluster.certificateAuthority,
    credentials: args.credentials,
  });
}

/** A node that starts before its role can pull images, or before the network plugin is there, is given up on. */
function nodeBasics(
  cluster: EksCluster,
  name: string,
  args: EksClusterArgs,
  controlPlane: EksControlPlane,
): { readonly roleArn: pulumi.Output<string>; readonly resources: readonly pulumi.Resource[] } {
  const tags = args.tags ?? {};
  const role = createNodeRole(cluster, `${name}-node`, {
    region: cluster.region,
    cniOnNodes: false,
    tags,
    transform: args.transform?.nodeRole,
  });
  const addons = createNodeAddons(controlPlane, name, {
    cluster,
    versions: args.addonVersions ?? {},
    tags,
    transform: args.transform,
  });
  return { roleArn: role.arn, resources: [...role.resources, ...addons] };
}

function systemNodesOf(
  cluster: EksCluster,
  name: string,
  args: EksClusterArgs,
  { systemPool }: ResolvedCluster,
): NodeGroup {
  return createNodeGroup(cluster, `${name}-system`, {
    pool: systemPool,
    cluster,
    subnetIds: cluster.subnets.all,
    nodeRoleArn: cluster.nodeRoleArn,
    autoscaled: systemPool.size.max > systemPool.size.min,
    tags: { "capstan.dev/pool": systemPool.name, ...args.tags },
    transform: args.transform?.systemNodeGroup,
  }).nodeGroup;
}

function systemServicesOf(
  cluster: EksCluster,
  name: string,
  args: EksClusterArgs,
  controlPlane: EksControlPlane,
  access: readonly pulumi.Resource[],
): pulumi.Resource[] {
  const { addonVersions = {}, tags = {}, transform } = args;
  const addonInput = { cluster, versions: addonVersions, tags, transform };
  const addons = createSystemAddons(controlPlane, name, addonInput, [cluster.systemNodeGroup]);
  const dependsOn = [...access, ...addons];
  const storageClass = createGp3StorageClass(cluster, `${name}-gp3`, transform?.storageClass, {
    provider: cluster.provider,
    dependsOn,
  });
  if (cluster.features.loadBalancerController) {
    createLoadBalancerController(cluster, `${name}-load-balancer-controller`, { cluster, tags, transform, dependsOn });
  }
  return [...addons, storageClass];
}
