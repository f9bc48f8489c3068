import {
  claimCache,
  DECLARATION_METADATA,
  DeclarationError,
  existingPool,
  fixed,
  gpuPool,
  nvmeCache,
  onQueue,
  platform,
  ref,
  s3,
  schedule,
  servicesToJson,
  standalone,
  type Vllm,
  type VllmProps,
  vllm,
} from "@capstan/core";
import type { Chart } from "cdk8s";
import { expect, test } from "vitest";
import { refsOf } from "./refs.ts";
import {
  cachedPlatform,
  chart,
  chat,
  gated,
  h100Mig,
  l40s,
  one,
  onShared,
  onSlice,
  type Rendered,
  synthesised,
} from "./testing/fixtures.ts";
import { initOf, podOf, serverOf, variable } from "./testing/pod.ts";
import { VllmService } from "./vllm-service.ts";

function render(declaration: Vllm, c: Chart = chart()): Rendered[] {
  new VllmService(c, declaration.name, declaration);
  return synthesised(c);
}

function deployment(declaration: Vllm): Rendered {
  return one(render(declaration), "Deployment");
}

const with_ = (props: Partial<VllmProps>): Vllm => vllm({ ...chat.props, ...props });

test("children of a service with everything: their ids are part of resource names", () => {
  const c = chart();
  const service = new VllmService(c, "llama-8b", chat);
  expect(service.node.children.map((child) => child.node.id)).toEqual([
    "service-account",
    "model-volume",
    "model-claim",
    "deployment",
    "service",
    "network-policy",
    "pod-disruption-budget",
    "pod-monitor",
    "scaled-object",
  ]);
});

test("one replica on a slice has neither disruption budget nor autoscaler nor volume", () => {
  expect(
    render(onSlice)
      .map((object) => object.kind)
      .sort(),
  ).toEqual(["Deployment", "NetworkPolicy", "PodMonitor", "Service", "ServiceAccount"]);
});

test("requests equal limits, extended resource included (CDK-01, CDK-02, SHARE-18)", () => {
  const { resources } = serverOf(deployment(chat));
  expect(resources.limits["nvidia.com/gpu"]).toBe(1);
  expect(Object.keys(resources.limits).sort()).toEqual(["cpu", "ephemeral-storage", "memory", "nvidia.com/gpu"]);
  expect(resources.requests).toEqual(resources.limits);
  expect(Number.isInteger(resources.limits.cpu)).toBe(true);
  expect(resources.limits.memory).toMatch(/^\d+Mi$/);
  expect(resources.limits["ephemeral-storage"]).toMatch(/^\d+Gi$/);
});

test.each([
  ["MIG slice", onSlice, "nvidia.com/mig-1g.10gb"],
  ["time-sliced GPU", onShared, "nvidia.com/gpu.shared"],
])("the resource of a %s is the pool's", (_, declaration, resource) => {
  const { resources } = serverOf(deployment(declaration));
  expect(resources.limits[resource]).toBe(1);
  expect(resources.requests[resource]).toBe(1);
});

test("probes: the startup probe holds the others back, none has an initial delay (POD-01, CDK-03)", () => {
  const server = serverOf(deployment(chat));
  for (const name of ["startupProbe", "readinessProbe", "livenessProbe"]) {
    expect(server[name].httpGet).toEqual({ path: "/health", port: "http" });
    expect(server[name]).not.toHaveProperty("initialDelaySeconds");
    expect(server[name]).not.toHaveProperty("tcpSocket");
  }
  const { periodSeconds, failureThreshold } = server.startupProbe;
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
});

test("service links off, and no token of the Kubernetes API (POD-03)", () => {
  const pod = podOf(deployment(chat));
  expect(pod.enableServiceLinks).toBe(false);
  expect(pod.automountServiceAccountToken).toBe(false);
});

test("shared memory is a sized memory volume, mounted once (POD-05)", () => {
  const two = gpuPool({ name: "l40s-4", instanceType: "g6e.12xlarge", size: { min: 1, max: 2 } });
  const workload = deployment(vllm({ ...gated.props, name: "llama-1b-tp", pool: two, tensorParallel: 2 }));
  const pod = podOf(workload);
  // 1 GiB and 1 GiB for each GPU.
  expect(pod.volumes.find((v: { name: string }) => v.name === "shm").emptyDir).toEqual({
    medium: "Memory",
    sizeLimit: "3Gi",
  });
  const mounts = serverOf(workload).volumeMounts.map((m: { mountPath: string }) => m.mountPath);
  expect(mounts.filter((path: string) => path === "/dev/shm")).toHaveLength(1);
  expect(serverOf(workload).resources.limits["nvidia.com/gpu"]).toBe(2);
});

test("runs as the image's user, with every cache on a writable mount (POD-07)", () => {
  const workload = deployment(chat);
  const pod = podOf(workload);
  const server = serverOf(workload);
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 2000,
    runAsGroup: 0,
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(server.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: true,
  });
  const writable = server.volumeMounts
    .filter((m: { readOnly?: boolean }) => !m.readOnly)
    .map((m: { mountPath: string }) => m.mountPath);
  for (const name of ["HOME", "HF_HOME", "VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR"]) {
    const directory = variable(server, name) ?? "unset";
    expect(
      writable.some((path: string) => directory === path || directory.startsWith(`${path}/`)),
      name,
    ).toBe(true);
  }
  expect(writable).toContain("/tmp");
});

test("an image before its own user runs as root, and says so", () => {
  const pod = podOf(deployment(with_({ engineVersion: "0.22.1" } as Partial<VllmProps>)));
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: false, runAsUser: 0 });
});

test("drain: sleep before SIGTERM, and grace for sleep, drain and a margin (POD-09)", () => {
  const workload = deployment(with_({ drainSeconds: 300 }));
  const sleep = serverOf(workload).lifecycle.preStop.sleep.seconds;
  expect(sleep).toBeGreaterThanOrEqual(10);
  expect(podOf(workload).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(sleep + 300 + 30);
  expect(serverOf(workload).args).toContain("--shutdown-timeout=300");
});

test("the old pod goes before the new one unless a GPU is spare (POD-11)", () => {
  expect(deployment(chat).spec.strategy).toEqual({
    type: "RollingUpdate",
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
  });
  expect(deployment(with_({ spareGpu: true })).spec.strategy.rollingUpdate.maxSurge).toBe(1);
});

test("the hub token is a required secret reference under HF_TOKEN, and in no other place (POD-13, POD-14)", () => {
  const objects = render(gated);
  const server = serverOf(one(objects, "Deployment"));
  const token = server.env.find((v: { name: string }) => v.name === "HF_TOKEN");
  expect(token.valueFrom).toEqual({ secretKeyRef: { name: "hf-token", key: "token" } });
  expect(JSON.stringify(objects).match(/hf-token/g)).toHaveLength(1);
});

test("an autoscaled service has no replicas, a fixed one has them (SCALE-08, CDK-07)", () => {
  const objects = render(chat);
  expect(one(objects, "Deployment").spec).not.toHaveProperty("replicas");
  const scaled = one(objects, "ScaledObject");
  expect(scaled.spec.scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name: "llama-8b" });
  expect(scaled.spec).toMatchObject({ minReplicaCount: 1, maxReplicaCount: 8 });
  expect(deployment(with_({ scaling: fixed(2) })).spec.replicas).toBe(2);
});

test("all trigger metadata are strings, and the query is a total with AverageValue (SCALE-01, SCALE-06, SCALE-14)", () => {
  const { triggers, fallback } = one(render(chat), "ScaledObject").spec;
  expect(triggers).toHaveLength(1);
  expect(triggers[0].metricType).toBe("AverageValue");
  expect(triggers[0].metadata.query).toMatch(/^sum\(/);
  expect(triggers[0].metadata.ignoreNullValues).toBe("false");
  for (const value of Object.values(triggers[0].metadata)) expect(typeof value).toBe("string");
  expect(fallback.replicas).toBeGreaterThanOrEqual(1);
});

test("cool-down and stabilisation are not shorter than a cold start (SCALE-10)", () => {
  const service = new VllmService(chart(), "x", chat);
  const spec = one(synthesised(service.objects.deployment.chart), "ScaledObject").spec;
  const { scaleUp, scaleDown } = spec.advanced.horizontalPodAutoscalerConfig.behavior;
  expect(spec.cooldownPeriod).toBeGreaterThanOrEqual(service.resolved.coldStart.totalSeconds.expected);
  expect(scaleDown.stabilizationWindowSeconds).toBeGreaterThanOrEqual(300);
  expect(scaleUp.policies).toHaveLength(1);
  expect(scaleUp.policies[0].value).toBeLessThanOrEqual(2);
});

test("a schedule becomes cron triggers with a floor of zero", () => {
  const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "19:00", replicas: 1 }];
  const { spec } = one(render(with_({ scaling: schedule({ hours }) })), "ScaledObject");
  expect(spec.minReplicaCount).toBe(0);
  expect(spec.triggers.map((t: { type: string }) => t.type)).toEqual(["cron"]);
  expect(spec.triggers[0].metadata).toMatchObject({
    timezone: "Europe/Berlin",
    start: "0 8 * * 1-5",
    end: "0 19 * * 1-5",
    desiredReplicas: "1",
  });
  expect(spec.triggers[0]).not.toHaveProperty("metricType");
  expect(spec).not.toHaveProperty("fallback");
});

test("the monitor carries the labels Prometheus selects by, and names a port of the pod (SCALE-13)", () => {
  const objects = render(chat);
  const monitor = one(objects, "PodMonitor");
  expect(monitor.metadata.labels.release).toBe("kube-prometheus-stack");
  const ports = serverOf(one(objects, "Deployment")).ports.map((p: { name: string }) => p.name);
  for (const endpoint of monitor.spec.podMetricsEndpoints) expect(ports).toContain(endpoint.port);
  expect(monitor.spec.namespaceSelector).toEqual({ matchNames: ["search"] });
});

test("no monitor where there is no Prometheus operator", () => {
  const c = chart();
  new VllmService(c, "x", { service: onSlice, context: { ...standalone, monitoring: null } });
  expect(synthesised(c).map((o) => o.kind)).not.toContain("PodMonitor");
});

test("tolerations are exactly the pool's taints, and its selector the node selector (NODE-22, OBS-10)", () => {
  const pool = gpuPool({
    name: "l40s-dedicated",
    instanceType: "g6e.2xlarge",
    size: { min: 1, max: 8 },
    localStorage: "raid0",
    taints: [
      { key: "dedicated", value: "search", effect: "NoExecute" },
      { key: "bare", effect: "NoSchedule" },
    ],
  });
  const pod = podOf(deployment(with_({ pool })));
  expect(pod.tolerations).toEqual([
    { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
    { key: "dedicated", operator: "Equal", value: "search", effect: "NoExecute" },
    { key: "bare", operator: "Equal", effect: "NoSchedule" },
  ]);
  expect(pod.nodeSelector).toEqual({ "capstan.dev/pool": "l40s-dedicated" });
});

test("nodes that others made are selected as they are labelled", () => {
  const pool = existingPool({
    name: "theirs",
    instanceType: "g6e.2xlarge",
    nodeSelector: { "karpenter.sh/nodepool": "gpu", zone: "a" },
    size: { min: 1, max: 4 },
    localStorage: "raid0",
  });
  const objects = render(with_({ pool, scaling: fixed(1) }));
  expect(podOf(one(objects, "Deployment")).nodeSelector).toEqual({ "karpenter.sh/nodepool": "gpu", zone: "a" });
  expect(one(objects, "PersistentVolume").spec.nodeAffinity.required.nodeSelectorTerms).toEqual([
    {
      matchExpressions: [
        { key: "karpenter.sh/nodepool", operator: "In", values: ["gpu"] },
        { key: "zone", operator: "In", values: ["a"] },
      ],
    },
  ]);
});

test("a node is not pinned by the pod's own volumes, and Karpenter leaves a serving pod alone (NODE-23)", () => {
  const { annotations } = deployment(chat).spec.template.metadata;
  const emptyDirs = podOf(deployment(chat))
    .volumes.filter((v: { emptyDir?: unknown }) => v.emptyDir)
    .map((v: { name: string }) => v.name);
  expect(annotations["cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"]).toBe(emptyDirs.join(","));
  expect(emptyDirs.length).toBeGreaterThan(0);
  expect(annotations["karpenter.sh/do-not-disrupt"]).toBe("true");
});

test("a disruption budget only where there can be two, as a share, and never held by unready pods (NODE-21)", () => {
  const budget = one(render(chat), "PodDisruptionBudget");
  expect(budget.spec.maxUnavailable).toMatch(/^\d+%$/);
  expect(budget.spec).not.toHaveProperty("minAvailable");
  expect(budget.spec.unhealthyPodEvictionPolicy).toBe("AlwaysAllow");
  expect(render(onSlice).map((o) => o.kind)).not.toContain("PodDisruptionBudget");
});

test("replicas spread over zones and nodes", () => {
  expect(podOf(deployment(chat)).topologySpreadConstraints).toEqual(
    ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].map((topologyKey) => ({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { "app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llama-8b" } },
    })),
  );
  expect(podOf(deployment(onSlice))).not.toHaveProperty("topologySpreadConstraints");
});

test("selectors do not change with model, image or environment, and match the pod (PUL-07)", () => {
  const other = with_({ model: "meta-llama/Llama-3.2-3B-Instruct", engineVersion: "0.30.0" } as Partial<VllmProps>);
  const c = chart();
  new VllmService(c, "x", { service: other, context: { ...standalone, environment: "prod" } });
  const before = render(chat);
  const after = synthesised(c);
  for (const kind of ["Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "PodMonitor"]) {
    const selector = (objects: Rendered[]) => one(objects, kind).spec.selector ?? one(objects, kind).spec.podSelector;
    expect(selector(after), kind).toEqual(selector(before));
  }
  expect(one(before, "Deployment").spec.selector.matchLabels).toEqual({
    "app.kubernetes.io/name": "vllm",
    "app.kubernetes.io/instance": "llama-8b",
  });
  expect(one(after, "Deployment").spec.template.metadata.labels).toMatchObject(
    one(after, "Deployment").spec.selector.matchLabels,
  );
});

test("every object and the pod carry team, model, environment and the app labels", () => {
  const objects = render(chat);
  const metadata = [...objects.map((o) => o.metadata), one(objects, "Deployment").spec.template.metadata];
  for (const { labels } of metadata) {
    expect(labels).toMatchObject({
      "app.kubernetes.io/name": "vllm",
      "app.kubernetes.io/instance": "llama-8b",
      "app.kubernetes.io/managed-by": "capstan",
      "capstan.dev/team": "search",
      "capstan.dev/environment": "default",
      "capstan.dev/model": "meta-llama--Llama-3.1-8B-Instruct",
    });
  }
});

test("names and label values are valid, the full model id is in an annotation and an argument (CDK-09)", () => {
  const objects = render(chat);
  for (const { metadata } of objects) {
    expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    for (const value of Object.values(metadata.labels))
      expect(value).toMatch(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/);
  }
  const workload = one(objects, "Deployment");
  expect(workload.metadata.annotations).toMatchObject({ "capstan.dev/model-id": "meta-llama/Llama-3.1-8B-Instruct" });
  expect(serverOf(workload).args).toContain("--served-model-name=meta-llama/Llama-3.1-8B-Instruct");
});

test("nothing of cdk8s-plus' defaults: its limits, deadline, pull policy, replicas (CDK-04)", () => {
  const service = new VllmService(chart(), "x", onSlice);
  const workload = one(synthesised(service.objects.deployment.chart), "Deployment");
  expect(workload.spec.replicas).toBe(1);
  expect(workload.spec.progressDeadlineSeconds).toBeGreaterThanOrEqual(service.resolved.coldStart.totalSeconds.high);
  expect(serverOf(workload).imagePullPolicy).toBe("IfNotPresent");
  expect(serverOf(workload).resources.limits.memory).not.toBe("2048Mi");
  expect(serverOf(workload).image).toMatch(/:v\d+\.\d+\.\d+$/);
});

test("who may call: every namespace, or the service's own and those given; the scraper always", () => {
  expect(one(render(chat), "NetworkPolicy").spec.ingress[0]).toEqual({
    from: [{ namespaceSelector: {} }],
    ports: [{ protocol: "TCP", port: 8000 }],
  });
  const policy = one(render(with_({ ingressNamespaces: ["gateway", "search"] })), "NetworkPolicy");
  expect(policy.spec).toEqual({
    podSelector: { matchLabels: { "app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llama-8b" } },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [
          { podSelector: {} },
          { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "gateway" } } },
        ],
        ports: [{ protocol: "TCP", port: 8000 }],
      },
      {
        from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
        ports: [{ protocol: "TCP", port: 8000 }],
      },
    ],
  });
});

test("the cached model: a static read-only volume bound to one claim, no host path in the pod", () => {
  const objects = render(chat, chart("some-other-namespace"));
  const volume = one(objects, "PersistentVolume");
  const claim = one(objects, "PersistentVolumeClaim");
  const workload = one(objects, "Deployment");
  expect(volume.metadata).not.toHaveProperty("namespace");
  expect(volume.spec).toMatchObject({
    accessModes: ["ReadOnlyMany"],
    claimRef: { namespace: "search", name: claim.metadata.name },
    local: { path: "/mnt/k8s-disks/0/capstan-models/s3--models-bucket--llama-3.1-8b" },
    mountOptions: ["ro"],
    persistentVolumeReclaimPolicy: "Retain",
    storageClassName: "",
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "capstan.dev/pool", operator: "In", values: ["l40s"] }] }],
      },
    },
  });
  expect(claim.metadata.namespace).toBe("search");
  expect(claim.spec).toMatchObject({
    accessModes: ["ReadOnlyMany"],
    storageClassName: "",
    volumeName: volume.metadata.name,
  });
  expect(claim.spec.resources.requests.storage).toBe(volume.spec.capacity.storage);
  const pod = podOf(workload);
  expect(JSON.stringify(pod)).not.toContain("hostPath");
  expect(pod.volumes).toContainEqual({
    name: "model",
    persistentVolumeClaim: { claimName: claim.metadata.name, readOnly: true },
  });
  expect(serverOf(workload).volumeMounts).toContainEqual({ name: "model", mountPath: "/models", readOnly: true });
  expect(serverOf(workload).args[0]).toBe("/models");
  expect(variable(serverOf(workload), "HF_HUB_OFFLINE")).toBe("1");
});

test("a pod waits for exactly what the preloader writes", () => {
  const all = cachedPlatform();
  for (const resolved of all.services) {
    if (resolved.kind !== "vllm" || resolved.cache?.kind !== "nvme") throw new Error("a cached vLLM service expected");
    const c = chart();
    new VllmService(c, "x", { service: resolved, context: all.context });
    const wait = initOf(one(synthesised(c), "Deployment"), "wait-for-model");
    expect(wait.image).toBe(resolved.imageReference);
    expect(wait.volumeMounts).toEqual([{ name: "model", mountPath: "/model", readOnly: true }]);
    expect(variable(wait, "NVIDIA_VISIBLE_DEVICES")).toBe("void");
    // Same host resources, so that the pod stays Guaranteed and asks for no more; and no GPU of its own.
    expect(wait.resources.requests).toEqual(wait.resources.limits);
    expect(Object.keys(wait.resources.limits).sort()).toEqual(["cpu", "ephemeral-storage", "memory"]);
  }
});

test("a claim of the user's: mounted read-only at its path, no volume of ours, nothing to wait for", () => {
  const objects = render(
    with_({
      cache: claimCache({ claimName: "efs-models", accessMode: "ReadWriteMany", path: "llama" }),
    }),
  );
  expect(objects.map((o) => o.kind)).not.toContain("PersistentVolume");
  const workload = one(objects, "Deployment");
  expect(podOf(workload).volumes).toContainEqual({
    name: "model",
    persistentVolumeClaim: { claimName: "efs-models", readOnly: true },
  });
  expect(serverOf(workload).volumeMounts).toContainEqual({
    name: "model",
    mountPath: "/models/llama",
    subPath: "llama",
    readOnly: true,
  });
  expect(serverOf(workload).args[0]).toBe("/models/llama");
  expect(podOf(workload)).not.toHaveProperty("initContainers");
});

test("a bucket that is made in the same program is a token, and its value is found beside it", () => {
  const bucket = ref("models-bucket", { an: "output" });
  const streamed = vllm({ ...gated.props, name: "streamed", source: s3({ bucket, prefix: "llama" }) });
  const c = chart();
  new VllmService(c, "streamed", streamed);
  new VllmService(c, "cached", with_({ cache: nvmeCache({ source: s3({ bucket, prefix: "llama-8b" }) }) }));
  const [cached, direct] = ["llama-8b", "streamed"].map(
    (name) => synthesised(c).find((o) => o.kind === "Deployment" && o.metadata.name === name) as Rendered,
  );
  expect(serverOf(direct as Rendered).args[0]).toBe(`s3://\${ref:models-bucket}/llama`);
  expect(variable(initOf(cached as Rendered, "wait-for-model"), "WANTED")).toMatch(
    /^s3:\/\/\$\{ref:models-bucket\}\/llama-8b/,
  );
  expect(refsOf(c).get("models-bucket")?.value).toBe(bucket.value);
});

test("a wrong declaration throws all its errors and creates nothing", () => {
  const c = chart();
  const wrong = with_({ model: "meta-llama/Llama-3.1-9B-Instruct", engineVersion: "0.99.0" } as unknown as VllmProps);
  const attempt = () => new VllmService(c, "x", wrong);
  expect(attempt).toThrow(DeclarationError);
  expect(attempt).toThrow('service "llama-8b" has 2 errors');
  expect(attempt).toThrow("[model.unknown]");
  expect(attempt).toThrow("[vllm.version.unknown]");
  expect(c.node.children).toEqual([]);
});

test("a transform of each object is applied last", () => {
  const touched: string[] = [];
  const touch = (manifest: { kind?: string; metadata?: { annotations?: Record<string, string> } }) => {
    touched.push(manifest.kind ?? "?");
    manifest.metadata = { ...manifest.metadata, annotations: { touched: "yes" } };
  };
  const c = chart();
  new VllmService(c, "x", {
    service: chat,
    transform: {
      deployment: touch,
      service: touch,
      serviceAccount: touch,
      networkPolicy: touch,
      podMonitor: touch,
      podDisruptionBudget: touch,
      scaledObject: touch,
      horizontalPodAutoscaler: touch,
      persistentVolume: touch,
      persistentVolumeClaim: touch,
      serverFiles: touch,
    },
  });
  const objects = synthesised(c);
  for (const object of objects) expect(object.metadata.annotations, object.kind).toEqual({ touched: "yes" });
  expect(touched.sort()).toEqual(objects.map((o) => o.kind).sort());
});

test("the resolved service lies beside its objects, with what it was resolved in", () => {
  const c = chart();
  const all = platform({ environment: "dev", pools: [l40s, h100Mig], services: [chat, onSlice] });
  for (const service of all.services) {
    if (service.kind === "vllm") new VllmService(c, service.name, { service, context: all.context });
  }
  const found = c.node.findAll().flatMap(({ node }) => node.metadata.filter((m) => m.type === DECLARATION_METADATA));
  expect(found.map(({ data }) => data)).toEqual(all.services.map((service) => ({ service, context: all.context })));
  // What is written of it names secrets and refs only.
  const [document] = servicesToJson(found.map(({ data }) => data));
  expect(document?.services.map((s) => `${s.name} on ${s.pool}`)).toEqual([
    "llama-8b on l40s",
    "qwen-small on h100-mig",
  ]);
});

test("what a pod needs comes before it, and the autoscaler after it", () => {
  const order = render(chat).map((o) => o.kind);
  const at = (kind: string) => order.indexOf(kind);
  expect(at("ServiceAccount")).toBeLessThan(at("Deployment"));
  expect(at("PersistentVolume")).toBeLessThan(at("PersistentVolumeClaim"));
  expect(at("PersistentVolumeClaim")).toBeLessThan(at("Deployment"));
  expect(at("Deployment")).toBeLessThan(at("ScaledObject"));
});

test("two replicas of a scaled service do not need a queue", () => {
  const objects = render(with_({ scaling: onQueue({ min: 2, max: 4, targetPerReplica: 10 }) }));
  expect(one(objects, "ScaledObject").spec.triggers[0].metadata.threshold).toBe("10");
});
