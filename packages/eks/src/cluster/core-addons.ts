import { type EksAddonName, eks } from "@capstan/catalog";
import { Addon, type AddonArgs } from "@pulumi/aws/eks/addon.js";
import type * as pulumi from "@pulumi/pulumi";
import { createPodRole, type PodRoleTransform } from "../iam/pod-role.ts";
import { managedPolicyArn } from "../partition.ts";
import { type Transform, transformed } from "../transform.ts";
import type { Cluster } from "./cluster.ts";

interface CoreAddon {
  readonly name: EksAddonName;
  /** JSON by the add-on's own schema. */
  readonly configuration: object | null;
  /** Service account that needs AWS permissions of its own; null: none does. */
  readonly identity: { readonly serviceAccount: string; readonly managedPolicy: string } | null;
}

/** Network, names and credentials: a node is not ready, or its pods have no identity, before these are there. */
const NODE_ADDONS: readonly CoreAddon[] = [
  // First: the network plugin takes its own credentials from it.
  { name: "eks-pod-identity-agent", configuration: null, identity: null },
  {
    name: "vpc-cni",
    // Off by default, and NetworkPolicy objects then do nothing at all.
    configuration: { enableNetworkPolicy: "true" },
    identity: { serviceAccount: "aws-node", managedPolicy: "AmazonEKS_CNI_Policy" },
  },
  { name: "kube-proxy", configuration: null, identity: null },
];

/** Pods that need a node to run on, so they are installed after the system pool. */
const SYSTEM_ADDONS: readonly CoreAddon[] = [
  { name: "coredns", configuration: null, identity: null },
  {
    name: "aws-ebs-csi-driver",
    configuration: null,
    identity: { serviceAccount: "ebs-csi-controller-sa", managedPolicy: "service-role/AmazonEBSCSIDriverPolicy" },
  },
  { name: "metrics-server", configuration: null, identity: null },
  // Without it node repair sees that a kubelet is silent, and nothing of GPUs, disks and network. By default its agent
  // tolerates every taint.
  { name: "eks-node-monitoring-agent", configuration: null, identity: null },
];

interface CoreAddonInput {
  readonly addon: CoreAddon;
  readonly clusterName: pulumi.Input<string>;
  readonly kubernetes: string;
  /** Given version, else the catalog's pin, else what EKS recommends for the cluster's version. */
  readonly version: string | undefined;
  readonly roleArn: pulumi.Input<string> | null;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: Transform<AddonArgs> | undefined;
}

function createCoreAddon(
  parent: pulumi.Resource,
  name: string,
  input: CoreAddonInput,
  opts: pulumi.CustomResourceOptions,
): Addon {
  const { addon, roleArn } = input;
  const version = input.version ?? pinnedVersion(addon.name, input.kubernetes);
  const args: AddonArgs = {
    clusterName: input.clusterName,
    addonName: addon.name,
    ...(version !== null && { addonVersion: version }),
    ...(addon.configuration !== null && { configurationValues: JSON.stringify(addon.configuration) }),
    ...(addon.identity !== null &&
      roleArn !== null && {
        podIdentityAssociations: [{ serviceAccount: addon.identity.serviceAccount, roleArn }],
      }),
    // The declaration is what holds: a field that somebody edited in the cluster goes back.
    resolveConflictsOnCreate: "OVERWRITE",
    resolveConflictsOnUpdate: "OVERWRITE",
    tags: { ...input.tags },
  };
  // The cluster's protection would go on to its children, and an add-on that is not declared any more could not go.
  return new Addon(name, transformed(input.transform, args, name), { parent, protect: false, ...opts });
}

/** Null where the catalog has no version for that Kubernetes: EKS then takes its default. */
function pinnedVersion(name: EksAddonName, kubernetes: string): string | null {
  return eks().addons.find((addon) => addon.name === name)?.versions[kubernetes] ?? null;
}

export interface CoreAddonsInput {
  readonly cluster: Pick<Cluster, "name" | "region" | "kubernetes">;
  readonly versions: Readonly<Partial<Record<EksAddonName, string>>>;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: { readonly addon?: Transform<AddonArgs>; readonly podRole?: PodRoleTransform } | undefined;
}

/** One after the other: each needs the one before it. */
export function createNodeAddons(parent: pulumi.Resource, name: string, input: CoreAddonsInput): Addon[] {
  const created: Addon[] = [];
  for (const addon of NODE_ADDONS) created.push(createWithRole(parent, name, addon, input, [...created]));
  return created;
}

/** All at once, when there are nodes for their pods. */
export function createSystemAddons(
  parent: pulumi.Resource,
  name: string,
  input: CoreAddonsInput,
  dependsOn: readonly pulumi.Resource[],
): Addon[] {
  return SYSTEM_ADDONS.map((addon) => createWithRole(parent, name, addon, input, dependsOn));
}

function createWithRole(
  parent: pulumi.Resource,
  name: string,
  addon: CoreAddon,
  input: CoreAddonsInput,
  dependsOn: readonly pulumi.Resource[],
): Addon {
  const { cluster, tags, transform } = input;
  const role =
    addon.identity &&
    createPodRole(parent, `${name}-${addon.name}`, {
      clusterName: cluster.name,
      namespace: "kube-system",
      serviceAccount: addon.identity.serviceAccount,
      policy: null,
      managedPolicyArns: [managedPolicyArn(cluster.region, addon.identity.managedPolicy)],
      // The add-on makes the association itself, before its pods start.
      associate: false,
      protect: false,
      tags,
      transform: transform?.podRole,
    });
  return createCoreAddon(
    parent,
    `${name}-${addon.name}`,
    {
      addon,
      clusterName: cluster.name,
      kubernetes: cluster.kubernetes,
      version: input.versions[addon.name],
      roleArn: role?.arn ?? null,
      tags,
      transform: transform?.addon,
    },
    { dependsOn: [...dependsOn, ...(role?.resources ?? [])] },
  );
}
