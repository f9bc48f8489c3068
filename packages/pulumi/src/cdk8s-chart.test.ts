import { VllmService } from "@capstan/cdk8s";
import { fixed, gpuPool, inString, ref, vllm } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { ApiObject, App, Chart, Lazy } from "cdk8s";
import { Construct } from "constructs";
import { expect, test } from "vitest";
import { Cdk8sChart, type Cdk8sChartArgs } from "./cdk8s-chart.ts";
import type { Manifest } from "./kubernetes-object.ts";
import { configMap, deployment, newChart, object } from "./testing/charts.ts";
import { clusterProvider, find, record, waitsFor } from "./testing/record.ts";

const SECRET = "hf_aReallySecretToken";
/** Looks like tokens of ours, and is the user's own text. */
const SHELL = `echo \${HOME} \${capstan-output:99}`;

/** Something that exists only after a deployment: its id is unknown in a preview. */
class Bucket extends pulumi.CustomResource {
  constructor(name: string) {
    super("aws:s3/bucket:Bucket", name, {});
  }
}

function deploy(
  chart: Chart,
  args: Partial<Cdk8sChartArgs> = {},
  opts: pulumi.ComponentResourceOptions = {},
): Cdk8sChart {
  return new Cdk8sChart("search", { chart, ...args }, { provider: clusterProvider(), ...opts });
}

test("each object is a resource of its own kind, named by chart, namespace and object", async () => {
  const recording = await record(() => {
    const chart = newChart();
    configMap(chart, "settings");
    object(chart, "keda.sh/v1alpha1", "ScaledObject", "chat", { spec: {} });
    object(chart, "rbac.authorization.k8s.io/v1", "ClusterRole", "all");
    deploy(chart);
  });
  const component = find(recording, "Cdk8sChart", "search");
  expect(component.type).toBe("capstan:kubernetes:Cdk8sChart");
  const children = recording.resources.filter(({ parent }) => parent === component.urn);
  expect(children.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
    "kubernetes:core/v1:ConfigMap search/search/settings",
    "kubernetes:keda.sh/v1alpha1:ScaledObject search/search/chat",
    "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole search/all",
  ]);
  expect(children.every(({ custom }) => custom)).toBe(true);
  expect(find(recording, "ConfigMap", "search/search/settings").inputs).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings", namespace: "search" },
    data: {},
  });
});

test("an unknown value hides its own field and no other", async () => {
  const recording = await record(() => {
    const bucket = new Bucket("models");
    const chart = newChart();
    configMap(chart, "settings", {
      bucket: bucket.id,
      url: pulumi.interpolate`s3://${bucket.id}/llama`,
      region: "eu-central-1",
    });
    configMap(chart, "other", { a: "b" });
    deploy(chart);
  });
  expect(find(recording, "ConfigMap", "search/search/settings").inputs.data).toEqual({
    bucket: "[unknown]",
    url: "[unknown]",
    region: "eu-central-1",
  });
  expect(find(recording, "ConfigMap", "search/search/other").inputs.data).toEqual({ a: "b" });
  expect(waitsFor(recording, find(recording, "ConfigMap", "search/search/settings"))).toContain("Bucket models");
});

test("a secret is marked in its own field, and its value is nowhere", async () => {
  const recording = await record(() => {
    const token = pulumi.secret(SECRET);
    const chart = newChart();
    object(chart, "v1", "Secret", "hf-token", { stringData: { token } });
    configMap(chart, "settings", { token, user: "robot" });
    deployment(chart, "chat", {
      containers: [{ name: "server", args: ["--a=1", pulumi.interpolate`--token=${token}`, "--b=2"] }],
    });
    deploy(chart, {}, { dependsOn: [] });
  });
  expect(JSON.stringify(recording)).not.toContain(SECRET);
  const secret = find(recording, "Secret", "search/search/hf-token");
  expect(find(recording, "ConfigMap", "search/search/settings").inputs.data).toEqual({
    token: "[secret]",
    user: "robot",
  });
  expect(secret.options.additionalSecretOutputs).toEqual(["data", "stringData"]);
  expect(find(recording, "Deployment", "search/search/chat").inputs.spec).toMatchObject({
    template: { spec: { containers: [{ args: ["--a=1", "[secret]", "--b=2"] }] } },
  });
});

test("values keep their types, and outputs may stand for whole parts", async () => {
  const recording = await record(() => {
    const chart = newChart();
    deployment(chart, "chat", {}, { replicas: pulumi.output(3), paused: pulumi.output(false) });
    configMap(chart, "settings", pulumi.output({ a: "1", b: "2" })).metadata.addAnnotation(
      "from",
      pulumi.output("elsewhere") as unknown as string,
    );
    deploy(chart);
  });
  expect(find(recording, "Deployment", "search/search/chat").inputs.spec).toMatchObject({ replicas: 3, paused: false });
  const settings = find(recording, "ConfigMap", "search/search/settings").inputs;
  expect(settings.data).toEqual({ a: "1", b: "2" });
  expect(settings.metadata).toMatchObject({ annotations: { from: "elsewhere" } });
});

test("refs are filled in wherever they stand: as a field, and as a token in a text", async () => {
  const recording = await record(() => {
    const chart = newChart();
    const bucket = ref("models-bucket", pulumi.output("company-models"));
    const service = new Construct(chart, "service");
    service.node.addMetadata("capstan:ref", bucket);
    configMap(service, "settings", {
      bucket,
      url: `s3://${inString(bucket)}/llama`,
      twice: `${inString(bucket)}-${inString(bucket)}`,
      whole: inString(bucket),
      shell: SHELL,
    });
    deploy(chart);
  });
  expect(find(recording, "ConfigMap", "search/search/settings").inputs.data).toEqual({
    bucket: "company-models",
    url: "s3://company-models/llama",
    twice: "company-models-company-models",
    whole: "company-models",
    shell: SHELL,
  });
});

test("what cannot be filled in is named", async () => {
  const attempt = (build: (chart: Chart) => void) =>
    record(() => {
      const chart = newChart();
      build(chart);
      deploy(chart);
    });
  await expect(attempt((chart) => configMap(chart, "a", { url: inString(ref("gone", "x")) }))).rejects.toThrow(
    /search\/search\/a\.data\.url: \$\{ref:gone\} names a value that nothing gives/,
  );
  await expect(attempt((chart) => configMap(chart, "a", { key: ref("token", undefined) }))).rejects.toThrow(
    /value of ref "token" is not known/,
  );
  await expect(attempt((chart) => configMap(chart, "a", { url: `s3://${pulumi.output("x")}` }))).rejects.toThrow(
    /data\.url: an Output was put into a string/,
  );
  const namespace = pulumi.output("x") as unknown as string;
  await expect(
    attempt(
      (chart) => new ApiObject(chart, "a", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace } }),
    ),
  ).rejects.toThrow(/metadata\.namespace of ConfigMap in search\/a is no plain string/);
  const transform = (manifest: Manifest) => void Object.assign(manifest.metadata, { name: pulumi.output("b") });
  await expect(
    record(() => {
      const chart = newChart();
      configMap(chart, "a");
      deploy(chart, { transform });
    }),
  ).rejects.toThrow(/metadata\.name of ConfigMap in search\/configmap-a is no plain string/);
});

test("the caller's app is as it was, and its own resolvers still work", async () => {
  const app = new App();
  const chart = new Chart(app, "search", { namespace: "search" });
  await record(() => {
    configMap(chart, "settings", { now: Lazy.any({ produce: () => "lazy" }), later: pulumi.output("output") });
    const before = [...app.resolvers];
    deploy(chart);
    expect(app.resolvers).toEqual(before);
  });
  expect(() => chart.toJson()).toThrow(/can't render non-simple object/);
});

test("what is added to a chart afterwards is an error, not something that nobody deploys", async () => {
  await record(() => {
    const chart = newChart();
    configMap(chart, "settings");
    deploy(chart);
    expect(() => configMap(chart, "late")).toThrow(/Cannot add children/);
  });
});

test("without a provider nothing is registered", async () => {
  let message = "";
  const recording = await record(() => {
    const chart = newChart();
    configMap(chart, "settings");
    try {
      new Cdk8sChart("search", { chart });
    } catch (error) {
      message = String(error);
    }
  });
  expect(message).toMatch(
    /Cdk8sChart "search" has no Kubernetes provider.*give it one: \{ provider: cluster\.provider \}/,
  );
  expect(recording.resources.map(({ type }) => type)).toEqual(["pulumi:pulumi:Stack"]);
});

test("the provider may come in every way that Pulumi knows, and every object has it", async () => {
  class Parent extends pulumi.ComponentResource {
    constructor(opts: pulumi.ComponentResourceOptions) {
      super("test:index:Parent", "parent", {}, opts);
    }
  }
  const recording = await record(() => {
    const provider = clusterProvider();
    const chart = (id: string) => {
      const made = newChart(id);
      configMap(made, id);
      return { chart: made };
    };
    new Cdk8sChart("single", chart("single"), { provider });
    new Cdk8sChart("named", chart("named"), { providers: { kubernetes: provider } });
    new Cdk8sChart("listed", chart("listed"), { providers: [provider] });
    new Cdk8sChart("inherited", chart("inherited"), { parent: new Parent({ providers: [provider] }) });
  });
  const provider = find(recording, "kubernetes", "cluster");
  const objects = recording.resources.filter(({ type }) => type === "kubernetes:core/v1:ConfigMap");
  expect(objects).toHaveLength(4);
  for (const { options, name } of objects) {
    expect(options.provider, name).toBe(provider.urn);
    expect(options.version, name).toMatch(/^4\.\d+\.\d+$/);
  }
});

test("a provider of another package is no provider", async () => {
  class Other extends pulumi.ProviderResource {
    constructor() {
      super("random", "random", {});
    }
  }
  await expect(
    record(() => new Cdk8sChart("search", { chart: newChart() }, { provider: new Other() })),
  ).rejects.toThrow(/has no Kubernetes provider/);
});

test("objects wait for what they need and for what the options name", async () => {
  const recording = await record(() => {
    const bucket = new Bucket("models");
    const chart = newChart();
    deployment(chart, "chat", { serviceAccountName: "chat" });
    object(chart, "v1", "ServiceAccount", "chat");
    object(chart, "v1", "Namespace", "search");
    deploy(chart, {}, { dependsOn: bucket });
  });
  const chat = waitsFor(recording, find(recording, "Deployment", "search/search/chat"));
  expect(chat).toEqual(["Bucket models", "Namespace search/search", "ServiceAccount search/search/chat"]);
  const account = waitsFor(recording, find(recording, "ServiceAccount", "search/search/chat"));
  expect(account).toEqual(["Bucket models", "Namespace search/search"]);
});

test("a chart may depend on objects of another that is deployed before it", async () => {
  const build = () => {
    const app = new App();
    const first = new Chart(app, "first");
    const second = new Chart(app, "second");
    configMap(first, "a");
    configMap(second, "b");
    second.addDependency(first);
    return { first, second };
  };
  const recording = await record(() => {
    const { first, second } = build();
    const provider = clusterProvider();
    new Cdk8sChart("first", { chart: first }, { provider });
    new Cdk8sChart("second", { chart: second }, { provider });
  });
  expect(waitsFor(recording, find(recording, "ConfigMap", "second/b"))).toEqual(["ConfigMap first/a"]);
  await expect(
    record(() => new Cdk8sChart("second", { chart: build().second }, { provider: clusterProvider() })),
  ).rejects.toThrow(/second\/configmap-b depends on first\/configmap-a, which is in a chart that is not deployed yet/);
});

test("an autoscaler keeps the replicas of its workload, and only of that", async () => {
  const recording = await record(() => {
    const chart = newChart();
    deployment(chart, "chat");
    deployment(chart, "slm", {}, { replicas: 2 });
    deployment(chart, "fixed", {}, { replicas: 2 });
    object(chart, "keda.sh/v1alpha1", "ScaledObject", "chat", { spec: { scaleTargetRef: { name: "chat" } } });
    object(chart, "autoscaling/v2", "HorizontalPodAutoscaler", "slm", {
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "slm" }, maxReplicas: 3 },
    });
    deploy(chart);
  });
  const ignored = (name: string) => find(recording, "Deployment", `search/search/${name}`).options.ignoreChanges;
  expect(ignored("chat")).toEqual(["spec.replicas"]);
  expect(ignored("slm")).toEqual(["spec.replicas"]);
  expect(ignored("fixed")).toBeUndefined();
  expect(waitsFor(recording, find(recording, "ScaledObject", "search/search/chat"))).toEqual([
    "Deployment search/search/chat",
  ]);
});

test("a rollout may take as long as its deadline allows", async () => {
  const recording = await record(() => {
    const chart = newChart();
    deployment(chart, "chat", {}, { progressDeadlineSeconds: 1500 });
    configMap(chart, "settings");
    deploy(chart);
  });
  // 1500 s and ten minutes for a late image.
  expect(find(recording, "Deployment", "search/search/chat").options.customTimeouts).toEqual({
    create: "2100s",
    update: "2100s",
  });
  expect(find(recording, "ConfigMap", "search/search/settings").options.customTimeouts).toBeUndefined();
});

test("with skipAwait no workload is waited for", async () => {
  const annotations = async (skipAwait: boolean) => {
    const recording = await record(() => {
      const chart = newChart();
      deployment(chart, "chat");
      configMap(chart, "settings");
      object(chart, "v1", "Service", "chat", { spec: { selector: { app: "chat" } } });
      deploy(chart, { skipAwait });
    });
    return ["Deployment search/search/chat", "ConfigMap search/search/settings", "Service search/search/chat"].map(
      (id) => {
        const [kind = "", name = ""] = id.split(" ");
        return (find(recording, kind, name).inputs.metadata as { annotations?: object }).annotations;
      },
    );
  };
  const skip = { "pulumi.com/skipAwait": "true" };
  expect(await annotations(false)).toEqual([undefined, undefined, skip]);
  expect(await annotations(true)).toEqual([skip, undefined, skip]);
});

test("transform is applied last and may put outputs in", async () => {
  const recording = await record(() => {
    const chart = newChart();
    configMap(chart, "settings", { a: "1" });
    deployment(chart, "chat");
    deploy(chart, {
      transform: (manifest) => {
        if (manifest.kind === "ConfigMap") return { ...manifest, data: { b: pulumi.secret("2") } };
        manifest.metadata.labels = { changed: "yes" };
        return undefined;
      },
    });
  });
  expect(find(recording, "ConfigMap", "search/search/settings").inputs.data).toEqual({ b: "[secret]" });
  expect(find(recording, "Deployment", "search/search/chat").inputs.metadata).toMatchObject({
    labels: { changed: "yes" },
  });
});

test("a renamed chart keeps its objects", async () => {
  const recording = await record(() => {
    const chart = newChart();
    configMap(chart, "settings");
    new Cdk8sChart("new", { chart }, { provider: clusterProvider(), aliases: [{ name: "old" }] });
  });
  expect(find(recording, "Cdk8sChart", "new").options.aliases).toMatchObject([{ name: "old" }]);
  // The engine derives a child's former name from its parent's where the one begins with the other.
  expect(find(recording, "ConfigMap", "new/search/settings").name.startsWith("new")).toBe(true);
});

test("the services of the chart are its inputs, without a secret", async () => {
  const pool = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 } });
  const model = "Qwen/Qwen3-8B";
  const recording = await record(() => {
    const chart = newChart();
    for (const name of ["chat", "assist"]) {
      new VllmService(chart, name, vllm({ name, team: "search", model, pool, maxModelLen: 8192, scaling: fixed(1) }));
    }
    object(chart, "v1", "Secret", "hf-token", { stringData: { token: pulumi.secret(SECRET) } });
    deploy(chart);
  });
  const { declarations } = find(recording, "Cdk8sChart", "search").inputs as { declarations: readonly object[] };
  expect(declarations).toMatchObject([
    {
      kind: "services",
      schemaVersion: 1,
      pools: [{ name: "l40s" }],
      services: [
        { name: "chat", pool: "l40s" },
        { name: "assist", pool: "l40s" },
      ],
    },
  ]);
  expect(JSON.stringify(recording)).not.toContain(SECRET);
});

test("objects of nested charts are deployed too", async () => {
  const recording = await record(() => {
    const chart = newChart();
    configMap(new Chart(chart, "nested", { namespace: "nested" }), "inner");
    deploy(chart);
  });
  expect(find(recording, "ConfigMap", "search/nested/inner")).toBeDefined();
});

test("two objects that would be one are refused", async () => {
  await expect(
    record(() => {
      const chart = newChart();
      configMap(chart, "settings");
      configMap(new Construct(chart, "other"), "settings");
      deploy(chart);
    }),
  ).rejects.toThrow('Cdk8sChart "search" has two objects ConfigMap settings in namespace search');
});

test("two runs register the same", async () => {
  const run = () =>
    record(() => {
      const chart = newChart();
      for (const name of ["c", "a", "b"]) {
        configMap(chart, name, { value: pulumi.output(name), secret: pulumi.secret(name) });
        deployment(chart, name, { volumes: [{ name: "settings", configMap: { name } }] });
      }
      deploy(chart);
    });
  expect(JSON.stringify(await run())).toBe(JSON.stringify(await run()));
});
