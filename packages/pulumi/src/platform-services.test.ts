import {
  cpuPool,
  fixed,
  gpuPool,
  hub,
  kubecost,
  nvmeCache,
  onnx,
  onQueue,
  type PlatformProps,
  platform,
  type ResolvedPlatform,
  ref,
  resolvePlatform,
  s3,
  secretKey,
  vllm,
} from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { PlatformServices, type PlatformServicesArgs } from "./platform-services.ts";
import { clusterProvider, find, type Recording, record, waitsFor } from "./testing/record.ts";

const TOKEN = "hf_aReallySecretToken";

function declared(more: Partial<PlatformProps> = {}): ResolvedPlatform {
  const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 }, localStorage: "raid0" });
  const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 4 } });
  const chat = vllm({
    name: "chat",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    maxModelLen: 8192,
    cache: nvmeCache({
      source: s3({ bucket: ref("models-bucket", pulumi.output("company-models")), prefix: "llama" }),
    }),
    scaling: onQueue({ min: 1, max: 4 }),
  });
  const assist = vllm({
    name: "assist",
    team: "support",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    maxModelLen: 8192,
    source: hub({ token: secretKey("hf-token", "token") }),
    scaling: fixed(1),
  });
  const embed = onnx({
    name: "embed",
    team: "search",
    model: "BAAI/bge-small-en-v1.5",
    task: "embeddings",
    pool: amx,
    scaling: fixed(2),
  });
  return platform({
    environment: "dev",
    region: "us-east-1",
    pools: [l40s, amx],
    services: [chat, assist, embed],
    cost: kubecost({ clusterId: "dev" }),
    ...more,
  });
}

function deploy(args: Partial<PlatformServicesArgs> = {}): Promise<Recording> {
  return record(
    () =>
      new PlatformServices(
        "inference",
        { platform: declared(), cluster: { name: "dev", region: "us-east-1" }, ...args },
        { provider: clusterProvider() },
      ),
  );
}

const names = (recording: Recording, kind: string) =>
  recording.resources.filter(({ type }) => type.endsWith(`:${kind}`)).map(({ name }) => name);

test("everything of a platform is there, under stable names", async () => {
  const recording = await deploy({ secrets: { "hf-token": { token: TOKEN } } });
  expect(names(recording, "Cdk8sChart")).toEqual([
    "inference-model-caches",
    "inference-namespaces",
    "inference-services-search",
    "inference-services-support",
  ]);
  expect(names(recording, "HelmAddon")).toEqual([
    "inference-cluster-autoscaler",
    "inference-gpu-operator",
    "inference-keda",
    "inference-kube-prometheus-stack",
    "inference-kubecost",
    "inference-prometheus-operator-crds",
  ]);
  expect(names(recording, "Namespace").sort()).toEqual([
    "inference-namespaces/capstan-system",
    "inference-namespaces/search",
    "inference-namespaces/support",
    "inference/cluster-autoscaler",
    "inference/gpu-operator",
    "inference/keda",
    "inference/kubecost",
    "inference/monitoring",
  ]);
  expect(names(recording, "Deployment").sort()).toEqual([
    "inference-services-search/search/chat",
    "inference-services-search/search/embed",
    "inference-services-support/support/assist",
  ]);
  expect(names(recording, "DaemonSet")).toHaveLength(1);
});

test("no object is without a provider, and every child is below the component", async () => {
  const recording = await deploy();
  const root = find(recording, "PlatformServices", "inference");
  const provider = find(recording, "kubernetes", "cluster");
  const parents = new Map(recording.resources.map(({ urn, parent }) => [urn, parent]));
  const kubernetes = recording.resources.filter(({ type }) => type.startsWith("kubernetes:"));
  expect(kubernetes.length).toBeGreaterThan(30);
  for (const { name, urn, options } of kubernetes) {
    expect(options.provider, name).toBe(provider.urn);
    let at = urn;
    while (at !== "" && at !== root.urn) at = parents.get(at) ?? "";
    expect(at, name).toBe(root.urn);
  }
});

test("definitions come before operators, and custom resources after the release that brings their kind", async () => {
  const recording = await deploy();
  const release = (name: string) => waitsFor(recording, find(recording, "Release", `inference-${name}`));
  expect(release("kube-prometheus-stack")).toContain("Release inference-prometheus-operator-crds");
  expect(release("keda")).toContain("Release inference-prometheus-operator-crds");
  expect(release("gpu-operator")).toContain("Namespace inference/gpu-operator");
  const scaled = waitsFor(recording, find(recording, "ScaledObject", "inference-services-search/search/chat"));
  expect(scaled).toContain("Release inference-keda");
  expect(scaled).toContain("Deployment inference-services-search/search/chat");
  const monitor = waitsFor(recording, find(recording, "PodMonitor", "inference-services-search/search/chat"));
  expect(monitor).toContain("Release inference-prometheus-operator-crds");
  expect(monitor).not.toContain("Release inference-keda");
});

test("pods wait for their namespace and for what makes nodes and GPUs", async () => {
  const recording = await deploy();
  const chat = waitsFor(recording, find(recording, "Deployment", "inference-services-search/search/chat"));
  expect(chat).toEqual(
    expect.arrayContaining([
      "Namespace inference-namespaces/search",
      "Release inference-cluster-autoscaler",
      "Release inference-gpu-operator",
    ]),
  );
  expect(chat).not.toContain("Release inference-keda");
});

test("a service waits for the nodes of its own pool only, add-ons and caches for none", async () => {
  class Nodes extends pulumi.CustomResource {
    constructor(pool: string) {
      super("aws:eks/nodeGroup:NodeGroup", pool, {});
    }
  }
  const recording = await record(() => {
    const nodes = new Map(["l40s", "amx"].map((pool) => [pool, new Nodes(pool)]));
    const args = { platform: declared(), cluster: { name: "dev" }, nodes };
    new PlatformServices("inference", args, { provider: clusterProvider() });
  });
  const waits = recording.resources
    .filter(({ type }) => type.startsWith("kubernetes:"))
    .map((it) => [it.name, waitsFor(recording, it).filter((name) => name.startsWith("NodeGroup"))] as const);
  const of = (name: string) => waits.filter(([it]) => it === name).flatMap(([, groups]) => groups);
  expect(new Set(of("inference-services-search/search/chat"))).toEqual(new Set(["NodeGroup l40s"]));
  expect(new Set(of("inference-services-search/search/embed"))).toEqual(new Set(["NodeGroup amx"]));
  expect(new Set(of("inference-services-support/support/assist"))).toEqual(new Set(["NodeGroup l40s"]));
  const others = waits.filter(([name]) => !name.startsWith("inference-services-"));
  expect(others.length).toBeGreaterThan(10);
  expect(others.flatMap(([, groups]) => groups)).toEqual([]);
});

test("nodes of a pool that the platform does not have are a mistake", async () => {
  const program = () => {
    const provider = clusterProvider();
    const nodes = new Map([["l40", provider]]);
    new PlatformServices("inference", { platform: declared(), cluster: { name: "dev" }, nodes }, { provider });
  };
  await expect(record(program)).rejects.toThrow("nodes: l40 is no pool of the platform; its pools are l40s, amx");
});

test("a secret is in every namespace that refers to it, and its value nowhere in clear", async () => {
  const recording = await deploy({ secrets: { "hf-token": { token: TOKEN } } });
  expect(names(recording, "Secret")).toEqual(["inference/support/hf-token"]);
  const secret = find(recording, "Secret", "inference/support/hf-token");
  expect(JSON.stringify(secret.inputs.stringData)).toContain("[secret]");
  expect(JSON.stringify(recording)).not.toContain(TOKEN);
  expect(waitsFor(recording, secret)).toEqual(["Namespace inference-namespaces/support"]);
  const assist = waitsFor(recording, find(recording, "Deployment", "inference-services-support/support/assist"));
  expect(assist).toContain("Secret inference/support/hf-token");
});

test("without values the secrets are there already", async () => {
  expect(names(await deploy(), "Secret")).toEqual([]);
});

test("a secret that nobody reads, and a key that is missing, are named together", async () => {
  await expect(deploy({ secrets: { "hf-tokens": { token: TOKEN }, "hf-token": { value: TOKEN } } })).rejects.toThrow(
    /secrets\.hf-tokens is referred to by no service and no cache; they refer to hf-token\n.*secrets\.hf-token has no key token, which namespace support reads/,
  );
});

test("the models' bucket is filled in where it is known only here", async () => {
  const recording = await deploy();
  const list = JSON.stringify(
    find(recording, "ConfigMap", "inference-model-caches/capstan-system/preload-l40s").inputs.data,
  );
  expect(list).toContain("s3://company-models/llama");
  expect(JSON.stringify(recording)).not.toContain("${ref:");
});

test("a node that is being filled does not hold up the deployment", async () => {
  const recording = await deploy();
  const [preloader] = recording.resources.filter(({ type }) => type.endsWith(":DaemonSet"));
  expect(preloader?.inputs.metadata).toMatchObject({ annotations: { "pulumi.com/skipAwait": "true" } });
  expect(waitsFor(recording, preloader!)).toContain("Namespace inference-namespaces/capstan-system");
  expect(find(recording, "Namespace", "inference-namespaces/capstan-system").inputs.metadata).toMatchObject({
    labels: { "pod-security.kubernetes.io/enforce": "privileged" },
  });
});

test("the cluster's name may come from the same program", async () => {
  class Cluster extends pulumi.CustomResource {
    constructor() {
      super("aws:eks/cluster:Cluster", "eks", {});
    }
  }
  const recording = await record(() => {
    const cluster = new Cluster();
    const args = { platform: declared(), cluster: { name: cluster.id } };
    new PlatformServices("inference", args, { provider: clusterProvider(), dependsOn: cluster });
  });
  const { values } = find(recording, "Release", "inference-cluster-autoscaler").inputs;
  expect(values).toMatchObject({ autoDiscovery: { clusterName: "[unknown]" }, cloudProvider: "aws" });
  for (const { type, name, urn } of recording.resources.filter(({ type }) => type.startsWith("kubernetes:"))) {
    const waits = waitsFor(recording, recording.resources.find((r) => r.urn === urn)!);
    expect(waits, `${type} ${name}`).toContain("Cluster eks");
  }
});

test("every kind of child can be changed", async () => {
  const label = { team: "changed" };
  const mark = (manifest: { metadata?: { labels?: Record<string, string> } }) => {
    manifest.metadata!.labels = { ...manifest.metadata?.labels, ...label };
  };
  const recording = await deploy({
    secrets: { "hf-token": { token: TOKEN } },
    transform: {
      namespaces: { namespace: mark },
      secret: mark,
      modelCaches: { daemonSet: mark },
      services: { deployment: mark },
      addons: {
        prometheusOperatorCrds: (values) => {
          values.crds.annotations.changed = "yes";
        },
        kubePrometheusStack: (values) => {
          values.kubeProxy.enabled = true;
        },
        clusterAutoscaler: (values) => {
          values.replicaCount = 9;
        },
        gpuOperator: (values) => {
          values.gfd.resources = {};
        },
        keda: (values) => ({ ...values, operator: { replicaCount: 9 } }),
        kubecost: (values) => {
          values.networkCosts.enabled = true;
        },
      },
    },
  });
  for (const [kind, name] of [
    ["Namespace", "inference-namespaces/search"],
    ["Secret", "inference/support/hf-token"],
    ["DaemonSet", "inference-model-caches/capstan-system/preload-l40s"],
    ["Deployment", "inference-services-search/search/embed"],
  ] as const) {
    expect(find(recording, kind, name).inputs.metadata, name).toMatchObject({ labels: label });
  }
  const values = (name: string) => find(recording, "Release", `inference-${name}`).inputs.values;
  expect(values("prometheus-operator-crds")).toMatchObject({ crds: { annotations: { changed: "yes" } } });
  expect(values("kube-prometheus-stack")).toMatchObject({ kubeProxy: { enabled: true } });
  expect(values("cluster-autoscaler")).toMatchObject({ replicaCount: 9 });
  expect(values("gpu-operator")).toMatchObject({ gfd: { resources: {} } });
  expect(values("keda")).toMatchObject({ operator: { replicaCount: 9 } });
  expect(values("kubecost")).toMatchObject({ networkCosts: { enabled: true } });
});

test("it registers the platform itself, without secrets", async () => {
  const recording = await deploy({ secrets: { "hf-token": { token: TOKEN } } });
  const { inputs, type } = find(recording, "PlatformServices", "inference");
  expect(type).toBe("capstan:kubernetes:PlatformServices");
  expect(inputs.platform).toMatchObject({ kind: "platform", schemaVersion: 1 });
  const documents = recording.resources
    .filter((resource) => resource.type.endsWith(":Cdk8sChart"))
    .flatMap(({ inputs }) => inputs.declarations as { services: { name: string }[] }[]);
  expect(documents.flatMap(({ services }) => services.map(({ name }) => name)).sort()).toEqual([
    "assist",
    "chat",
    "embed",
  ]);
});

test("a platform with errors, or with a namespace twice, registers nothing", async () => {
  const broken = resolvePlatform({
    environment: "dev",
    pools: [gpuPool({ name: "gpu", instanceType: "g6.2xlarge", size: { min: 3, max: 1 } })],
    services: [],
  });
  await expect(deploy({ platform: broken })).rejects.toThrow(/nothing was registered/);
  const taken = declared();
  const team = { ...taken, namespaces: [{ ...taken.namespaces[0]!, name: "keda" }] };
  await expect(deploy({ platform: team })).rejects.toThrow(/namespace keda of team search belongs to add-on keda/);
});

test("without a provider it refuses", async () => {
  await expect(
    record(() => new PlatformServices("inference", { platform: declared(), cluster: { name: "dev" } })),
  ).rejects.toThrow(/PlatformServices "inference" has no Kubernetes provider/);
});

test("two runs register the same", async () => {
  expect(JSON.stringify(await deploy())).toBe(JSON.stringify(await deploy()));
});
