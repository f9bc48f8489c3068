import {
  gpuPool,
  hub,
  nvmeCache,
  type PreloadedModel,
  platform,
  type ResolvedPreloader,
  ref,
  s3,
  secretKey,
  vllm,
} from "@capstan/core";
import { expect, test } from "vitest";
import { refsOf } from "../refs.ts";
import { cachedPlatform, chart, chat, l40s, one, type Rendered, synthesised } from "../testing/fixtures.ts";
import { podOf, variable } from "../testing/pod.ts";
import { VllmService } from "../vllm-service.ts";
import { markerOf, sourceUrl } from "./marker.ts";
import { ModelCache } from "./model-cache.ts";
import { modelList } from "./model-list.ts";
import { PRELOAD_SCRIPT } from "./preload.sh.ts";

function preloader(): ResolvedPreloader {
  const [first] = cachedPlatform().preloaders;
  if (first === undefined) throw new Error("the platform has a cached service");
  return first;
}

function render(of: ResolvedPreloader = preloader()): Rendered[] {
  const c = chart();
  new ModelCache(c, "cache", of);
  return synthesised(c);
}

test("children: their ids are part of resource names", () => {
  const cache = new ModelCache(chart(), "cache", preloader());
  expect(cache.node.children.map((child) => child.node.id)).toEqual([
    "service-account",
    "config-map",
    "network-policy",
    "daemon-set",
  ]);
});

test("runs on every node of its pool and on no other, whatever its taints (SHARE-01)", () => {
  const taints = [{ key: "dedicated", value: "gpu", effect: "NoExecute" as const }];
  const pool = gpuPool({
    name: "tainted",
    instanceType: "g6e.2xlarge",
    size: { min: 1, max: 8 },
    localStorage: "raid0",
    taints,
  });
  const all = platform({ environment: "dev", pools: [pool], services: [vllm({ ...chat.props, pool })] });
  const pod = podOf(one(render(all.preloaders[0]), "DaemonSet"));
  expect(pod.nodeSelector).toEqual({ "capstan.dev/pool": "tainted" });
  expect(pod.tolerations).toEqual([
    { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
    { key: "dedicated", operator: "Equal", value: "gpu", effect: "NoExecute" },
  ]);
});

test("the only pod with a host path: one directory, as root without any capability", () => {
  const pod = podOf(one(render(), "DaemonSet"));
  expect(pod.volumes.filter((v: { hostPath?: unknown }) => v.hostPath)).toEqual([
    { name: "node", hostPath: { path: "/mnt/k8s-disks/0/capstan-models", type: "DirectoryOrCreate" } },
  ]);
  for (const { securityContext } of pod.containers) {
    expect(securityContext).toEqual({
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    });
  }
  expect(pod.securityContext.seccompProfile).toEqual({ type: "RuntimeDefault" });
  expect(pod.hostNetwork).toBeUndefined();
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(pod.enableServiceLinks).toBe(false);
});

test("one container for each tool that is needed, from a pinned image", () => {
  const both = podOf(one(render(), "DaemonSet")).containers;
  expect(both.map((c: { name: string }) => c.name)).toEqual(["s3", "hub"]);
  for (const { image } of both) expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
  const onlyS3 = platform({ environment: "dev", pools: [l40s], services: [chat] });
  const [container, ...others] = podOf(one(render(onlyS3.preloaders[0]), "DaemonSet")).containers;
  expect(others).toEqual([]);
  expect(container.name).toBe("s3");
  expect(variable(container, "SOURCE_KIND")).toBe("s3");
});

test("asks for what the plan took off the node, however many containers it has", () => {
  const sum = (objects: Rendered[], resource: string) =>
    podOf(one(objects, "DaemonSet")).containers.reduce(
      (total: number, c: { resources: { requests: Record<string, string> } }) =>
        total + Number.parseInt(c.resources.requests[resource] ?? "0", 10),
      0,
    );
  const onlyS3 = platform({ environment: "dev", pools: [l40s], services: [chat] });
  for (const objects of [render(), render(onlyS3.preloaders[0])]) {
    // 100m and 512Mi, which the pool's allocatable leaves out.
    expect(sum(objects, "cpu")).toBe(100);
    expect(sum(objects, "memory")).toBe(512);
  }
});

test("the script and the list come from a ConfigMap, and a change of either is another pod", () => {
  const objects = render();
  const { data } = one(objects, "ConfigMap");
  expect(data["preload.sh"]).toBe(PRELOAD_SCRIPT);
  expect(data["models.tsv"]).toBe(modelList(preloader().models));
  const workload = one(objects, "DaemonSet");
  const pod = podOf(workload);
  expect(pod.volumes).toContainEqual({ name: "files", configMap: { name: one(objects, "ConfigMap").metadata.name } });
  expect(pod.containers[0].command).toEqual(["/bin/sh", "/etc/capstan/preload.sh"]);
  expect(variable(pod.containers[0], "MODEL_LIST")).toBe("/etc/capstan/models.tsv");

  const sum = (of: Rendered) => of.spec.template.metadata.annotations["capstan.dev/models"];
  const fewer = { ...preloader(), models: preloader().models.slice(1) };
  expect(sum(one(render(fewer), "DaemonSet"))).not.toBe(sum(workload));
});

test("all nodes change at once, and selectors do not change with the models (PUL-07)", () => {
  const { spec } = one(render(), "DaemonSet");
  expect(spec.updateStrategy).toEqual({ type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } });
  expect(spec.selector.matchLabels).toEqual({
    "app.kubernetes.io/name": "model-preloader",
    "app.kubernetes.io/instance": "preload-l40s",
  });
  expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
});

test("its own volumes do not keep a node from being removed", () => {
  const workload = one(render(), "DaemonSet");
  const emptyDirs = podOf(workload)
    .volumes.filter((v: { emptyDir?: unknown }) => v.emptyDir)
    .map((v: { name: string }) => v.name);
  expect(
    workload.spec.template.metadata.annotations["cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"],
  ).toBe(emptyDirs.join(","));
});

test("nobody may call it", () => {
  const { spec } = one(render(), "NetworkPolicy");
  expect(spec.policyTypes).toEqual(["Ingress"]);
  expect(spec.ingress).toEqual([]);
});

test("hub tokens are required secret references, one variable a secret, and only in the hub's container (POD-14)", () => {
  const [s3Container, hubContainer] = podOf(one(render(), "DaemonSet")).containers;
  expect(hubContainer.env).toContainEqual({
    name: "HUB_TOKEN_0",
    valueFrom: { secretKeyRef: { name: "hf-token", key: "token" } },
  });
  expect(JSON.stringify(s3Container)).not.toContain("hf-token");
});

test("services wait for exactly the markers that the list makes the preloader write", () => {
  const all = cachedPlatform();
  const list = modelList(all.preloaders[0]?.models ?? [])
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const written = new Map(list.map((columns) => [columns[5], columns[9]]));
  for (const service of all.services) {
    if (service.kind !== "vllm") continue;
    const c = chart();
    new VllmService(c, "x", { service, context: all.context });
    const objects = synthesised(c);
    const wait = podOf(one(objects, "Deployment")).initContainers[0];
    const directory = one(objects, "PersistentVolume").spec.local.path;
    expect(variable(wait, "WANTED")).toBe(written.get(directory));
    expect(written.get(directory)).toBeTruthy();
  }
});

const llama: PreloadedModel = {
  slug: "llama",
  source: { kind: "s3", bucket: "b", prefix: "p" },
  path: null,
  hostPath: "/cache/llama",
  bytes: 12,
};
const gemma: PreloadedModel = {
  slug: "gemma",
  source: { kind: "hub", repository: "google/gemma", revision: "abc", token: secretKey("hf", "token") },
  path: "sub",
  hostPath: "/cache/gemma",
  bytes: null,
};

test("the list: ten columns, no empty one, a line for each model", () => {
  const other: PreloadedModel = {
    ...gemma,
    slug: "other",
    source: { ...gemma.source, token: secretKey("hf", "other") } as PreloadedModel["source"],
  };
  expect(modelList([llama, gemma, other, gemma])).toBe(
    [
      "llama\ts3\ts3://b/p\t-\t-\t/cache/llama\t12\t-\ts3://b/p\ts3://b/p 12 bytes",
      "gemma\thub\tgoogle/gemma\tabc\tsub\t/cache/gemma\t-\tHUB_TOKEN_0\thub://google/gemma@abc\thub://google/gemma@abc",
      "other\thub\tgoogle/gemma\tabc\tsub\t/cache/gemma\t-\tHUB_TOKEN_1\thub://google/gemma@abc\thub://google/gemma@abc",
      "gemma\thub\tgoogle/gemma\tabc\tsub\t/cache/gemma\t-\tHUB_TOKEN_0\thub://google/gemma@abc\thub://google/gemma@abc",
      "",
    ].join("\n"),
  );
});

test("a source has one spelling, with the revision that tells two models apart", () => {
  expect(sourceUrl({ kind: "s3", bucket: "b", prefix: "" })).toBe("s3://b");
  expect(sourceUrl({ kind: "hub", repository: "a/b", revision: null, token: null })).toBe("hub://a/b");
  expect(markerOf(llama)).toBe("s3://b/p 12 bytes");
  expect(markerOf({ ...llama, bytes: 13 })).not.toBe(markerOf(llama));
});

test("a bucket made in the same program is a token in the list, and its value is found beside it", () => {
  const bucket = ref("models-bucket", { an: "output" });
  const services = [vllm({ ...chat.props, cache: nvmeCache({ source: s3({ bucket, prefix: "llama" }) }) })];
  const all = platform({ environment: "dev", pools: [l40s], services });
  const c = chart();
  for (const of of all.preloaders) new ModelCache(c, "cache", of);
  expect(one(synthesised(c), "ConfigMap").data["models.tsv"]).toContain(`\ts3://\${ref:models-bucket}/llama\t`);
  expect(refsOf(c).get("models-bucket")?.value).toBe(bucket.value);
});

test("a preloader without models is refused", () => {
  expect(() => new ModelCache(chart(), "cache", { ...preloader(), models: [] })).toThrow(
    'preloader "preload-l40s" has no models; leave it out',
  );
});

test("a transform of each object is applied last", () => {
  const c = chart();
  const touch = (manifest: { metadata?: { annotations?: Record<string, string> } }) => {
    manifest.metadata = { ...manifest.metadata, annotations: { touched: "yes" } };
  };
  const transform = { daemonSet: touch, configMap: touch, serviceAccount: touch, networkPolicy: touch };
  new ModelCache(c, "cache", { preloader: preloader(), transform });
  const objects = synthesised(c);
  expect(objects).toHaveLength(4);
  for (const object of objects) expect(object.metadata.annotations, object.kind).toEqual({ touched: "yes" });
});

test("an unpinned hub source has no revision to ask for", () => {
  const services = [
    vllm({
      name: "qwen",
      team: "assist",
      model: "Qwen/Qwen2.5-7B-Instruct",
      pool: l40s,
      maxModelLen: 8192,
      cache: nvmeCache({ source: hub() }),
    }),
  ];
  const all = platform({ environment: "dev", pools: [l40s], services, acknowledge: {} });
  expect(modelList(all.preloaders[0]?.models ?? ("" as never)).split("\t")[3]).toBe("-");
});
