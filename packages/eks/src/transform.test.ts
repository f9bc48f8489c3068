import { gpuPool } from "@capstan/core";
import { beforeEach, expect, test } from "vitest";
import { EksCluster } from "./cluster/eks-cluster.ts";
import type { EksClusterTransform } from "./cluster/props.ts";
import type { NodeGroupTransform } from "./node-group/create.ts";
import { GpuNodeGroup } from "./node-group/gpu-node-group.ts";
import { testCluster } from "./testing/cluster.ts";
import { type Registered, record } from "./testing/record.ts";

/** Names that a transform was called for, as often as it was. */
let called: string[] = [];

function mark<Args>(args: Args, name: string): Args {
  called.push(name);
  return args;
}

beforeEach(() => {
  called = [];
});

const role = { role: mark, rolePolicy: mark, rolePolicyAttachment: mark };

const nodeGroup: NodeGroupTransform = {
  launchTemplate: mark,
  nodeGroup: mark,
  autoscalerTag: mark,
  placementGroup: mark,
  securityGroup: mark,
  securityGroupIngressRule: mark,
  securityGroupEgressRule: mark,
  nodeRole: role,
};

const cluster: EksClusterTransform = {
  ...role,
  cluster: mark,
  key: mark,
  logGroup: mark,
  accessEntry: mark,
  accessPolicyAssociation: mark,
  oidcProvider: mark,
  vpc: mark,
  subnet: mark,
  natGateway: mark,
  vpcEndpoint: mark,
  internetGateway: mark,
  eip: mark,
  routeTable: mark,
  route: mark,
  routeTableAssociation: mark,
  systemNodeGroup: nodeGroup,
  addon: mark,
  provider: mark,
  storageClass: mark,
  podRole: { ...role, podIdentityAssociation: mark },
  nodeRole: role,
};

function awsNames(registered: readonly Registered[]): string[] {
  return registered.filter(({ type }) => type.startsWith("aws:")).map(({ name }) => name);
}

test("every AWS resource of a cluster can be changed", async () => {
  const accessEntries = [{ name: "platform", principalArn: "arn:aws:iam::111122223333:role/platform" }];
  const registered = await record(() => {
    new EksCluster("prod", {
      region: "eu-central-1",
      vpc: { zones: ["a", "b"] },
      accessEntries,
      transform: cluster,
    });
  });
  // Beside AWS: the provider and the storage class.
  expect(called.sort()).toEqual([...awsNames(registered), "prod", "prod-gp3"].sort());
});

test("every resource of a node group can be changed", async () => {
  const pool = gpuPool({
    name: "h100",
    instanceType: "p5.4xlarge",
    size: { min: 0, max: 2 },
    efa: true,
    zones: ["eu-central-1a"],
  });
  const registered = await record(() => {
    new GpuNodeGroup("h100", { cluster: testCluster(), pool, transform: nodeGroup });
  });
  expect(called.sort()).toEqual(awsNames(registered).sort());
  expect(registered.filter(({ type }) => type.startsWith("aws:vpc/"))).toHaveLength(2);
});
