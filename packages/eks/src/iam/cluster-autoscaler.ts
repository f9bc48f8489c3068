import { partitionOf } from "../partition.ts";
import { allow, type PolicyDocument, policyDocument } from "./policy.ts";

/** What cluster-autoscaler may do: look at everything it has to look at, change the groups of this cluster only. */
export function clusterAutoscalerPolicy(cluster: { readonly name: string; readonly region: string }): PolicyDocument {
  const arn = `arn:${partitionOf(cluster.region)}`;
  return policyDocument([
    allow(
      "ReadScalingState",
      [
        "autoscaling:DescribeAutoScalingGroups",
        "autoscaling:DescribeAutoScalingInstances",
        "autoscaling:DescribeLaunchConfigurations",
        "autoscaling:DescribeScalingActivities",
        "autoscaling:DescribeTags",
        "ec2:DescribeImages",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeLaunchTemplateVersions",
        "ec2:GetInstanceTypesFromInstanceRequirements",
      ],
      ["*"],
    ),
    allow(
      "ReadNodeGroups",
      ["eks:DescribeNodegroup"],
      [`${arn}:eks:${cluster.region}:*:nodegroup/${cluster.name}/*/*`],
    ),
    allow(
      "ScaleOwnGroups",
      ["autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup"],
      [`${arn}:autoscaling:${cluster.region}:*:autoScalingGroup:*:autoScalingGroupName/eks-*`],
      { StringEquals: { [`aws:ResourceTag/k8s.io/cluster-autoscaler/${cluster.name}`]: "owned" } },
    ),
  ]);
}
