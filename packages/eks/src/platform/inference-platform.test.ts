import { DeclarationError, gpuPool, hub, platform, poolToJson, ref, s3, secretKey, vllm } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { EksCluster } from "../cluster/eks-cluster.ts";
import { EVERYTHING, testCluster } from "../testing/cluster.ts";
import { fullPlatform } from "../testing/platform.ts";
import { ofType, only, type Registered, record } from "../testing/record.ts";
import { InferencePlatform, type InferencePlatformArgs } from "./inference-platform.ts";

const ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation";
const NODE_GROUP = "aws:eks/nodeGroup:NodeGroup";
const ROLE_POLICY = "aws:iam/rolePolicy:RolePolicy";

function registered(
  change: Partial<InferencePlatformArgs> = {},
  cluster: Parameters<typeof testCluster>[0] = {},
): Promise<Registered[]> {
  return record(() => {
    new InferencePlatform("inference", { cluster: testCluster(cluster), platform: fullPlatform(), ...change });
  });
}

async function mistakes(
  change: Partial<InferencePlatformArgs>,
  cluster: Parameters<typeof testCluster>[0] = {},
): Promise<{ readonly error: unknown; readonly registered: Registered[] }> {
  let error: unknown;
  const all = await record(() => {
    const existing = testCluster(cluster);
    try {
      new InferencePlatform("inference", { cluster: existing, platform: fullPlatform(), ...change });
    } catch (thrown) {
      error = thrown;
    }
  });
  return { error, registered: all };
}

let once: Promise<Registered[]> | null = null;
function full(): Promise<Registered[]> {
  once ??= registered();
  return once;
}

test("makes a node group of the right kind for each pool", async () => {
  const all = await full();
  expect(ofType(all, "capstan:eks:GpuNodeGroup").map(({ name }) => name)).toEqual([
    "inference-h100-mig",
    "inference-l40s",
  ]);
  expect(ofType(all, "capstan:eks:CpuNodeGroup").map(({ name }) => name)).toEqual(["inference-amx"]);
  expect(ofType(all, NODE_GROUP)).toHaveLength(3);
});

test("registers the platform, with the region and version that the cluster has", async () => {
  const { inputs } = only(await full(), "capstan:eks:InferencePlatform");
  expect(inputs.platform).toMatchObject({
    kind: "platform",
    platform: { context: { region: "eu-central-1", kubernetes: "1.34", environment: "test" } },
  });
});

test("gives each service account what it needs of AWS, and no other one anything", async () => {
  const associations = ofType(await full(), ASSOCIATION).map(({ inputs }) => [inputs.namespace, inputs.serviceAccount]);
  expect(associations).toEqual([
    ["capstan-system", "preload-l40s"],
    ["cluster-autoscaler", "cluster-autoscaler"],
  ]);
});

test("the preloader reads its prefix, and nothing else of the bucket", async () => {
  const { inputs } = only(await full(), ROLE_POLICY, "inference-capstan-system-preload-l40s");
  expect(JSON.parse(inputs.policy as string)).toEqual({
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "ListModels0",
        Effect: "Allow",
        Action: ["s3:ListBucket"],
        Resource: ["arn:aws:s3:::models-bucket"],
        Condition: { StringLike: { "s3:prefix": ["llama-3.1-8b", "llama-3.1-8b/*"] } },
      },
      {
        Sid: "ReadModels",
        Effect: "Allow",
        Action: ["s3:GetObject"],
        Resource: ["arn:aws:s3:::models-bucket/llama-3.1-8b/*"],
      },
    ],
  });
});

test("only that service account of that cluster may take the role", async () => {
  const { inputs } = only(await full(), "aws:iam/role:Role", "inference-capstan-system-preload-l40s");
  expect(JSON.parse(inputs.assumeRolePolicy as string).Statement).toEqual([
    {
      Sid: "Assume",
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
      Condition: {
        StringEquals: {
          "aws:RequestTag/eks-cluster-name": "prod",
          "aws:RequestTag/kubernetes-namespace": "capstan-system",
          "aws:RequestTag/kubernetes-service-account": "preload-l40s",
        },
      },
    },
  ]);
});

test("the autoscaler changes the groups of its own cluster only", async () => {
  const { inputs } = only(await full(), ROLE_POLICY, "inference-cluster-autoscaler");
  const statements = JSON.parse(inputs.policy as string).Statement as { Action: string[]; Condition?: unknown }[];
  const changes = statements.filter(({ Action }) => Action.includes("autoscaling:SetDesiredCapacity"));
  expect(changes).toHaveLength(1);
  expect(changes[0]!.Condition).toEqual({
    StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/prod": "owned" },
  });
});

test("a service without cache reads its bucket itself, also one that is made in the same program", async () => {
  const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 1, max: 1 } });
  const bucket = ref("models", pulumi.output("made-here"));
  const service = vllm({
    name: "qwen",
    team: "search",
    model: "Qwen/Qwen2.5-1.5B-Instruct",
    pool: l4,
    maxModelLen: 4096,
    source: s3({ bucket, prefix: "qwen" }),
  });
  const all = await registered({ platform: fullPlatform({ pools: [l4], services: [service] }) });
  expect(only(all, ASSOCIATION).inputs).toMatchObject({ namespace: "search", serviceAccount: "qwen" });
  const { Statement } = JSON.parse(only(all, ROLE_POLICY, "inference-search-qwen").inputs.policy as string);
  expect(Statement[1].Resource).toEqual(["arn:aws:s3:::made-here/qwen/*"]);
});

test("software comes after identities", async () => {
  const releases = ofType(await full(), "kubernetes:helm.sh/v3:Release");
  expect(releases.length).toBeGreaterThanOrEqual(4);
  for (const { name, dependsOn } of releases) {
    expect(dependsOn.join("\n"), name).toContain(`${ASSOCIATION}::inference-cluster-autoscaler`);
  }
});

test("a service waits for the nodes of its own pool, and everything else for none", async () => {
  const kubernetes = (await full()).filter(({ type }) => type.startsWith("kubernetes:"));
  const groups = ({ dependsOn }: Registered) =>
    dependsOn.filter((urn) => urn.includes(NODE_GROUP)).map((urn) => urn.split("::").at(-1));
  const deployments = kubernetes.filter(({ type }) => type === "kubernetes:apps/v1:Deployment");
  expect(Object.fromEntries(deployments.map((it) => [it.name, groups(it)]))).toEqual({
    "inference-services-search/search/llama-8b": ["inference-l40s"],
    "inference-services-search/search/qwen-small": ["inference-h100-mig"],
    "inference-services-support/support/phi-3-mini": ["inference-amx"],
  });
  const shared = kubernetes.filter(({ name }) => !name.startsWith("inference-services-"));
  expect(shared.length).toBeGreaterThan(10);
  for (const it of shared) expect(groups(it), it.name).toEqual([]);
});

test("has the cluster's tags, and its own go before them", async () => {
  const all = await registered({ tags: { owner: "search" } }, { tags: { owner: "platform", costCenter: "42" } });
  const own = { owner: "search", costCenter: "42" };
  expect(only(all, NODE_GROUP, "inference-l40s").inputs.tags).toMatchObject(own);
  expect(only(all, "aws:iam/role:Role", "inference-cluster-autoscaler").inputs.tags).toEqual(own);
});

test("a cluster that is made here hands on its tags too", async () => {
  const all = await record(() => {
    const tags = { owner: "platform" };
    const cluster = new EksCluster("prod", { region: "eu-central-1", vpc: { zones: ["a", "b"] }, tags });
    new InferencePlatform("inference", { cluster, platform: fullPlatform() });
  });
  expect(only(all, NODE_GROUP, "inference-l40s").inputs.tags).toMatchObject({ owner: "platform" });
});

test("the autoscaler is told the cluster that its groups are tagged with", async () => {
  const all = await full();
  const release = ofType(all, "kubernetes:helm.sh/v3:Release").find(
    ({ inputs }) => inputs.chart === "cluster-autoscaler",
  )!;
  expect(release.inputs.values).toMatchObject({ autoDiscovery: { clusterName: "prod" }, awsRegion: "eu-central-1" });
  const tags = ofType(all, "aws:autoscaling/tag:Tag").map(({ inputs }) => (inputs.tag as { key: string }).key);
  expect(tags.filter((key) => key === "k8s.io/cluster-autoscaler/prod")).toHaveLength(3);
});

test("without an autoscaler the declared number of nodes is the number of nodes", async () => {
  const all = await registered({ platform: fullPlatform({ clusterAutoscaler: "none" }) });
  expect(ofType(all, NODE_GROUP).map(({ ignoreChanges }) => ignoreChanges)).toEqual([[], [], []]);
  expect(ofType(all, "aws:autoscaling/tag:Tag")).toEqual([]);
  expect(ofType(all, ASSOCIATION).map(({ inputs }) => inputs.serviceAccount)).toEqual(["preload-l40s"]);
});

test("takes a platform that is resolved already", async () => {
  const resolved = platform(fullPlatform({ region: "eu-central-1" }));
  const all = await registered({ platform: resolved });
  expect(ofType(all, NODE_GROUP)).toHaveLength(3);
  const l40s = resolved.pools.find(({ name }) => name === "l40s")!;
  expect(only(all, "capstan:eks:GpuNodeGroup", "inference-l40s").inputs.pool).toEqual(poolToJson(l40s));
});

test("a transform reaches the children of every kind", async () => {
  const all = await registered({
    transform: {
      nodeGroups: {
        nodeGroup: (args, name) => (name === "inference-amx" ? { ...args, forceUpdateVersion: true } : args),
      },
      podRoles: { role: (args) => ({ ...args, permissionsBoundary: "arn:aws:iam::111122223333:policy/boundary" }) },
      services: { addons: { keda: (values) => ({ ...values, marked: true }) } },
    },
  });
  expect(only(all, NODE_GROUP, "inference-amx").inputs.forceUpdateVersion).toBe(true);
  expect(only(all, NODE_GROUP, "inference-l40s").inputs).not.toHaveProperty("forceUpdateVersion");
  expect(only(all, "aws:iam/role:Role", "inference-cluster-autoscaler").inputs.permissionsBoundary).toContain(
    "boundary",
  );
  const keda = ofType(all, "kubernetes:helm.sh/v3:Release").find(({ inputs }) => inputs.chart === "keda")!;
  expect(keda.inputs.values).toMatchObject({ marked: true });
});

test("everything that is wrong is said at once, and nothing is registered", async () => {
  const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 2, max: 1 }, zones: ["eu-central-1z"] });
  const props = fullPlatform();
  const { error, registered: all } = await mistakes(
    { platform: { ...props, region: "us-east-1", pools: [...props.pools, l4] }, secrets: { nobody: { token: "x" } } },
    { has: { ...EVERYTHING, metricsServer: false, podIdentityAgent: false } },
  );
  expect(error).toBeInstanceOf(DeclarationError);
  const ids = (error as DeclarationError).findings.filter(({ severity }) => severity === "error").map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining([
      "pool.size.invalid",
      "node-group.zones.unknown",
      "cluster.region.differs",
      "cluster.feature.missing",
      "platform.secrets.unused",
    ]),
  );
  expect(ids.filter((id) => id === "cluster.feature.missing")).toHaveLength(2);
  expect(all.map(({ type }) => type)).toEqual([
    "capstan:eks:ExistingCluster",
    "pulumi:providers:kubernetes",
    "pulumi:pulumi:Stack",
  ]);
});

test("add-ons that the cluster's version has none of are found before anything is registered", async () => {
  const { error, registered: all } = await mistakes(
    { platform: fullPlatform({ kubernetes: "1.20" }) },
    { version: "1.20" },
  );
  expect(error).toBeInstanceOf(Error);
  expect(all.some(({ type }) => type.startsWith("aws:"))).toBe(false);
});

test("a secret's key that a service reads has to be there", async () => {
  const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 1, max: 1 } });
  const source = hub({ token: secretKey("hf-token", "token") });
  const service = vllm({
    name: "qwen",
    team: "search",
    model: "Qwen/Qwen2.5-1.5B-Instruct",
    pool: l4,
    maxModelLen: 4096,
    source,
  });
  const props = fullPlatform({ pools: [l4], services: [service] });
  const { error } = await mistakes({ platform: props, secrets: { "hf-token": { wrong: "x" } } });
  const found = (error as DeclarationError).findings.filter(({ id }) => id === "platform.secrets.key-missing");
  expect(found).toMatchObject([{ path: "secrets.hf-token", message: 'has no key "token", which is read' }]);
});

// PUL-05
test("a secret's value is nowhere in the clear", async () => {
  const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 1, max: 1 } });
  const source = hub({ token: secretKey("hf-token", "token") });
  const service = vllm({
    name: "qwen",
    team: "search",
    model: "Qwen/Qwen2.5-1.5B-Instruct",
    pool: l4,
    maxModelLen: 4096,
    source,
  });
  const all = await registered({
    platform: fullPlatform({ pools: [l4], services: [service] }),
    secrets: { "hf-token": { token: "hf_very_secret" } },
  });
  const holders = all.filter(({ inputs }) => JSON.stringify(inputs).includes("hf_very_secret"));
  expect(holders.map(({ type }) => type)).toEqual(["kubernetes:core/v1:Secret"]);
  const marked = (holders[0]!.inputs.stringData as { token: Record<string, unknown> }).token;
  expect(marked["4dabf18193072939515e22adb298388d"]).toBe("1b47061264138c4ac30d75fd1eb44270");
});

test("a second platform on the cluster must not install the same add-ons again", async () => {
  let error: unknown;
  await record(() => {
    const cluster = testCluster();
    new InferencePlatform("inference", { cluster, platform: fullPlatform() });
    try {
      new InferencePlatform("more", { cluster, platform: fullPlatform() });
    } catch (thrown) {
      error = thrown;
    }
    // A platform on a cluster of its own may.
    new InferencePlatform("other", { cluster: testCluster({ clusterName: "other" }), platform: fullPlatform() });
  });
  expect(error).toBeInstanceOf(DeclarationError);
  expect((error as DeclarationError).findings.map(({ id }) => id)).toContain("cluster.addons.twice");
});
