import { gpuPool, onQueue, standalone, type VllmProps, vllm } from "@capstan/core";
import { expect, test } from "vitest";
import { chart, chat, gated, one, onShared, onSlice, synthesised } from "../testing/fixtures.ts";
import { podOf, serverOf, variable } from "../testing/pod.ts";
import { chatWith, deployment, render } from "../testing/vllm.ts";
import { VllmService } from "../vllm-service.ts";

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
  const pod = podOf(deployment(chatWith({ engineVersion: "0.22.1" } as Partial<VllmProps>)));
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: false, runAsUser: 0 });
});

test("drain: sleep before SIGTERM, and grace for sleep, drain and a margin (POD-09)", () => {
  const workload = deployment(chatWith({ drainSeconds: 300 }));
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
  expect(deployment(chatWith({ spareGpu: true })).spec.strategy.rollingUpdate.maxSurge).toBe(1);
});

test("the hub token is a required secret reference under HF_TOKEN, and in no other place (POD-13, POD-14)", () => {
  const objects = render(gated);
  const server = serverOf(one(objects, "Deployment"));
  const token = server.env.find((v: { name: string }) => v.name === "HF_TOKEN");
  expect(token.valueFrom).toEqual({ secretKeyRef: { name: "hf-token", key: "token" } });
  expect(JSON.stringify(objects).match(/hf-token/g)).toHaveLength(1);
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
  const pod = podOf(deployment(chatWith({ pool })));
  expect(pod.tolerations).toEqual([
    { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
    { key: "dedicated", operator: "Equal", value: "search", effect: "NoExecute" },
    { key: "bare", operator: "Equal", effect: "NoSchedule" },
  ]);
  expect(pod.nodeSelector).toEqual({ "capstan.dev/pool": "l40s-dedicated" });
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

test("production: two on slices of one GPU would rather be on two nodes, and start on one where there is no other", () => {
  const two = vllm({ ...onSlice.props, scaling: onQueue({ min: 2, max: 4 }) });
  const keys = (production: boolean) => {
    const c = chart();
    new VllmService(c, "x", { service: two, context: { ...standalone, environment: "prod", production } });
    return podOf(one(synthesised(c), "Deployment")).topologySpreadConstraints.map(
      (s: { topologyKey: string; whenUnsatisfiable: string }) => [s.topologyKey, s.whenUnsatisfiable],
    );
  };
  expect(keys(true)).toEqual([
    ["topology.kubernetes.io/zone", "ScheduleAnyway"],
    ["kubernetes.io/hostname", "ScheduleAnyway"],
  ]);
  expect(keys(false)).toEqual([["topology.kubernetes.io/zone", "ScheduleAnyway"]]);
});
