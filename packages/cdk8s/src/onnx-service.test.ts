import {
  claimCache,
  cpuPool,
  customEngine,
  DeclarationError,
  fixed,
  hub,
  type Onnx,
  onnx,
  onQueue,
  ref,
  s3,
  secretKey,
} from "@capstan/core";
import type { Chart } from "cdk8s";
import { expect, test } from "vitest";
import { OnnxService } from "./onnx-service.ts";
import { refsOf } from "./refs.ts";
import { FETCH_SCRIPT } from "./service/fetch.sh.ts";
import { amx, chart, classifier, cpu, embeddings, one, phi, type Rendered, synthesised } from "./testing/fixtures.ts";
import { initOf, podOf, serverOf, variable } from "./testing/pod.ts";

function render(declaration: Onnx, c: Chart = chart()): Rendered[] {
  new OnnxService(c, declaration.name, declaration);
  return synthesised(c);
}

test("children of each engine: their ids are part of resource names", () => {
  const ids = (declaration: Onnx) =>
    new OnnxService(chart(), "x", declaration).node.children.map((child) => child.node.id);
  expect(ids(phi)).toEqual([
    "service-account",
    "deployment",
    "service",
    "network-policy",
    "pod-disruption-budget",
    "pod-monitor",
    "horizontal-pod-autoscaler",
  ]);
  expect(ids(classifier)).toEqual([
    "service-account",
    "server-files",
    "deployment",
    "service",
    "network-policy",
    "pod-monitor",
  ]);
});

test("whole cores, requests equal limits on every container: Guaranteed, so the cores can be exclusive (CPU-03)", () => {
  for (const declaration of [phi, classifier]) {
    const pod = podOf(one(render(declaration), "Deployment"));
    for (const { name, resources } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(Number.isInteger(resources.limits.cpu), name).toBe(true);
      expect(resources.requests, name).toEqual(resources.limits);
      expect(Object.keys(resources.limits).sort(), name).toEqual(["cpu", "ephemeral-storage", "memory"]);
    }
  }
});

test("a CPU service tolerates its own pool's taint and no GPU taint (OBS-10, CPU-10)", () => {
  const pod = podOf(one(render(phi), "Deployment"));
  expect(pod.tolerations).toEqual([
    { key: "capstan.dev/cpu-inference", operator: "Equal", value: "true", effect: "NoSchedule" },
  ]);
  expect(pod.nodeSelector).toEqual({ "capstan.dev/pool": "amx" });
});

test("a CPU service surges in a roll-out (POD-11)", () => {
  expect(one(render(phi), "Deployment").spec.strategy).toEqual({
    type: "RollingUpdate",
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
  });
});

test("HPA on CPU: target and range, and no replicas in the Deployment (SCALE-08, SCALE-12)", () => {
  const objects = render(phi);
  const { spec } = one(objects, "HorizontalPodAutoscaler");
  expect(spec).toMatchObject({
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "phi-3-mini" },
    minReplicas: 3,
    maxReplicas: 10,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } }],
  });
  expect(spec.behavior.scaleUp.policies).toHaveLength(1);
  expect(one(objects, "Deployment").spec).not.toHaveProperty("replicas");
  expect(serverOf(one(objects, "Deployment")).resources.requests.cpu).toBeGreaterThan(0);
});

test("KEDA on the engine's own queue", () => {
  const { spec } = one(render(embeddings), "ScaledObject");
  expect(spec.triggers[0].metadata.query).toContain("te_queue_size");
  expect(spec).toMatchObject({ minReplicaCount: 2, maxReplicaCount: 6 });
});

test("metrics on a port of their own are a named port, scraped by name, and open to the scraper only", () => {
  const objects = render(embeddings);
  const server = serverOf(one(objects, "Deployment"));
  expect(server.ports).toEqual([
    { name: "http", containerPort: 8080, protocol: "TCP" },
    { name: "metrics", containerPort: 9000, protocol: "TCP" },
  ]);
  expect(one(objects, "PodMonitor").spec.podMetricsEndpoints).toEqual([
    { port: "metrics", path: "/metrics", interval: "15s" },
  ]);
  expect(one(objects, "NetworkPolicy").spec.ingress).toEqual([
    { from: [{ podSelector: {} }], ports: [{ protocol: "TCP", port: 8080 }] },
    {
      from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
      ports: [{ protocol: "TCP", port: 9000 }],
    },
  ]);
  expect(one(objects, "Service").spec.ports).toEqual([
    { name: "http", port: 8080, targetPort: "http", protocol: "TCP" },
  ]);
});

test("metrics on the API's port share its name", () => {
  const objects = render(phi);
  expect(serverOf(one(objects, "Deployment")).ports).toEqual([{ name: "http", containerPort: 8000, protocol: "TCP" }]);
  expect(one(objects, "PodMonitor").spec.podMetricsEndpoints[0].port).toBe("http");
});

test("Triton: the model configuration is a file at its place in the repository, and the model is fetched beside it", () => {
  const objects = render(classifier);
  const workload = one(objects, "Deployment");
  const pod = podOf(workload);
  const server = serverOf(workload);
  const file = server.volumeMounts.find((m: { name: string }) => m.name === "server-files");
  const repository = "/models/BAAI--bge-base-en-v1.5";
  expect(file).toEqual({
    name: "server-files",
    mountPath: `${repository}/config.pbtxt`,
    subPath: "models.BAAI--bge-base-en-v1.5.config.pbtxt",
    readOnly: true,
  });
  const files = one(objects, "ConfigMap");
  expect(pod.volumes).toContainEqual({ name: "server-files", configMap: { name: files.metadata.name } });
  const config: string = files.data[file.subPath];
  expect(config).toContain('default_model_filename: "model_quantized.onnx"');

  // The file that the configuration names is the one that the init container leaves at the top of the version's directory.
  const fetch = initOf(workload, "fetch-model");
  expect(variable(fetch, "SOURCE_PATH")).toMatch(/(^|\/)model_quantized\.onnx$/);
  expect(variable(fetch, "DIRECTORY")).toBe(`${repository}/1`);
  expect(variable(fetch, "SOURCE_KIND")).toBe("hub");
  expect(fetch.image).toMatch(/:v?\d+\.\d+/);
  expect(fetch.volumeMounts).toContainEqual({ name: "models", mountPath: `${repository}/1` });
  expect(fetch.securityContext).toEqual(server.securityContext);
});

test("other configuration is another pod", () => {
  const annotation = (declaration: Onnx) =>
    one(render(declaration), "Deployment").spec.template.metadata.annotations["capstan.dev/server-files"];
  const other = onnx({ ...classifier.props, batching: { maxBatchSize: 4, maxQueueDelayMicroseconds: 500 } });
  expect(annotation(classifier)).toMatch(/^[0-9a-f]{16}$/);
  expect(annotation(classifier)).toBe(annotation(onnx({ ...classifier.props })));
  expect(annotation(other)).not.toBe(annotation(classifier));
});

test("OVMS with a cached model reads its configuration where it is told to", () => {
  const objects = render(
    onnx({
      ...phi.props,
      cache: claimCache({ claimName: "efs-models", accessMode: "ReadWriteMany", path: "phi-3" }),
    }),
  );
  const workload = one(objects, "Deployment");
  const server = serverOf(workload);
  const mounted = server.volumeMounts
    .filter((m: { name: string }) => m.name === "server-files")
    .map((m: { mountPath: string }) => m.mountPath);
  expect(mounted).toEqual(["/etc/capstan/config.json", "/etc/capstan/graph.pbtxt"]);
  expect(server.args).toContain("--config_path=/etc/capstan/config.json");
  const data: Record<string, string> = one(objects, "ConfigMap").data;
  const [config] = JSON.parse(data["etc.capstan.config.json"] ?? "{}").mediapipe_config_list;
  expect(config.base_path).toBe("/etc/capstan");
  // The graph's weights are the claim's directory.
  const model = server.volumeMounts.find((m: { name: string }) => m.name === "model");
  expect(data["etc.capstan.graph.pbtxt"]).toContain(`models_path: "${model.mountPath}"`);
  expect(model).toMatchObject({ subPath: "phi-3", readOnly: true });
  expect(podOf(workload)).not.toHaveProperty("initContainers");
});

test("fetched from S3 with the pod's identity: no key, no token, a bucket made in the same program as a token", () => {
  const bucket = ref("models-bucket", { an: "output" });
  const c = chart();
  const objects = render(
    onnx({ ...embeddings.props, source: s3({ bucket, prefix: "bge-base" }), scaling: fixed(1) }),
    c,
  );
  const fetch = initOf(one(objects, "Deployment"), "fetch-model");
  expect(variable(fetch, "SOURCE")).toBe(`s3://\${ref:models-bucket}/bge-base`);
  expect(fetch.image).toMatch(/aws-cli:\d+\.\d+\.\d+$/);
  expect(
    fetch.env.map((v: { name: string }) => v.name).filter((name: string) => /KEY|TOKEN|SECRET/.test(name)),
  ).toEqual([]);
  expect(refsOf(c).get("models-bucket")?.value).toBe(bucket.value);
});

test("fetched from a gated repository: the token reaches the container that downloads, by reference", () => {
  const objects = render(onnx({ ...classifier.props, source: hub({ token: secretKey("hf-token", "token") }) }));
  const fetch = initOf(one(objects, "Deployment"), "fetch-model");
  expect(fetch.env).toContainEqual({
    name: "HF_TOKEN",
    valueFrom: { secretKeyRef: { name: "hf-token", key: "token" } },
  });
});

test("a script inside a pod's command has nothing that Kubernetes would replace", () => {
  const fetch = initOf(one(render(classifier), "Deployment"), "fetch-model");
  expect(fetch.command).toEqual(["/bin/sh", "-c", FETCH_SCRIPT]);
  expect(FETCH_SCRIPT).not.toContain("$$");
  const names = fetch.env.map((v: { name: string }) => v.name);
  for (const [, name] of FETCH_SCRIPT.matchAll(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g)) expect(names).not.toContain(name);
});

test("a server of one's own: its port, health path and metrics", () => {
  const mine = onnx({
    name: "mine",
    team: "support",
    model: "BAAI/bge-base-en-v1.5",
    task: "tensor",
    engine: customEngine({
      name: "own",
      port: 9100,
      healthPath: "/ready",
      args: ["--model=/models"],
      threadsVariable: "THREADS",
      metrics: { path: "/m", port: 9100, queueMetric: "own_queue" },
      runAsUser: 4711,
    }),
    artefact: { repository: "own/model", path: "model.onnx", bytes: 1_000_000 },
    image: { repository: "registry.example.com/own", tag: "1.2.3" },
    pool: cpu,
    scaling: onQueue({ min: 1, max: 2 }),
  });
  const objects = render(mine);
  const workload = one(objects, "Deployment");
  const server = serverOf(workload);
  expect(server).toMatchObject({
    image: "registry.example.com/own:1.2.3",
    args: ["--model=/models"],
    ports: [{ name: "http", containerPort: 9100 }],
    readinessProbe: { httpGet: { path: "/ready", port: "http" } },
  });
  expect(podOf(workload).securityContext.runAsUser).toBe(4711);
  expect(one(objects, "PodMonitor").spec.podMetricsEndpoints).toEqual([{ port: "http", path: "/m", interval: "15s" }]);
});

test("nothing lets the pod onto nodes of the other pools", () => {
  const plain = cpuPool({ name: "plain", instanceTypes: ["c7i.4xlarge"], size: { min: 1, max: 2 }, dedicated: false });
  expect(podOf(one(render(onnx({ ...classifier.props, pool: plain })), "Deployment")).tolerations).toEqual([]);
});

test("a wrong declaration throws and creates nothing", () => {
  const c = chart();
  const wrong = onnx({ ...phi.props, pool: amx, model: "microsoft/Phi-9" } as unknown as typeof phi.props);
  expect(() => new OnnxService(c, "x", wrong)).toThrow(DeclarationError);
  expect(c.node.children).toEqual([]);
});
