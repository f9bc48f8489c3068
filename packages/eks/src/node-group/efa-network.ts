import { PlacementGroup, type PlacementGroupArgs } from "@pulumi/aws/ec2/placementGroup.js";
import { SecurityGroup, type SecurityGroupArgs } from "@pulumi/aws/ec2/securityGroup.js";
import { SecurityGroupEgressRule, type SecurityGroupEgressRuleArgs } from "@pulumi/aws/vpc/securityGroupEgressRule.js";
import {
  SecurityGroupIngressRule,
  type SecurityGroupIngressRuleArgs,
} from "@pulumi/aws/vpc/securityGroupIngressRule.js";
import type * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";

export interface EfaTransform {
  readonly securityGroup?: Transform<SecurityGroupArgs>;
  readonly securityGroupIngressRule?: Transform<SecurityGroupIngressRuleArgs>;
  readonly securityGroupEgressRule?: Transform<SecurityGroupEgressRuleArgs>;
}

export interface EfaSecurityGroupInput {
  readonly vpcId: pulumi.Input<string>;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: EfaTransform | undefined;
}

/**
 * EFA traffic is no TCP, UDP or ICMP: without a rule for all protocols from and to the group itself, NCCL falls back
 * to TCP and says nothing.
 */
export function createEfaSecurityGroup(
  parent: pulumi.Resource,
  name: string,
  input: EfaSecurityGroupInput,
): { readonly id: pulumi.Output<string>; readonly resources: readonly pulumi.Resource[] } {
  const group = new SecurityGroup(
    name,
    transformed(
      input.transform?.securityGroup,
      { description: "EFA between the nodes of one pool", vpcId: input.vpcId, tags: { ...input.tags } },
      name,
    ),
    { parent },
  );
  const toItself = {
    securityGroupId: group.id,
    referencedSecurityGroupId: group.id,
    ipProtocol: "-1",
    description: "EFA inside the pool",
  };
  const ingress = new SecurityGroupIngressRule(
    `${name}-in`,
    transformed(input.transform?.securityGroupIngressRule, toItself, `${name}-in`),
    { parent: group },
  );
  const egress = new SecurityGroupEgressRule(
    `${name}-out`,
    transformed(input.transform?.securityGroupEgressRule, toItself, `${name}-out`),
    { parent: group },
  );
  return { id: group.id, resources: [group, ingress, egress] };
}

/** Puts the nodes close together; capacity for it is found in one zone or not at all. */
export function createPlacementGroup(
  parent: pulumi.Resource,
  name: string,
  tags: Readonly<Record<string, pulumi.Input<string>>>,
  transform: Transform<PlacementGroupArgs> | undefined,
): PlacementGroup {
  return new PlacementGroup(name, transformed(transform, { strategy: "cluster", tags: { ...tags } }, name), { parent });
}
