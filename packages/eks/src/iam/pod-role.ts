import { PodIdentityAssociation, type PodIdentityAssociationArgs } from "@pulumi/aws/eks/podIdentityAssociation.js";
import { Role } from "@pulumi/aws/iam/role.js";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy.js";
import * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";
import { attachPolicy, type RoleTransform } from "./node-role.ts";
import { type PolicyDocument, podTrustPolicy } from "./policy.ts";
import { roleName } from "./role-name.ts";

export interface PodRoleTransform extends RoleTransform {
  readonly podIdentityAssociation?: Transform<PodIdentityAssociationArgs>;
}

export interface PodRoleInput {
  readonly clusterName: pulumi.Output<string>;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Inline policy; null where managed policies say it all. */
  readonly policy: pulumi.Input<PolicyDocument> | null;
  readonly managedPolicyArns: readonly string[];
  /** False where an EKS add-on makes the association itself. */
  readonly associate: boolean;
  /** False where the parent is protected and the role need not be. @default - as the parent */
  readonly protect?: boolean;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: PodRoleTransform | undefined;
}

export interface PodRole {
  readonly arn: pulumi.Output<string>;
  /** Role, policies and association: what pods that use it wait for. */
  readonly resources: readonly pulumi.Resource[];
}

/** A role for one service account, through Pod Identity. Pods that start before the association exists get none. */
export function createPodRole(parent: pulumi.Resource, name: string, input: PodRoleInput): PodRole {
  const { namespace, serviceAccount, transform } = input;
  const trust = input.clusterName.apply((clusterName) => podTrustPolicy({ clusterName, namespace, serviceAccount }));
  const role = new Role(
    name,
    transformed(transform?.role, { ...roleName(name), assumeRolePolicy: trust, tags: { ...input.tags } }, name),
    { parent, ...(input.protect !== undefined && { protect: input.protect }) },
  );
  const resources: pulumi.Resource[] = [role];
  for (const policyArn of input.managedPolicyArns) {
    const policyName = policyArn.slice(policyArn.lastIndexOf("/") + 1);
    resources.push(attachPolicy(role, `${name}-${policyName}`, policyArn, transform?.rolePolicyAttachment));
  }
  if (input.policy !== null) {
    const policy = pulumi.output(input.policy).apply((document) => JSON.stringify(document));
    const args = transformed(transform?.rolePolicy, { role: role.name, policy }, name);
    resources.push(new RolePolicy(name, args, { parent: role }));
  }
  if (input.associate) {
    const args = transformed(
      transform?.podIdentityAssociation,
      { clusterName: input.clusterName, namespace, serviceAccount, roleArn: role.arn, tags: { ...input.tags } },
      name,
    );
    // Access is there from the first try: the association is made when the policies are attached.
    resources.push(new PodIdentityAssociation(name, args, { parent: role, dependsOn: [...resources] }));
  }
  return { arn: role.arn, resources };
}
