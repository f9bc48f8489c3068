import { LogGroup, type LogGroupArgs } from "@pulumi/aws/cloudwatch/logGroup.js";
import { AccessEntry, type AccessEntryArgs } from "@pulumi/aws/eks/accessEntry.js";
import { AccessPolicyAssociation, type AccessPolicyAssociationArgs } from "@pulumi/aws/eks/accessPolicyAssociation.js";
import { type ClusterArgs, Cluster as EksControlPlane } from "@pulumi/aws/eks/cluster.js";
import type { OpenIdConnectProviderArgs } from "@pulumi/aws/iam/openIdConnectProvider.js";
import { Role, type RoleArgs } from "@pulumi/aws/iam/role.js";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy.js";
import { Key, type KeyArgs } from "@pulumi/aws/kms/key.js";
import * as pulumi from "@pulumi/pulumi";
import { attachPolicy, type RoleTransform } from "../iam/node-role.ts";
import { allow, type PolicyDocument, policyDocument, trustPolicy } from "../iam/policy.ts";
import { roleName } from "../iam/role-name.ts";
import { managedPolicyArn, partitionOf } from "../partition.ts";
import { type Transform, transformed } from "../transform.ts";
import type { ClusterAccess } from "./props.ts";

/** Those of roles and policies are the control plane's own. */
export interface ControlPlaneTransform extends RoleTransform {
  readonly cluster?: Transform<ClusterArgs>;
  readonly key?: Transform<KeyArgs>;
  readonly logGroup?: Transform<LogGroupArgs>;
  readonly accessEntry?: Transform<AccessEntryArgs>;
  readonly accessPolicyAssociation?: Transform<AccessPolicyAssociationArgs>;
  readonly oidcProvider?: Transform<OpenIdConnectProviderArgs>;
}

export interface ControlPlaneInput {
  readonly clusterName: string;
  readonly region: string;
  readonly kubernetes: string;
  readonly production: boolean;
  readonly subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /** Empty: the API server is reachable from the VPC only. */
  readonly publicCidrs: readonly string[];
  /** Null: a key of the cluster's own. */
  readonly kmsKeyArn: pulumi.Input<string> | null;
  readonly logRetentionDays: number;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: ControlPlaneTransform | undefined;
}

/** Everything that the control plane can log: who did what is asked after the incident, not before. */
export const LOG_TYPES = ["api", "audit", "authenticator", "controllerManager", "scheduler"] as const;

/** Fields that only matter at creation and whose change would replace the cluster, whatever a later version says. */
const FIXED_AT_CREATION = ["bootstrapSelfManagedAddons", "accessConfig.bootstrapClusterCreatorAdminPermissions"];

export function createControlPlane(parent: pulumi.Resource, name: string, input: ControlPlaneInput): EksControlPlane {
  const { tags, transform } = input;
  const keyArn = input.kmsKeyArn ?? createKey(parent, name, input).arn;
  const role = createControlPlaneRole(parent, name, keyArn, input);
  const logGroupName = `/aws/eks/${input.clusterName}/cluster`;
  const logGroup = new LogGroup(
    name,
    transformed(
      transform?.logGroup,
      // EKS would make the group itself and keep its logs, and their price, for ever.
      { name: logGroupName, retentionInDays: input.logRetentionDays, tags: { ...tags } },
      name,
    ),
    { parent },
  );
  const args: ClusterArgs = {
    name: input.clusterName,
    version: input.kubernetes,
    roleArn: role.arn,
    vpcConfig: {
      subnetIds: input.subnetIds,
      endpointPrivateAccess: true,
      endpointPublicAccess: input.publicCidrs.length > 0,
      ...(input.publicCidrs.length > 0 && { publicAccessCidrs: [...input.publicCidrs] }),
    },
    accessConfig: {
      authenticationMode: "API",
      // Who creates the cluster installs what is in it; without an entry of its own it could not.
      bootstrapClusterCreatorAdminPermissions: true,
    },
    // EKS add-ons are declared one by one; the self-managed ones would be there twice.
    bootstrapSelfManagedAddons: false,
    encryptionConfig: { provider: { keyArn }, resources: ["secrets"] },
    enabledClusterLogTypes: [...LOG_TYPES],
    deletionProtection: input.production,
    tags: { ...tags },
  };
  return new EksControlPlane(name, transformed(transform?.cluster, args, name), {
    parent,
    protect: input.production,
    ignoreChanges: FIXED_AT_CREATION,
    dependsOn: [logGroup, ...role.resources],
  });
}

function createKey(parent: pulumi.Resource, name: string, input: ControlPlaneInput): Key {
  const keyName = `${name}-secrets`;
  const args: KeyArgs = {
    description: `Secrets of the EKS cluster ${input.clusterName}`,
    enableKeyRotation: true,
    deletionWindowInDays: 30,
    tags: { ...input.tags },
  };
  return new Key(keyName, transformed(input.transform?.key, args, keyName), { parent, protect: input.production });
}

function createControlPlaneRole(
  parent: pulumi.Resource,
  name: string,
  keyArn: pulumi.Input<string>,
  input: ControlPlaneInput,
): { readonly arn: pulumi.Output<string>; readonly resources: readonly pulumi.Resource[] } {
  const controlPlane = `${name}-control-plane`;
  const { transform } = input;
  const args: RoleArgs = {
    ...roleName(controlPlane),
    assumeRolePolicy: trustPolicy("eks.amazonaws.com"),
    tags: { ...input.tags },
  };
  const role = new Role(controlPlane, transformed(transform?.role, args, controlPlane), { parent });
  const attachment = attachPolicy(
    role,
    `${controlPlane}-AmazonEKSClusterPolicy`,
    managedPolicyArn(input.region, "AmazonEKSClusterPolicy"),
    transform?.rolePolicyAttachment,
  );
  const inlineName = `${controlPlane}-key`;
  const policy = pulumi.output(keyArn).apply((arn) => JSON.stringify(keyPolicy(arn)));
  const inlineArgs = { role: role.name, policy };
  const inline = new RolePolicy(inlineName, transformed(transform?.rolePolicy, inlineArgs, inlineName), {
    parent: role,
  });
  return { arn: role.arn, resources: [role, attachment, inline] };
}

function keyPolicy(keyArn: string): PolicyDocument {
  const actions = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:ListGrants"];
  return policyDocument([allow("UseSecretsKey", actions, [keyArn])]);
}

/** Entries for people and pipelines. Nodes of managed node groups get theirs from EKS, and a second one is refused. */
export function createAccessEntries(
  parent: EksControlPlane,
  name: string,
  access: readonly ClusterAccess[],
  input: {
    readonly region: string;
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
    readonly transform: ControlPlaneTransform | undefined;
  },
): pulumi.Resource[] {
  return access.flatMap((entry) => {
    const entryName = `${name}-${entry.name}`;
    const args: AccessEntryArgs = {
      clusterName: parent.name,
      principalArn: entry.principalArn,
      type: "STANDARD",
      tags: { ...input.tags },
    };
    const created = new AccessEntry(entryName, transformed(input.transform?.accessEntry, args, entryName), {
      parent,
      // Protection of the cluster goes on to its children, and access that can be given has to be taken away too.
      protect: false,
    });
    const namespaces = entry.namespaces ?? [];
    const associationArgs: AccessPolicyAssociationArgs = {
      clusterName: parent.name,
      principalArn: created.principalArn,
      policyArn: `arn:${partitionOf(input.region)}:eks::aws:cluster-access-policy/${ACCESS_POLICIES[entry.policy ?? "cluster-admin"]}`,
      accessScope: namespaces.length > 0 ? { type: "namespace", namespaces: [...namespaces] } : { type: "cluster" },
    };
    const association = new AccessPolicyAssociation(
      entryName,
      transformed(input.transform?.accessPolicyAssociation, associationArgs, entryName),
      { parent: created },
    );
    return [created, association];
  });
}

const ACCESS_POLICIES: Readonly<Record<NonNullable<ClusterAccess["policy"]>, string>> = {
  "cluster-admin": "AmazonEKSClusterAdminPolicy",
  admin: "AmazonEKSAdminPolicy",
  edit: "AmazonEKSEditPolicy",
  view: "AmazonEKSViewPolicy",
};
