export type { Cluster } from "./cluster/cluster.ts";
export type { ControlPlaneTransform } from "./cluster/control-plane.ts";
export { EksCluster } from "./cluster/eks-cluster.ts";
export {
  type ClusterConnection,
  ExistingCluster,
  type ExistingClusterArgs,
  type ExistingFeatures,
} from "./cluster/existing-cluster.ts";
export type { ClusterFeatures } from "./cluster/features.ts";
export type { ClusterCredentials } from "./cluster/kubeconfig.ts";
export type { LoadBalancerControllerValues } from "./cluster/load-balancer-controller.ts";
export type { NetworkTransform } from "./cluster/network.ts";
export type {
  ClusterAccess,
  ClusterEndpoint,
  ClusterNetwork,
  ClusterVpc,
  EksClusterArgs,
  EksClusterTransform,
  SystemPool,
} from "./cluster/props.ts";
export type { FromPulumiEksArgs, PulumiEksCluster } from "./cluster/pulumi-eks.ts";
export type { NodeSubnets, Subnets } from "./cluster/subnets.ts";
export type { RoleTransform } from "./iam/node-role.ts";
export type { PodRoleTransform } from "./iam/pod-role.ts";
export { WILDCARD_REASONS } from "./iam/wildcards.ts";
export { CpuNodeGroup, type CpuNodeGroupArgs } from "./node-group/cpu-node-group.ts";
export type { NodeGroupTransform } from "./node-group/create.ts";
export type { EfaTransform } from "./node-group/efa-network.ts";
export { GpuNodeGroup, type GpuNodeGroupArgs } from "./node-group/gpu-node-group.ts";
export { ManagedNodeGroup, type ManagedNodeGroupArgs } from "./node-group/managed-node-group.ts";
export {
  InferencePlatform,
  type InferencePlatformArgs,
  type InferencePlatformTransform,
} from "./platform/inference-platform.ts";
export type { Transform } from "./transform.ts";
