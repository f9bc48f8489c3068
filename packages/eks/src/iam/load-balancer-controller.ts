import { partitionOf } from "../partition.ts";
import { allow, type PolicyDocument, policyDocument } from "./policy.ts";

export interface LoadBalancerScope {
  readonly clusterName: string;
  readonly region: string;
  readonly vpcId: string;
}

/** Tag that the AWS Load Balancer Controller puts on everything it makes. */
const CLUSTER_TAG = "elbv2.k8s.aws/cluster";

/**
 * What the AWS Load Balancer Controller needs for Application and Network Load Balancers. It is installed with WAF and
 * Shield switched off, and no listener authenticates with Cognito, so nothing of those is allowed. Where upstream's
 * policy asks that the cluster's tag is there, this one asks for its value too: two clusters of an account keep their
 * hands off each other's load balancers.
 */
export function loadBalancerControllerPolicy(scope: LoadBalancerScope): PolicyDocument {
  const partition = partitionOf(scope.region);
  const ec2 = `arn:${partition}:ec2:${scope.region}:*`;
  const elb = `arn:${partition}:elasticloadbalancing:${scope.region}:*`;
  const created = { StringEquals: { [`aws:RequestTag/${CLUSTER_TAG}`]: scope.clusterName } };
  const owned = { StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: scope.clusterName } };
  const balancers = [
    `${elb}:loadbalancer/app/*/*`,
    `${elb}:loadbalancer/net/*/*`,
    `${elb}:targetgroup/*/*`,
    `${elb}:listener/app/*/*/*`,
    `${elb}:listener/net/*/*/*`,
    `${elb}:listener-rule/app/*/*/*/*`,
    `${elb}:listener-rule/net/*/*/*/*`,
  ];
  return policyDocument([
    allow("DescribeNetwork", describeActions, ["*"]),
    allow("ReadCertificates", ["acm:DescribeCertificate", "acm:ListCertificates"], ["*"]),
    allow(
      "CreateServiceLinkedRole",
      ["iam:CreateServiceLinkedRole"],
      [`arn:${partition}:iam::*:role/aws-service-role/elasticloadbalancing.amazonaws.com/*`],
      { StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" } },
    ),
    allow("CreateSecurityGroupInVpc", ["ec2:CreateSecurityGroup"], [`${ec2}:vpc/${scope.vpcId}`]),
    allow("CreateTaggedSecurityGroup", ["ec2:CreateSecurityGroup"], [`${ec2}:security-group/*`], created),
    allow("TagNewSecurityGroup", ["ec2:CreateTags"], [`${ec2}:security-group/*`], {
      StringEquals: { ...created.StringEquals, "ec2:CreateAction": "CreateSecurityGroup" },
    }),
    allow(
      "ManageSecurityGroups",
      [
        "ec2:AuthorizeSecurityGroupIngress",
        "ec2:CreateTags",
        "ec2:DeleteSecurityGroup",
        "ec2:DeleteTags",
        "ec2:RevokeSecurityGroupIngress",
      ],
      [`${ec2}:security-group/*`],
      owned,
    ),
    allow(
      "OpenNodeSecurityGroups",
      ["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"],
      [`${ec2}:security-group/*`],
      { StringEquals: { [`aws:ResourceTag/kubernetes.io/cluster/${scope.clusterName}`]: "owned" } },
    ),
    allow(
      "CreateTaggedLoadBalancers",
      [
        "elasticloadbalancing:CreateListener",
        "elasticloadbalancing:CreateLoadBalancer",
        "elasticloadbalancing:CreateRule",
        "elasticloadbalancing:CreateTargetGroup",
      ],
      balancers,
      created,
    ),
    allow("TagLoadBalancers", ["elasticloadbalancing:AddTags"], balancers, {
      StringEquals: {
        ...created.StringEquals,
        "elasticloadbalancing:CreateAction": [
          "CreateListener",
          "CreateLoadBalancer",
          "CreateRule",
          "CreateTargetGroup",
        ],
      },
    }),
    allow("ManageLoadBalancers", manageActions, balancers, owned),
  ]);
}

const describeActions = [
  "ec2:DescribeAccountAttributes",
  "ec2:DescribeAddresses",
  "ec2:DescribeAvailabilityZones",
  "ec2:DescribeInstances",
  "ec2:DescribeInternetGateways",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeRouteTables",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeSubnets",
  "ec2:DescribeTags",
  "ec2:DescribeVpcPeeringConnections",
  "ec2:DescribeVpcs",
  "ec2:GetSecurityGroupsForVpc",
  "elasticloadbalancing:DescribeCapacityReservation",
  "elasticloadbalancing:DescribeListenerAttributes",
  "elasticloadbalancing:DescribeListenerCertificates",
  "elasticloadbalancing:DescribeListeners",
  "elasticloadbalancing:DescribeLoadBalancerAttributes",
  "elasticloadbalancing:DescribeLoadBalancers",
  "elasticloadbalancing:DescribeRules",
  "elasticloadbalancing:DescribeSSLPolicies",
  "elasticloadbalancing:DescribeTags",
  "elasticloadbalancing:DescribeTargetGroupAttributes",
  "elasticloadbalancing:DescribeTargetGroups",
  "elasticloadbalancing:DescribeTargetHealth",
  "elasticloadbalancing:DescribeTrustStores",
];

const manageActions = [
  "elasticloadbalancing:AddListenerCertificates",
  "elasticloadbalancing:AddTags",
  "elasticloadbalancing:DeleteListener",
  "elasticloadbalancing:DeleteLoadBalancer",
  "elasticloadbalancing:DeleteRule",
  "elasticloadbalancing:DeleteTargetGroup",
  "elasticloadbalancing:DeregisterTargets",
  "elasticloadbalancing:ModifyListener",
  "elasticloadbalancing:ModifyListenerAttributes",
  "elasticloadbalancing:ModifyLoadBalancerAttributes",
  "elasticloadbalancing:ModifyRule",
  "elasticloadbalancing:ModifyTargetGroup",
  "elasticloadbalancing:ModifyTargetGroupAttributes",
  "elasticloadbalancing:RegisterTargets",
  "elasticloadbalancing:RemoveListenerCertificates",
  "elasticloadbalancing:RemoveTags",
  "elasticloadbalancing:SetIpAddressType",
  "elasticloadbalancing:SetRulePriorities",
  "elasticloadbalancing:SetSecurityGroups",
  "elasticloadbalancing:SetSubnets",
];
