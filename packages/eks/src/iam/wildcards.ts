/**
 * Every statement with a wildcard in a resource, by its Sid, and why it cannot do without. No action has a wildcard.
 * A test reads all policies that a full platform registers and fails on one that is not listed here, and on an entry
 * that no policy uses.
 */
export const WILDCARD_REASONS: Readonly<Record<string, string>> = {
  DescribeInstances: "EC2 describe actions know no resource-level permissions; a node finds its own name with them",
  ReadScalingState: "describe actions of Auto Scaling and EC2 know no resource-level permissions",
  ReadNodeGroups: "node group names and ids are made by EKS; limited to the node groups of this cluster",
  ScaleOwnGroups:
    "EKS makes the names of the Auto Scaling groups; limited to groups that carry this cluster's autoscaler tag",
  ReadModels: "object keys under the prefix of the models",
  DescribeNetwork: "describe actions of EC2 and Elastic Load Balancing know no resource-level permissions",
  ReadCertificates: "a listener may name any certificate, and listing knows no resource-level permissions",
  CreateServiceLinkedRole: "AWS makes the role's name; limited to the one of Elastic Load Balancing",
  CreateTaggedSecurityGroup: "the group has no id yet; limited to groups that are created with this cluster's tag",
  TagNewSecurityGroup: "the group has no id yet; limited to the call that creates it with this cluster's tag",
  CreateSecurityGroupInVpc: "the account's number is not known before deployment; limited to the cluster's VPC",
  ManageSecurityGroups: "ids are made by EC2; limited to groups that carry this cluster's tag",
  OpenNodeSecurityGroups: "rules on the nodes' group have ids made by EC2; limited to groups that the cluster owns",
  CreateTaggedLoadBalancers: "names are made by the controller; limited to what is created with this cluster's tag",
  TagLoadBalancers: "names are made by the controller; limited to the calls that create with this cluster's tag",
  ManageLoadBalancers: "names are made by the controller; limited to what carries this cluster's tag",
};
