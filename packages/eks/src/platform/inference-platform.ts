import { addonsFor } from "@capstan/addons";
import {
  type Finding,
  type PlatformProps,
  platformToJson,
  type ResolvedPlatform,
  type ResolvedPool,
  ref,
  resolvePlatform,
  throwOnErrors,
} from "@capstan/core";
import { PlatformServices, type PlatformServicesArgs } from "@capstan/pulumi";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster.ts";
import type { PodRole, PodRoleTransform } from "../iam/pod-role.ts";
import { CpuNodeGroup } from "../node-group/cpu-node-group.ts";
import type { NodeGroupTransform } from "../node-group/create.ts";
import { nodeGroupFindings } from "../node-group/findings.ts";
import { GpuNodeGroup } from "../node-group/gpu-node-group.ts";
import type { ManagedNodeGroup } from "../node-group/managed-node-group.ts";
import { chosenSubnets } from "../node-group/resolve.ts";
import { warn } from "../warn.ts";
import { platformFindings, secretFindings } from "./findings.ts";
import { createIdentities } from "./identities.ts";
import { installedTwice, remember } from "./shared-cluster.ts";

export interface InferencePlatformArgs {
  readonly cluster: Cluster;
  /** A declaration, whose region and Kubernetes version are then the cluster's, or what `platform()` made of one. */
  readonly platform: PlatformProps | ResolvedPlatform;
  /** Values of the Secrets that services name, such as the hub token. They stay secret. @default - the Secrets are there already */
  readonly secrets?: NonNullable<PlatformServicesArgs["secrets"]>;
  /** ARN of the nodes' role. @default - the role that the cluster shares, else a new one for each node group */
  readonly nodeRole?: pulumi.Input<string>;
  /** Subnets by pool, where zones cannot say it. @default - those of the cluster, of the pool's zones where it names some */
  readonly subnetIds?: Readonly<Record<string, pulumi.Input<pulumi.Input<string>[]>>>;
  /** AWS tags on everything, besides the cluster's, which they go before. @default - the cluster's alone */
  readonly tags?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform?: InferencePlatformTransform;
}

/** Last changes to the children, of whichever pool or service; they get the child's name too. */
export interface InferencePlatformTransform {
  readonly nodeGroups?: NodeGroupTransform;
  readonly podRoles?: PodRoleTransform;
  readonly services?: NonNullable<PlatformServicesArgs["transform"]>;
}

/**
 * A whole inference platform from one declaration: node groups for its pools, roles for what talks to AWS, then add-ons,
 * caches and services. Everything is checked first; with an error finding nothing is registered at all.
 *
 * @example new InferencePlatform("inference", { cluster, platform: { environment: "prod", pools: [l40s], services: [chat] } })
 */
export class InferencePlatform extends pulumi.ComponentResource {
  readonly platform: ResolvedPlatform;
  /** By the name of the pool; pools whose nodes others made are not here. */
  readonly nodeGroups: ReadonlyMap<string, ManagedNodeGroup>;
  readonly services: PlatformServices;

  constructor(name: string, args: InferencePlatformArgs, opts?: pulumi.ComponentResourceOptions) {
    const { platform, findings } = resolve(name, args);
    super("capstan:eks:InferencePlatform", name, { platform: platformToJson(platform) }, opts);
    warn(findings, this);
    remember(platform, args.cluster);
    const tags = { ...args.cluster.tags, ...args.tags };
    const nodeGroups = createNodeGroups(this, name, platform, args, tags);
    const identities = createIdentities(this, name, {
      platform,
      cluster: args.cluster,
      tags,
      transform: args.transform?.podRoles,
    });
    this.platform = platform;
    this.nodeGroups = nodeGroups;
    this.services = createServices(this, name, platform, args, nodeGroups, identities);
    this.registerOutputs({});
  }
}

interface Resolved {
  readonly platform: ResolvedPlatform;
  readonly findings: readonly Finding[];
}

/** Findings of the declaration, of its node groups and of what the cluster lacks: all of them at once. */
function resolve(name: string, { cluster, platform: given, subnetIds, secrets }: InferencePlatformArgs): Resolved {
  const platform =
    "kind" in given && given.kind === "platform"
      ? given
      : resolvePlatform(withCluster(given as PlatformProps, cluster));
  const findings = [
    ...platform.findings,
    ...platformFindings(platform, cluster),
    ...installedTwice(platform, cluster),
    ...secretFindings(platform, secrets ?? {}),
    ...managedPools(platform).flatMap((pool) =>
      nodeGroupFindings({
        pool,
        cluster,
        subnets: chosenSubnets(pool, { cluster, ...subnetsOf(pool, subnetIds) }),
        wanted: pool.kind,
      }),
    ),
  ];
  throwOnErrors(`InferencePlatform "${name}"`, findings);
  // Throws where two add-ons cannot run together, which would otherwise come up when the node groups are registered.
  addonsFor(platform, { name: ref("cluster-name", cluster.name), region: cluster.region });
  return { platform, findings };
}

function withCluster(props: PlatformProps, cluster: Cluster): PlatformProps {
  return {
    ...props,
    region: props.region ?? cluster.region,
    kubernetes: props.kubernetes ?? cluster.kubernetes,
  };
}

function managedPools(platform: ResolvedPlatform): readonly ResolvedPool[] {
  return platform.pools.filter(({ managed }) => managed);
}

function subnetsOf(
  pool: ResolvedPool,
  given: InferencePlatformArgs["subnetIds"],
): { readonly subnetIds?: pulumi.Input<pulumi.Input<string>[]> } {
  const subnetIds = given?.[pool.name];
  return subnetIds === undefined ? {} : { subnetIds };
}

function createNodeGroups(
  parent: pulumi.Resource,
  name: string,
  platform: ResolvedPlatform,
  args: InferencePlatformArgs,
  tags: Readonly<Record<string, pulumi.Input<string>>>,
): Map<string, ManagedNodeGroup> {
  const groups = new Map<string, ManagedNodeGroup>();
  for (const pool of managedPools(platform)) {
    const NodeGroup = pool.kind === "gpu" ? GpuNodeGroup : CpuNodeGroup;
    const group = new NodeGroup(
      `${name}-${pool.name}`,
      {
        cluster: args.cluster,
        pool,
        ...subnetsOf(pool, args.subnetIds),
        ...(args.nodeRole !== undefined && { nodeRole: args.nodeRole }),
        clusterAutoscaler: platform.addons.clusterAutoscaler !== "none" && pool.size.max > pool.size.min,
        tags,
        ...(args.transform?.nodeGroups && { transform: args.transform.nodeGroups }),
      },
      { parent },
    );
    groups.set(pool.name, group);
  }
  return groups;
}

/**
 * After the roles: a pod that starts before its role is associated has no credentials until it restarts. Of the node groups
 * each service waits for its own pool's only, as EKS may wait an hour for capacity that is not there.
 */
function createServices(
  parent: pulumi.Resource,
  name: string,
  platform: ResolvedPlatform,
  args: InferencePlatformArgs,
  nodes: ReadonlyMap<string, ManagedNodeGroup>,
  identities: readonly PodRole[],
): PlatformServices {
  const { cluster } = args;
  return new PlatformServices(
    name,
    {
      platform,
      cluster: { name: cluster.name, region: cluster.region },
      nodes,
      ...(args.secrets && { secrets: args.secrets }),
      ...(args.transform?.services && { transform: args.transform.services }),
    },
    {
      parent,
      provider: cluster.provider,
      dependsOn: [
        ...cluster.dependencies,
        ...cluster.systemServices,
        ...identities.flatMap(({ resources }) => resources),
      ],
    },
  );
}
