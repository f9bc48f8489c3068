import { Role, type RoleArgs } from "@pulumi/aws/iam/role.js";
import { RolePolicy, type RolePolicyArgs } from "@pulumi/aws/iam/rolePolicy.js";
import { RolePolicyAttachment, type RolePolicyAttachmentArgs } from "@pulumi/aws/iam/rolePolicyAttachment.js";
import type * as pulumi from "@pulumi/pulumi";
import { managedPolicyArn } from "../partition.ts";
import { type Transform, transformed } from "../transform.ts";
import { allow, type PolicyDocument, policyDocument, trustPolicy } from "./policy.ts";
import { roleName } from "./role-name.ts";

export interface RoleTransform {
  readonly role?: Transform<RoleArgs>;
  readonly rolePolicy?: Transform<RolePolicyArgs>;
  readonly rolePolicyAttachment?: Transform<RolePolicyAttachmentArgs>;
}

export interface NodeRoleInput {
  readonly region: string;
  /** The VPC CNI has no role of its own, so it uses the nodes'. */
  readonly cniOnNodes: boolean;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: RoleTransform | undefined;
}

/** A node that asks EC2 for its own name: nodeadm and Bottlerocket do so before they join. */
const nodePolicy: PolicyDocument = policyDocument([
  allow("DescribeInstances", ["ec2:DescribeInstances", "ec2:DescribeInstanceTypes"], ["*"]),
]);

/**
 * The least that a node needs: pull images, hand pods their Pod Identity credentials, find its own name. What
 * `AmazonEKSWorkerNodePolicy` allows beyond that is for add-ons, which have roles of their own.
 */
export function createNodeRole(
  parent: pulumi.Resource,
  name: string,
  input: NodeRoleInput,
): { readonly arn: pulumi.Output<string>; readonly resources: readonly pulumi.Resource[] } {
  const { transform } = input;
  const policies = [
    "AmazonEKSWorkerNodeMinimalPolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    ...(input.cniOnNodes ? ["AmazonEKS_CNI_Policy"] : []),
  ];
  const args = { ...roleName(name), assumeRolePolicy: trustPolicy("ec2.amazonaws.com"), tags: { ...input.tags } };
  const role = new Role(name, transformed(transform?.role, args, name), { parent });
  const inlineName = `${name}-describe`;
  const inlineArgs = { role: role.name, policy: JSON.stringify(nodePolicy) };
  const inline = new RolePolicy(inlineName, transformed(transform?.rolePolicy, inlineArgs, inlineName), {
    parent: role,
  });
  const attachments = policies.map((policy) =>
    attachPolicy(role, `${name}-${policy}`, managedPolicyArn(input.region, policy), transform?.rolePolicyAttachment),
  );
  return { arn: role.arn, resources: [role, inline, ...attachments] };
}

export function attachPolicy(
  role: Role,
  name: string,
  policyArn: string,
  transform: Transform<RolePolicyAttachmentArgs> | undefined,
): RolePolicyAttachment {
  return new RolePolicyAttachment(name, transformed(transform, { role: role.name, policyArn }, name), { parent: role });
}
