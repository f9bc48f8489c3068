import { DeclarationError, gpuPool, mig, type Pool, poolFromJson, type ResolvedPool, resolvePool } from "@capstan/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { EVERYTHING, testCluster } from "../testing/cluster.ts";
import { ofType, only, record } from "../testing/record.ts";
import { GpuNodeGroup, type GpuNodeGroupArgs } from "./gpu-node-group.ts";

const NODE_GROUP = "aws:eks/nodeGroup:NodeGroup";
const LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";
const TAG = "aws:autoscaling/tag:Tag";

const l40s = gpuPool({
  name: "l40s",
  instanceType: "g6e.2xlarge",
  size: { min: 0, max: 4 },
  localStorage: "raid0",
  labels: { "example.com/tier": "gold" },
});

function group(change: Partial<GpuNodeGroupArgs> = {}, cluster: Parameters<typeof testCluster>[0] = {}) {
  return () => {
    new GpuNodeGroup("l40s", { cluster: testCluster(cluster), pool: l40s, ...change });
  };
}

test("is a component with the pool, which another program can read back", async () => {
  const component = only(await record(group()), "capstan:eks:GpuNodeGroup");
  const read = poolFromJson(component.inputs.pool);
  const { pool } = resolvePool(read);
  expect(pool?.slots.map(({ resource, slotsPerNode }) => [resource, slotsPerNode])).toEqual([["nvidia.com/gpu", 1]]);
  expect(pool?.managed).toBe(false);
});

// NODE-01: labels, taints and resources of a node that is not there yet, on the group that EKS made.
test("tags the Auto Scaling group that the node group returns", async () => {
  const registered = await record(group());
  const tags = ofType(registered, TAG).map(
    ({ inputs }) => inputs as { autoscalingGroupName: string; tag: { key: string; propagateAtLaunch: boolean } },
  );
  expect(new Set(tags.map(({ autoscalingGroupName }) => autoscalingGroupName))).toEqual(new Set(["eks-l40s-asg"]));
  expect(tags.every(({ tag }) => !tag.propagateAtLaunch)).toBe(true);
  const under = (part: string) =>
    tags.filter(({ tag }) => tag.key.startsWith(`k8s.io/cluster-autoscaler/node-template/${part}/`));
  const { labels, taints } = only(registered, NODE_GROUP).inputs as { labels: object; taints: unknown[] };
  expect(under("label")).toHaveLength(Object.keys(labels).length);
  expect(under("label")).toHaveLength(3);
  expect(under("taint")).toHaveLength(taints.length);
  expect(under("taint")).toHaveLength(1);
  // The GPU, and the array as ephemeral storage.
  expect(under("resources")).toHaveLength(2);
  // What discovery looks for.
  expect(tags).toHaveLength(3 + 1 + 2 + 2);
});

// NODE-18
test("leaves the number of nodes to the autoscaler, and only to one", async () => {
  expect(only(await record(group()), NODE_GROUP).ignoreChanges).toEqual(["scalingConfig.desiredSize"]);
  const without = await record(group({ clusterAutoscaler: false }));
  expect(only(without, NODE_GROUP).ignoreChanges).toEqual([]);
  expect(ofType(without, TAG)).toEqual([]);
  const fixed = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 2, max: 2 } });
  const constant = await record(group({ pool: fixed }));
  expect(only(constant, NODE_GROUP).ignoreChanges).toEqual([]);
  expect(ofType(constant, TAG)).toEqual([]);
});

// NODE-09
test("uses the template's number, never $Latest", async () => {
  const registered = await record(group());
  expect(only(registered, NODE_GROUP).inputs.launchTemplate).toEqual({ id: "l40s-id", version: "7" });
  expect(JSON.stringify(registered)).not.toMatch(/\$(Latest|Default)/);
});

// CACHE-05, PUL-11
test("asks nodeadm for the array of the instance store", async () => {
  const { userData } = only(await record(group()), LAUNCH_TEMPLATE).inputs as { userData: string };
  const message = Buffer.from(userData, "base64").toString("utf8");
  expect(message).toMatch(/^MIME-Version: 1\.0\n/);
  const document = message.slice(message.indexOf("apiVersion:"), message.lastIndexOf("--==NODECONFIG==--"));
  expect(parse(document)).toEqual({
    apiVersion: "node.eks.aws/v1alpha1",
    kind: "NodeConfig",
    spec: { instance: { localStorage: { strategy: "RAID0" } } },
  });
});

test("Ubuntu joins by a script that knows the cluster", async () => {
  const pool = gpuPool({
    name: "l4",
    instanceType: "g6.2xlarge",
    size: { min: 0, max: 1 },
    amiFamily: "ubuntu",
    amiId: "ami-0123456789abcdef0",
  });
  const { userData } = only(await record(group({ pool })), LAUNCH_TEMPLATE).inputs as { userData: string };
  expect(Buffer.from(userData, "base64").toString("utf8")).toContain(
    "/etc/eks/bootstrap.sh 'prod' --apiserver-endpoint 'https://prod.example.com' --b64-cluster-ca 'Q0EtREFUQQ=='",
  );
});

test("takes the cluster's subnets in the order given, or those of the pool's zones, or its own", async () => {
  const subnetsOf = async (change: Partial<GpuNodeGroupArgs>) =>
    only(await record(group(change)), NODE_GROUP).inputs.subnetIds;
  expect(await subnetsOf({})).toEqual(["subnet-a", "subnet-b", "subnet-c"]);
  const zones = ["eu-central-1c", "eu-central-1a"];
  expect(
    await subnetsOf({ pool: gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 1 }, zones }) }),
  ).toEqual(["subnet-c", "subnet-a"]);
  expect(await subnetsOf({ subnetIds: ["subnet-z", "subnet-y"] })).toEqual(["subnet-z", "subnet-y"]);
});

// NODE-16, NODE-17
test("EFA: one placement group, one zone, and rules for every protocol from and to the group itself", async () => {
  const pool = gpuPool({
    name: "h100",
    instanceType: "p5.48xlarge",
    size: { min: 0, max: 2 },
    efa: true,
    zones: ["eu-central-1b"],
  });
  const registered = await record(group({ pool }));
  expect(only(registered, NODE_GROUP).inputs.subnetIds).toEqual(["subnet-b"]);
  const template = only(registered, LAUNCH_TEMPLATE).inputs as {
    placement: object;
    networkInterfaces: { securityGroups: string[] }[];
  };
  expect(template.placement).toEqual({ groupName: "l40s-group" });
  expect(only(registered, "aws:ec2/placementGroup:PlacementGroup").inputs.strategy).toBe("cluster");
  expect(template.networkInterfaces).toHaveLength(32);
  expect(template.networkInterfaces[0]!.securityGroups).toEqual(["sg-nodes", "l40s-efa-id"]);
  const rule = { securityGroupId: "l40s-efa-id", referencedSecurityGroupId: "l40s-efa-id", ipProtocol: "-1" };
  expect(only(registered, "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule").inputs).toMatchObject(rule);
  expect(only(registered, "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule").inputs).toMatchObject(rule);
});

// NODE-19
test("has a role with the least that a node needs, and no access entry", async () => {
  const registered = await record(group());
  expect(ofType(registered, "aws:eks/accessEntry:AccessEntry")).toEqual([]);
  const policies = (all: typeof registered) =>
    ofType(all, "aws:iam/rolePolicyAttachment:RolePolicyAttachment").map(({ inputs }) => inputs.policyArn);
  expect(policies(registered)).toEqual([
    "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly",
    "arn:aws:iam::aws:policy/AmazonEKSWorkerNodeMinimalPolicy",
  ]);
  // Nobody says that the network plugin has a role of its own, so it uses the nodes'.
  const { vpcCniRole: _, ...has } = EVERYTHING;
  const silent = await record(group({}, { has }));
  expect(policies(silent)).toContain("arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy");
});

test("uses a role that is given, and makes none", async () => {
  const nodeRole = "arn:aws:iam::111122223333:role/nodes";
  const registered = await record(group({ nodeRole }));
  expect(only(registered, NODE_GROUP).inputs.nodeRoleArn).toBe(nodeRole);
  expect(ofType(registered, "aws:iam/role:Role")).toEqual([]);
});

test("the node group waits for its role's policies", async () => {
  const registered = await record(group());
  const waitsFor = only(registered, NODE_GROUP).dependsOn.join("\n");
  for (const { name } of ofType(registered, "aws:iam/rolePolicyAttachment:RolePolicyAttachment"))
    expect(waitsFor).toContain(name);
});

test("tags of one's own are on everything that has some", async () => {
  const registered = await record(group({ tags: { owner: "search" } }));
  expect(only(registered, NODE_GROUP).inputs.tags).toEqual({ "capstan.dev/pool": "l40s", owner: "search" });
  const template = only(registered, LAUNCH_TEMPLATE).inputs as {
    tagSpecifications: { tags: Record<string, string> }[];
  };
  expect(template.tagSpecifications.map(({ tags }) => tags.owner)).toEqual(["search", "search", "search"]);
  expect(only(registered, "aws:iam/role:Role").inputs.tags).toMatchObject({ owner: "search" });
});

test("a transform has the last word on every child", async () => {
  const registered = await record(
    group({
      transform: {
        launchTemplate: (args) => ({ ...args, description: "mine" }),
        nodeGroup: (args) => ({ ...args, forceUpdateVersion: true }),
        autoscalerTag: (args, name) => ({ ...args, region: name }),
        nodeRole: { role: (args) => ({ ...args, path: "/nodes/" }) },
      },
    }),
  );
  expect(only(registered, LAUNCH_TEMPLATE).inputs.description).toBe("mine");
  expect(only(registered, NODE_GROUP).inputs.forceUpdateVersion).toBe(true);
  expect(only(registered, TAG, "l40s-enabled").inputs.region).toBe("l40s-enabled");
  expect(only(registered, "aws:iam/role:Role").inputs.path).toBe("/nodes/");
});

test("with a wrong pool nothing is registered, and everything wrong is said at once", async () => {
  let thrown: unknown;
  const pool = gpuPool<"g6.2xlarge">({
    name: "l4",
    instanceType: "g6.2xlarge",
    size: { min: 3, max: 2 },
    zones: ["eu-central-1z"],
    sharing: mig("1g.10gb") as never,
  });
  const registered = await record(() => {
    const cluster = testCluster();
    try {
      new GpuNodeGroup("l4", { cluster, pool });
    } catch (error) {
      thrown = error;
    }
  });
  expect(thrown).toBeInstanceOf(DeclarationError);
  const ids = (thrown as DeclarationError).findings.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["gpu.mig.unsupported", "pool.size.invalid", "node-group.zones.unknown"]));
  expect(registered.map(({ type }) => type)).toEqual([
    "capstan:eks:ExistingCluster",
    "pulumi:providers:kubernetes",
    "pulumi:pulumi:Stack",
  ]);
});

test("takes a pool that a platform has resolved", async () => {
  const { pool } = resolvePool(l40s as Pool);
  const registered = await record(group({ pool: pool as ResolvedPool }));
  expect(only(registered, NODE_GROUP).inputs.nodeGroupNamePrefix).toBe("l40s-");
});

test("a preview knows nothing of what EKS will make, and shows the rest", async () => {
  const registered = await record(group(), { preview: true });
  const node = only(registered, NODE_GROUP).inputs;
  expect(node.scalingConfig).toEqual({ minSize: 0, maxSize: 4, desiredSize: 0 });
  expect(ofType(registered, TAG)).toHaveLength(8);
});

// PUL-09
test("the same program registers the same, in the same order", async () => {
  expect(await record(group())).toEqual(await record(group()));
});
