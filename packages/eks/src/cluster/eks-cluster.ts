import { DEFAULT_KUBERNETES, type ResolvedPool, throwOnErrors } from "@capstan/core";
import type { Cluster as EksControlPlane } from "@pulumi/aws/eks/cluster.js";
import type { NodeGroup } from "@pulumi/aws/eks/nodeGroup.js";
import type { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider.js";
import * as pulumi from "@pulumi/pulumi";
import { createNodeRole } from "../iam/node-role.ts";
import { createNodeGroup } from "../node-group/create.ts";
import { contextOf } from "../node-group/resolve.ts";
import { warn } from "../warn.ts";
import { parseCidr } from "./cidr.ts";
import type { Cluster } from "./cluster.ts";
import { createAccessEntries, createControlPlane } from "./control-plane.ts";
import { createNodeAddons, createSystemAddons } from "./core-addons.ts";
import { ExistingCluster, type ExistingClusterArgs } from "./existing-cluster.ts";
import type { ClusterFeatures } from "./features.ts";
import { clusterFindings } from "./findings.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { createLoadBalancerController } from "./load-balancer-controller.ts";
import { createNetwork, type Network } from "./network.ts";
import { createOidcProvider } from "./oidc.ts";
import type { EksClusterArgs } from "./props.ts";
import { createProvider } from "./provider.ts";
import { type FromPulumiEksArgs, fromPulumiEks, type PulumiEksCluster } from "./pulumi-eks.ts";
import { createGp3StorageClass } from "./storage-class.ts";
import { type NodeSubnets, nodeSubnets } from "./subnets.ts";
import { resolveSystemPool } from "./system-pool.ts";

const DEFAULT_CIDR = "10.0.0.0/16";
const DEFAULT_LOG_RETENTION_DAYS = 90;

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
  readonly dependencies: readonly pulumi.Resource[];

  constructor(name: string, args: EksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    const resolved = resolve(name, args);
    super("capstan:eks:EksCluster", name, { ...resolved.shown }, opts);
    warn(resolved.findings, this);
    const { region, clusterName, kubernetes, production } = resolved;
    const tags = args.tags ?? {};
    const network = networkOf(this, name, args, resolved);
    const controlPlane = createControlPlane(this, name, {
      clusterName,
      region,
      kubernetes,
      production,
      subnetIds: controlPlaneSubnets(network),
      publicCidrs: args.endpoint?.publicCidrs ?? [],
      kmsKeyArn: args.encryption?.kmsKeyArn ?? null,
      logRetentionDays: args.logRetentionDays ?? DEFAULT_LOG_RETENTION_DAYS,
      tags,
      transform: args.transform,
    });
    const access = createAccessEntries(controlPlane, name, args.accessEntries ?? [], {
      region,
      tags,
      transform: args.transform,
    });
    this.name = controlPlane.name;
    this.region = region;
    this.kubernetes = kubernetes;
    this.production = production;
    this.endpoint = controlPlane.endpoint;
    this.certificateAuthority = controlPlane.certificateAuthority.apply(({ data }) => data);
    this.oidcIssuer = issuerOf(controlPlane);
    this.oidcProviderArn = createOidcProvider(controlPlane, name, this.oidcIssuer, tags).arn;
    this.subnets = network.privateSubnets;
    this.vpcId = network.vpcId;
    this.nodeSecurityGroupId = controlPlane.vpcConfig.apply(({ clusterSecurityGroupId }) => clusterSecurityGroupId);
    this.features = featuresOf(args);
    this.kubeconfig = kubeconfig({
      clusterName: this.name,
      region,
      endpoint: this.endpoint,
      certificateAuthority: this.certificateAuthority,
      credentials: args.credentials,
    });
    this.provider = createProvider(this, name, {
      kubeconfig: this.kubeconfig,
      clusterIdentifier: controlPlane.arn,
      transform: args.transform?.provider,
    });

    const addonInput = { cluster: this, versions: args.addonVersions ?? {}, tags, transform: args.transform };
    const nodeAddons = createNodeAddons(controlPlane, name, addonInput);
    const nodeRole = createNodeRole(this, `${name}-node`, { region, cniOnNodes: false, tags, transform: undefined });
    this.nodeRoleArn = nodeRole.arn;
    // A node that starts before its role can pull images, or before the network plugin is there, is given up on.
    this.dependencies = [...network.dependencies, ...nodeRole.resources, ...nodeAddons];
    this.systemNodeGroup = createNodeGroup(this, `${name}-system`, {
      pool: resolved.systemPool,
      cluster: this,
      subnetIds: this.subnets.all,
      nodeRoleArn: this.nodeRoleArn,
      autoscaled: resolved.systemPool.size.max > resolved.systemPool.size.min,
      tags: { "capstan.dev/pool": resolved.systemPool.name, ...tags },
      transform: args.transform?.systemNodeGroup,
    }).nodeGroup;
    const systemAddons = createSystemAddons(controlPlane, name, addonInput, [this.systemNodeGroup]);
    const inCluster = { provider: this.provider, dependsOn: [...access, ...systemAddons] };
    createGp3StorageClass(this, `${name}-gp3`, args.transform?.storageClass, inCluster);
    if (this.features.loadBalancerController) {
      createLoadBalancerController(this, `${name}-load-balancer-controller`, {
        cluster: this,
        tags,
        transform: args.transform,
        dependsOn: inCluster.dependsOn,
      });
    }
    this.registerOutputs({ name: this.name, endpoint: this.endpoint, oidcIssuer: this.oidcIssuer, vpcId: this.vpcId });
  }

  /** A cluster that others made. Registers nothing but a Kubernetes provider, and not even that where one is given. */
  static fromExisting(name: string, args: ExistingClusterArgs, opts?: pulumi.ComponentResourceOptions): ExistingCluster {
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

interface ResolvedCluster {
  readonly region: string;
  readonly clusterName: string;
  readonly kubernetes: string;
  readonly production: boolean;
  readonly zones: readonly string[];
  readonly cidr: string;
  readonly natGateways: "one" | "per-zone";
  readonly systemPool: ResolvedPool;
  readonly findings: ReturnType<typeof clusterFindings>;
  /** What the component registers as its inputs. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Fills every default, and throws everything that is wrong at once, before anything is registered. */
function resolve(name: string, args: EksClusterArgs): ResolvedCluster {
  const { region } = args;
  const production = args.production ?? false;
  const clusterName = args.clusterName ?? name;
  const kubernetes = args.version ?? DEFAULT_KUBERNETES;
  const zones = (args.vpc?.zones ?? []).map((zone) => (/^[a-z]$/.test(zone) ? `${region}${zone}` : zone));
  const cidr = args.vpc?.cidr ?? DEFAULT_CIDR;
  const system = resolveSystemPool(args.systemPool ?? {}, contextOf({ region, kubernetes, production }));
  const findings = [
    ...clusterFindings({ args, clusterName, kubernetes, zones, cidr }),
    ...system.findings.map((found) => ({ ...found, path: found.path.replace(/^pools\.system/, "systemPool") })),
  ];
  const subject = `EksCluster "${name}"`;
  throwOnErrors(subject, findings);
  if (system.pool === null) throw new Error(`${subject} has a system pool that cannot be resolved`);
  return {
    region,
    clusterName,
    kubernetes,
    production,
    zones,
    cidr,
    natGateways: args.vpc?.natGateways ?? (production ? "per-zone" : "one"),
    systemPool: system.pool,
    findings,
    shown: { clusterName, region, kubernetes, production, features: featuresOf(args) },
  };
}

function featuresOf(args: EksClusterArgs): ClusterFeatures {
  return Object.freeze({
    metricsServer: true,
    ebsCsi: true,
    gp3StorageClass: true,
    podIdentityAgent: true,
    networkPolicy: true,
    loadBalancerController: args.loadBalancerController ?? true,
    vpcCniRole: true,
  });
}

function networkOf(parent: pulumi.Resource, name: string, args: EksClusterArgs, resolved: ResolvedCluster): Network {
  if (args.network) {
    const { vpcId, privateSubnetIds, publicSubnetIds } = args.network;
    return {
      vpcId: pulumi.output(vpcId),
      privateSubnets: nodeSubnets(privateSubnetIds),
      publicSubnets: publicSubnetIds === undefined ? null : nodeSubnets(publicSubnetIds),
      dependencies: [],
    };
  }
  return createNetwork(parent, name, {
    region: resolved.region,
    cidr: parseCidr(resolved.cidr)!,
    zones: resolved.zones,
    natGateways: resolved.natGateways,
    tags: args.tags ?? {},
    transform: args.transform,
  });
}

/** Network interfaces of the control plane go into the subnets that it is given; load balancers find theirs by tag. */
function controlPlaneSubnets(network: Network): pulumi.Output<string[]> {
  const { privateSubnets, publicSubnets } = network;
  if (publicSubnets === null) return privateSubnets.all;
  return pulumi.all([privateSubnets.all, publicSubnets.all]).apply(([inner, outer]) => [...inner, ...outer]);
}

function issuerOf(controlPlane: EksControlPlane): pulumi.Output<string> {
  return controlPlane.identities.apply((identities) => identities[0]!.oidcs[0]!.issuer);
}
