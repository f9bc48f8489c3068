import { Role, type RoleArgs } from "@pulumi/aws/iam/role.js";
import { RolePolicy } from "@pulumi/aws/iam/rolePolicy.js";
import { RolePolicyAttachment } from "@pulumi/aws/iam/rolePolicyAttachment.js";
import type * as pulumi from "@pulumi/pulumi";
import { managedPolicyArn } from "../partition.ts";
import { type Transform, transformed } from "../transform.ts";
import { allow, type PolicyDocument, policyDocument, trustPolicy } from "./policy.ts";

export interface NodeRoleInput {
  readonly region: string;
  /** The VPC CNI has no role of its own, so it uses the nodes'. */
  readonly cniOnNodes: boolean;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: Transform<RoleArgs> | undefined;
}

/** A node that asks EC2 for its own name: nodeadm and Bottlerocket do so before they join. */
export const nodePolicy: PolicyDocument = policyDocument([
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
  const policies = [
    "AmazonEKSWorkerNodeMinimalPolicy",
    "AmazonEC2ContainerRegistryPullOnly",
    ...(input.cniOnNodes ? ["AmazonEKS_CNI_Policy"] : []),
  ];
  const role = new Role(
    name,
    transformed(input.transform, { assumeRolePolicy: trustPolicy("ec2.amazonaws.com"), tags: { ...input.tags } }, name),
    { parent },
  );
  const inline = new RolePolicy(`${name}-describe`, { role: role.name, policy: JSON.stringify(nodePolicy) }, { parent: role });
  const attachments = policies.map(
    (policy) =>
      new RolePolicyAttachment(
        `${name}-${policy}`,
        { role: role.name, policyArn: managedPolicyArn(input.region, policy) },
        { parent: role },
      ),
  );
  return { arn: role.arn, resources: [role, inline, ...attachments] };
}
