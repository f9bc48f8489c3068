import { DeclarationError } from "@capstan/core";
import { expect, test } from "vitest";
import { ofType, only, type Registered, record } from "../testing/record.ts";
import { LOG_TYPES } from "./control-plane.ts";
import { EksCluster } from "./eks-cluster.ts";
import type { EksClusterArgs } from "./props.ts";

const CLUSTER = "aws:eks/cluster:Cluster";
const NODE_GROUP = "aws:eks/nodeGroup:NodeGroup";
const ADDON = "aws:eks/addon:Addon";

const args: EksClusterArgs = { region: "eu-central-1", vpc: { zones: ["a", "b", "c"] } };

let byDefault: Promise<Registered[]> | null = null;

/** The cluster of `args`, recorded once. */
function plain(): Promise<Registered[]> {
  byDefault ??= cluster({});
  return byDefault;
}

function cluster(change: Partial<EksClusterArgs>, options: { preview?: boolean } = {}): Promise<Registered[]> {
  return record(() => {
    new EksCluster("prod", { ...args, ...change });
  }, options);
}

async function errorsOf(change: Partial<EksClusterArgs>): Promise<{ ids: string[]; registered: Registered[] }> {
  let thrown: unknown;
  const registered = await record(() => {
    try {
      new EksCluster("prod", { ...args, ...change });
    } catch (error) {
      thrown = error;
    }
  });
  expect(thrown).toBeInstanceOf(DeclarationError);
  const ids = (thrown as DeclarationError).findings.filter(({ severity }) => severity === "error").map(({ id }) => id);
  return { ids, registered };
}

test("a control plane that is private, logged, encrypted and reached by its API only", async () => {
  const registered = await plain();
  const { inputs, ignoreChanges, protect } = only(registered, CLUSTER);
  expect(inputs).toMatchObject({
    name: "prod",
    version: "1.34",
    vpcConfig: { endpointPrivateAccess: true, endpointPublicAccess: false },
    accessConfig: { authenticationMode: "API" },
    enabledClusterLogTypes: ["api", "audit", "authenticator", "controllerManager", "scheduler"],
    encryptionConfig: { provider: { keyArn: "arn:aws:test:::prod-secrets" }, resources: ["secrets"] },
    bootstrapSelfManagedAddons: false,
  });
  expect(inputs.vpcConfig).not.toHaveProperty("publicAccessCidrs");
  expect(only(registered, "aws:kms/key:Key").inputs).toMatchObject({ enableKeyRotation: true });
  // NODE-20
  expect(ignoreChanges).toContain("bootstrapSelfManagedAddons");
  expect(protect).toBe(false);
  expect(LOG_TYPES).toHaveLength(5);
});

test("keeps logs for a time, and makes their group before EKS would", async () => {
  const registered = await cluster({ logRetentionDays: 30 });
  const group = only(registered, "aws:cloudwatch/logGroup:LogGroup");
  expect(group.inputs).toMatchObject({ name: "/aws/eks/prod/cluster", retentionInDays: 30 });
  expect(only(registered, CLUSTER).dependsOn.some((urn) => urn.includes("logGroup"))).toBe(true);
  expect(only(await plain(), "aws:cloudwatch/logGroup:LogGroup").inputs.retentionInDays).toBe(90);
});

test("production cannot be deleted by mistake, and loses one zone at a time", async () => {
  const registered = await cluster({ production: true });
  expect(only(registered, CLUSTER)).toMatchObject({ protect: true, inputs: { deletionProtection: true } });
  expect(only(registered, "aws:kms/key:Key").protect).toBe(true);
  expect(ofType(registered, "aws:ec2/natGateway:NatGateway")).toHaveLength(3);
  expect(ofType(await plain(), "aws:ec2/natGateway:NatGateway")).toHaveLength(1);
});

test("production protects the cluster and its key, and nothing that has to be replaceable", async () => {
  const registered = await cluster({
    production: true,
    accessEntries: [{ name: "platform", principalArn: "arn:aws:iam::111122223333:role/platform" }],
  });
  for (const type of [
    ADDON,
    "aws:eks/accessEntry:AccessEntry",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
    "aws:iam/role:Role",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  ]) {
    expect(ofType(registered, type), type).not.toHaveLength(0);
  }
  const held = registered.filter(({ protect }) => protect).map(({ type, name }) => `${type} ${name}`);
  expect(held).toEqual([`${CLUSTER} prod`, "aws:kms/key:Key prod-secrets"]);
});

test("the API server is reachable from named blocks only", async () => {
  const registered = await cluster({ endpoint: { publicCidrs: ["203.0.113.0/24"] } });
  expect(only(registered, CLUSTER).inputs.vpcConfig).toMatchObject({
    endpointPublicAccess: true,
    publicAccessCidrs: ["203.0.113.0/24"],
  });
  const open = { endpoint: { publicCidrs: ["203.0.113.0/24", "0.0.0.0/0"] } };
  expect((await errorsOf(open)).ids).toEqual(["cluster.endpoint.open"]);
  const accepted = await cluster({ ...open, acknowledge: { "cluster.endpoint.open": "a demo, gone tonight" } });
  expect(only(accepted, CLUSTER).inputs.vpcConfig).toMatchObject({
    publicAccessCidrs: ["203.0.113.0/24", "0.0.0.0/0"],
  });
});

test("a network with private nodes, by zone, in the order given", async () => {
  const registered = await cluster({ vpc: { zones: ["c", "eu-central-1a"], cidr: "10.8.0.0/16" } });
  const subnets = ofType(registered, "aws:ec2/subnet:Subnet").map(({ inputs }) => inputs);
  const cidrs = ofType(registered, "aws:ec2/subnet:Subnet").map(({ name, inputs }) => [name, inputs.cidrBlock]);
  expect(Object.fromEntries(cidrs)).toEqual({
    "prod-private-eu-central-1c": "10.8.0.0/19",
    "prod-private-eu-central-1a": "10.8.32.0/19",
    "prod-public-eu-central-1c": "10.8.224.0/24",
    "prod-public-eu-central-1a": "10.8.225.0/24",
  });
  expect(subnets.every(({ mapPublicIpOnLaunch }) => mapPublicIpOnLaunch === false)).toBe(true);
  expect(only(registered, NODE_GROUP).inputs.subnetIds).toEqual([
    "prod-private-eu-central-1c-id",
    "prod-private-eu-central-1a-id",
  ]);
  expect(only(registered, "aws:ec2/vpcEndpoint:VpcEndpoint").inputs).toMatchObject({
    serviceName: "com.amazonaws.eu-central-1.s3",
    vpcEndpointType: "Gateway",
    routeTableIds: ["prod-private-eu-central-1c-id", "prod-private-eu-central-1a-id"],
  });
});

test("takes subnets that are there, and makes no network", async () => {
  const registered = await record(() => {
    new EksCluster("prod", {
      region: "eu-central-1",
      network: {
        vpcId: "vpc-9",
        privateSubnetIds: { "eu-central-1b": "subnet-b", "eu-central-1a": "subnet-a" },
        publicSubnetIds: ["subnet-p"],
      },
    });
  });
  expect(registered.filter(({ type }) => type.startsWith("aws:ec2/") && !type.includes("launchTemplate"))).toEqual([]);
  expect(only(registered, CLUSTER).inputs.vpcConfig).toMatchObject({ subnetIds: ["subnet-b", "subnet-a", "subnet-p"] });
  expect(only(registered, NODE_GROUP).inputs.subnetIds).toEqual(["subnet-b", "subnet-a"]);
});

test("a system pool that everything can run on and that is never empty", async () => {
  const registered = await plain();
  const system = only(registered, NODE_GROUP);
  expect(system.inputs).toMatchObject({
    nodeGroupNamePrefix: "system-",
    instanceTypes: ["m7i.large"],
    capacityType: "ON_DEMAND",
    scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
  });
  expect(system.inputs).not.toHaveProperty("taints");
  const template = only(registered, "aws:ec2/launchTemplate:LaunchTemplate").inputs;
  expect(template.metadataOptions).toMatchObject({ httpTokens: "required", httpPutResponseHopLimit: 1 });
});

test("the add-ons that the rest counts on, pinned, with identities of their own", async () => {
  const registered = await plain();
  const addons = Object.fromEntries(ofType(registered, ADDON).map(({ inputs }) => [inputs.addonName, inputs]));
  expect(Object.keys(addons).sort()).toEqual([
    "aws-ebs-csi-driver",
    "coredns",
    "eks-node-monitoring-agent",
    "eks-pod-identity-agent",
    "kube-proxy",
    "metrics-server",
    "vpc-cni",
  ]);
  // catalog, eks.json, for Kubernetes 1.34
  expect(addons["vpc-cni"]).toMatchObject({
    addonVersion: "v1.23.0-eksbuild.1",
    podIdentityAssociations: [{ serviceAccount: "aws-node", roleArn: "arn:aws:iam::111122223333:role/prod-vpc-cni" }],
  });
  expect(JSON.parse(addons["vpc-cni"]!.configurationValues as string)).toEqual({ enableNetworkPolicy: "true" });
  expect(addons["aws-ebs-csi-driver"]).toMatchObject({
    podIdentityAssociations: [{ serviceAccount: "ebs-csi-controller-sa" }],
  });
  const nodeRole = registered.filter(({ name }) => name.startsWith("prod-node-"));
  expect(nodeRole.map(({ inputs }) => inputs.policyArn)).not.toContain("arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy");
});

test("a version given goes before the pin; without one EKS chooses", async () => {
  const given = await cluster({ addonVersions: { coredns: "v9.9.9-eksbuild.1" } });
  expect(only(given, ADDON, "prod-coredns").inputs.addonVersion).toBe("v9.9.9-eksbuild.1");
  const unknown = await cluster({ version: "1.99" });
  expect(only(unknown, ADDON, "prod-coredns").inputs).not.toHaveProperty("addonVersion");
});

test("nodes wait for network plugin and credentials, pods of add-ons for nodes", async () => {
  const registered = await plain();
  const waits = (type: string, name?: string) =>
    only(registered, type, name).dependsOn.map((urn) => urn.split("::").at(-1));
  expect(waits(ADDON, "prod-vpc-cni")).toContain("prod-eks-pod-identity-agent");
  expect(waits(NODE_GROUP)).toEqual(
    expect.arrayContaining(["prod-vpc-cni", "prod-kube-proxy", "prod-eks-pod-identity-agent"]),
  );
  expect(waits(ADDON, "prod-coredns")).toContain("prod-system");
  expect(waits("kubernetes:storage.k8s.io/v1:StorageClass")).toContain("prod-aws-ebs-csi-driver");
});

// CACHE-07
test("volumes are encrypted, and made where their pod is", async () => {
  expect(only(await plain(), "kubernetes:storage.k8s.io/v1:StorageClass").inputs).toMatchObject({
    metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "ebs.csi.aws.com",
    parameters: { type: "gp3", encrypted: "true" },
    volumeBindingMode: "WaitForFirstConsumer",
  });
});

test("a provider with a fixed identity, and a kubeconfig without a token", async () => {
  const provider = only(await plain(), "pulumi:providers:kubernetes").inputs as Record<string, string>;
  expect(provider).toMatchObject({
    clusterIdentifier: "arn:aws:eks:eu-central-1:111122223333:cluster/prod",
    enableServerSideApply: "true",
    enableConfigMapMutable: "true",
    enableSecretMutable: "true",
  });
  const config = JSON.parse(provider.kubeconfig!);
  expect(config.users[0].user).toEqual({
    exec: {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      command: "aws",
      args: ["eks", "get-token", "--region", "eu-central-1", "--cluster-name", "prod", "--output", "json"],
      interactiveMode: "Never",
    },
  });
});

test("access entries for people, none for nodes", async () => {
  const registered = await cluster({
    accessEntries: [
      { name: "platform", principalArn: "arn:aws:iam::111122223333:role/platform" },
      { name: "search", principalArn: "arn:aws:iam::111122223333:role/search", policy: "edit", namespaces: ["search"] },
    ],
  });
  const entries = ofType(registered, "aws:eks/accessEntry:AccessEntry").map(({ inputs }) => inputs);
  expect(entries.map(({ principalArn, type }) => [principalArn, type])).toEqual([
    ["arn:aws:iam::111122223333:role/platform", "STANDARD"],
    ["arn:aws:iam::111122223333:role/search", "STANDARD"],
  ]);
  const policies = ofType(registered, "aws:eks/accessPolicyAssociation:AccessPolicyAssociation").map(
    ({ inputs }) => inputs,
  );
  expect(policies.map(({ policyArn, accessScope }) => [policyArn, accessScope])).toEqual([
    ["arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy", { type: "cluster" }],
    ["arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy", { type: "namespace", namespaces: ["search"] }],
  ]);
});

test("the load balancer controller knows its cluster, and can be left out", async () => {
  const registered = await plain();
  expect(only(registered, "kubernetes:helm.sh/v3:Release").inputs).toMatchObject({
    chart: "aws-load-balancer-controller",
    values: {
      clusterName: "prod",
      region: "eu-central-1",
      vpcId: "prod-id",
      serviceAccount: { name: "aws-load-balancer-controller" },
    },
  });
  expect(only(registered, "aws:eks/podIdentityAssociation:PodIdentityAssociation").inputs).toMatchObject({
    clusterName: "prod",
    namespace: "aws-load-balancer-controller",
    serviceAccount: "aws-load-balancer-controller",
  });
  expect(ofType(await cluster({ loadBalancerController: false }), "kubernetes:helm.sh/v3:Release")).toEqual([]);
});

test("every mistake at once, and nothing registered", async () => {
  const { ids, registered } = await errorsOf({
    clusterName: "-wrong",
    vpc: { zones: ["a", "a", "us-east-1b"], cidr: "10.0.0.1/16" },
    endpoint: { publicCidrs: ["everywhere"] },
    systemPool: { size: { min: 0, max: 2 } },
    accessEntries: [
      { name: "x", principalArn: "arn:aws:iam::111122223333:role/a" },
      { name: "x", principalArn: "arn:aws:iam::111122223333:role/b" },
    ],
  });
  expect([...ids].sort()).toEqual([
    "cluster.access.duplicate",
    "cluster.endpoint.cidr",
    "cluster.name.invalid",
    "cluster.system-pool.empty",
    "cluster.vpc.cidr",
    "cluster.vpc.zones",
    "cluster.vpc.zones",
  ]);
  expect(registered.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
});

test("one network, not two and not none", async () => {
  const network = { vpcId: "vpc-1", privateSubnetIds: ["subnet-1"] };
  expect((await errorsOf({ network })).ids).toEqual(["cluster.network.two"]);
  let thrown: unknown;
  await record(() => {
    try {
      new EksCluster("prod", { region: "eu-central-1" });
    } catch (error) {
      thrown = error;
    }
  });
  const errors = (thrown as DeclarationError).findings.filter(({ severity }) => severity === "error");
  expect(errors.map(({ id }) => id)).toEqual(["cluster.network.missing"]);
});

test("a transform has the last word", async () => {
  const registered = await cluster({
    tags: { owner: "platform" },
    transform: {
      cluster: (it) => ({ ...it, upgradePolicy: { supportType: "STANDARD" } }),
      systemNodeGroup: { nodeGroup: (it) => ({ ...it, forceUpdateVersion: true }) },
      addon: (it, name) => (name === "prod-coredns" ? { ...it, preserve: true } : it),
      storageClass: (it) => ({ ...it, allowVolumeExpansion: false }),
      loadBalancerController: (values) => {
        values.replicaCount = 3;
      },
    },
  });
  expect(only(registered, CLUSTER).inputs).toMatchObject({
    upgradePolicy: { supportType: "STANDARD" },
    tags: { owner: "platform" },
  });
  expect(only(registered, NODE_GROUP).inputs.forceUpdateVersion).toBe(true);
  expect(only(registered, ADDON, "prod-coredns").inputs.preserve).toBe(true);
  expect(only(registered, ADDON, "prod-vpc-cni").inputs).not.toHaveProperty("preserve");
  expect(only(registered, "kubernetes:storage.k8s.io/v1:StorageClass").inputs.allowVolumeExpansion).toBe(false);
  expect(only(registered, "kubernetes:helm.sh/v3:Release").inputs.values).toMatchObject({ replicaCount: 3 });
});

test("a preview shows everything but what only AWS knows", async () => {
  const registered = await cluster({}, { preview: true });
  expect(only(registered, NODE_GROUP).inputs).toMatchObject({ clusterName: "prod", scalingConfig: { minSize: 2 } });
  expect(ofType(registered, ADDON)).toHaveLength(7);
});

test("the same program registers the same", async () => {
  expect(await plain()).toEqual(await cluster({}));
});
