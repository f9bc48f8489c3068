import { gpuPool } from "@capstan/core";
import { expect, test } from "vitest";
import { EksCluster } from "./cluster/eks-cluster.ts";
import { GpuNodeGroup } from "./node-group/gpu-node-group.ts";
import { InferencePlatform } from "./platform/inference-platform.ts";
import { testCluster } from "./testing/cluster.ts";
import { fullPlatform } from "./testing/platform.ts";
import { type Registered, record } from "./testing/record.ts";

/*
 * Types and names of children are part of URNs: another name is another resource, which Pulumi makes after it deletes
 * the first. A line that changes here needs an alias, and a line in the changelog that says what users will see.
 */

function children(registered: readonly Registered[], of: (resource: Registered) => boolean): string[] {
  return registered.filter(of).map(({ type, name }) => `${type.split("/").at(-1)} ${name}`);
}

test("children of a node group", async () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 2 } });
  const registered = await record(() => {
    new GpuNodeGroup("l4", { cluster: testCluster(), pool });
  });
  expect(children(registered, ({ name }) => name.startsWith("l4"))).toEqual([
    "tag:Tag l4-cluster",
    "tag:Tag l4-enabled",
    "tag:Tag l4-label-capstan.dev/pool",
    "tag:Tag l4-label-k8s.amazonaws.com/accelerator",
    "tag:Tag l4-resources-ephemeral-storage",
    "tag:Tag l4-resources-nvidia.com/gpu",
    "tag:Tag l4-taint-nvidia.com/gpu",
    "launchTemplate:LaunchTemplate l4",
    "nodeGroup:NodeGroup l4",
    "role:Role l4-node",
    "rolePolicy:RolePolicy l4-node-describe",
    "rolePolicyAttachment:RolePolicyAttachment l4-node-AmazonEC2ContainerRegistryPullOnly",
    "rolePolicyAttachment:RolePolicyAttachment l4-node-AmazonEKSWorkerNodeMinimalPolicy",
    "capstan:eks:GpuNodeGroup l4",
  ]);
});

test("children of a cluster", async () => {
  const registered = await record(() => {
    const accessEntries = [{ name: "platform", principalArn: "arn:aws:iam::111122223333:role/platform" }];
    new EksCluster("prod", { region: "eu-central-1", vpc: { zones: ["a", "b"] }, accessEntries });
  });
  const interesting = ({ type }: Registered) => !type.startsWith("aws:autoscaling/") && !type.startsWith("aws:iam/");
  expect(children(registered, interesting)).toEqual([
    "logGroup:LogGroup prod",
    "eip:Eip prod-nat-eu-central-1a",
    "internetGateway:InternetGateway prod",
    "launchTemplate:LaunchTemplate prod-system",
    "natGateway:NatGateway prod-nat-eu-central-1a",
    "route:Route prod-private-eu-central-1a",
    "route:Route prod-private-eu-central-1b",
    "route:Route prod-public",
    "routeTable:RouteTable prod-private-eu-central-1a",
    "routeTable:RouteTable prod-private-eu-central-1b",
    "routeTable:RouteTable prod-public",
    "routeTableAssociation:RouteTableAssociation prod-private-eu-central-1a",
    "routeTableAssociation:RouteTableAssociation prod-private-eu-central-1b",
    "routeTableAssociation:RouteTableAssociation prod-public-eu-central-1a",
    "routeTableAssociation:RouteTableAssociation prod-public-eu-central-1b",
    "subnet:Subnet prod-private-eu-central-1a",
    "subnet:Subnet prod-private-eu-central-1b",
    "subnet:Subnet prod-public-eu-central-1a",
    "subnet:Subnet prod-public-eu-central-1b",
    "vpc:Vpc prod",
    "vpcEndpoint:VpcEndpoint prod-s3",
    "accessEntry:AccessEntry prod-platform",
    "accessPolicyAssociation:AccessPolicyAssociation prod-platform",
    "addon:Addon prod-aws-ebs-csi-driver",
    "addon:Addon prod-coredns",
    "addon:Addon prod-eks-node-monitoring-agent",
    "addon:Addon prod-eks-pod-identity-agent",
    "addon:Addon prod-kube-proxy",
    "addon:Addon prod-metrics-server",
    "addon:Addon prod-vpc-cni",
    "cluster:Cluster prod",
    "nodeGroup:NodeGroup prod-system",
    "podIdentityAssociation:PodIdentityAssociation prod-load-balancer-controller",
    "key:Key prod-secrets",
    "capstan:eks:EksCluster prod",
    "capstan:kubernetes:HelmAddon prod-load-balancer-controller",
    "v1:Namespace prod-load-balancer-controller/aws-load-balancer-controller",
    "v3:Release prod-load-balancer-controller",
    "v1:StorageClass prod-gp3",
    "pulumi:providers:kubernetes prod",
    "pulumi:pulumi:Stack test-test",
  ]);
  expect(children(registered, ({ type }) => /^aws:iam\/(role:Role|openId)/.test(type))).toEqual([
    "openIdConnectProvider:OpenIdConnectProvider prod",
    "role:Role prod-aws-ebs-csi-driver",
    "role:Role prod-control-plane",
    "role:Role prod-load-balancer-controller",
    "role:Role prod-node",
    "role:Role prod-vpc-cni",
  ]);
});

test("children of a platform, but those of its services", async () => {
  const registered = await record(() => {
    new InferencePlatform("inference", { cluster: testCluster(), platform: fullPlatform() });
  });
  const interesting = ({ type }: Registered) => /^capstan:|aws:iam\/role:|aws:eks/.test(type);
  expect(children(registered, interesting).filter((it) => !/HelmAddon|Cdk8sChart/.test(it))).toEqual([
    "nodeGroup:NodeGroup inference-amx",
    "nodeGroup:NodeGroup inference-h100-mig",
    "nodeGroup:NodeGroup inference-l40s",
    "podIdentityAssociation:PodIdentityAssociation inference-capstan-system-preload-l40s",
    "podIdentityAssociation:PodIdentityAssociation inference-cluster-autoscaler",
    "role:Role inference-amx-node",
    "role:Role inference-capstan-system-preload-l40s",
    "role:Role inference-cluster-autoscaler",
    "role:Role inference-h100-mig-node",
    "role:Role inference-l40s-node",
    "capstan:eks:CpuNodeGroup inference-amx",
    "capstan:eks:ExistingCluster existing",
    "capstan:eks:GpuNodeGroup inference-h100-mig",
    "capstan:eks:GpuNodeGroup inference-l40s",
    "capstan:eks:InferencePlatform inference",
    "capstan:kubernetes:PlatformServices inference",
  ]);
});
