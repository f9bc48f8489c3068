import { expect, test } from "vitest";
import { chart, chartComponents } from "./charts.ts";
import { eks } from "./eks.ts";
import { engine } from "./engines.ts";
import { knownMetrics } from "./metrics.ts";
import { findVllm, latestVllm } from "./vllm.ts";

const servers = ["vllm", "vllm-cpu", "ovms", "triton", "tei"] as const;

test("a chart is pinned, dated and says which Kubernetes it fits", () => {
  expect(chart("gpu-operator")).toMatchObject({
    version: "v26.7.0",
    repository: "https://helm.ngc.nvidia.com/nvidia",
    kubernetes: { min: "1.33", max: "1.36" },
    imageTags: null,
    provenance: { asOf: "2026-08-22" },
  });
  expect(chart("kubecost").kubernetes).toEqual({ min: "1.29", max: "1.34" });
  expect(chart("envoy-gateway").kubernetes).toEqual({ min: "1.33", max: "1.36" });
  expect(chart("prometheus-operator-crds").version).toBe("31.0.1");
});

test("an OCI chart carries its whole reference, another one has a repository", () => {
  for (const component of chartComponents) {
    const facts = chart(component);
    expect(facts.chart.startsWith("oci://")).toBe(facts.repository === null);
  }
});

test("every chart accepts the Kubernetes version that we take by default", () => {
  const minor = (version: string) => Number(version.split(".")[1]);
  const wanted = minor(eks().defaultKubernetes);
  for (const component of chartComponents) {
    const { min, max } = chart(component).kubernetes;
    expect([component, min === null || minor(min) <= wanted, max === null || minor(max) >= wanted]).toEqual([
      component,
      true,
      true,
    ]);
  }
});

test("the autoscaler's image follows the cluster's minor version", () => {
  expect(chart("cluster-autoscaler").imageTags?.[eks().defaultKubernetes]).toMatch(/^v1\.34\./);
});

test("vLLM runs without root from 0.23 and needs driver 580 from 0.20", () => {
  const { users, cuda, ports, paths } = engine("vllm");
  expect(users.find((user) => user.since === "0.23")).toMatchObject({
    runAsUser: 2000,
    runAsGroup: 0,
    home: "/home/vllm",
  });
  expect(users.find((user) => user.since === null)?.runAsUser).toBeNull();
  expect(cuda.find((entry) => entry.since === "0.20")).toEqual({
    since: "0.20",
    version: "13.0",
    minDriverBranch: 580,
  });
  expect([ports.http, paths.ready]).toEqual([8000, "/health"]);
});

test("images, ports and the queue metric of the CPU servers", () => {
  expect(engine("triton").ports).toEqual({ http: 8000, grpc: 8001, metrics: 8002 });
  expect(engine("tei").queueMetric.name).toBe("te_queue_size");
  expect(engine("ovms")).toMatchObject({ metricsFlags: ["--metrics_enable"], image: { tags: { amd64: "{version}" } } });
  expect(engine("vllm-cpu").image.tags).toEqual({ amd64: "v{version}-x86_64", arm64: "v{version}-arm64" });
});

test("an engine's queue metric is one that is known to exist", () => {
  const vllm = findVllm(latestVllm)!.metrics;
  const { engines } = knownMetrics();
  for (const name of servers) {
    const { queueMetric } = engine(name);
    for (const metric of [queueMetric.name, queueMetric.busyName ?? queueMetric.name]) {
      expect(name === "vllm" || name === "vllm-cpu" ? vllm.has(metric) : engines[name].includes(metric)).toBe(true);
    }
  }
  expect(engine("vllm").image.defaultVersion).toBe(latestVllm);
});

test("AMI types by family, architecture and accelerator, without doubles", () => {
  const found = eks().amiTypes.filter((type) => type.family === "al2023" && type.accelerator === "nvidia");
  expect(found.map((type) => [type.arch, type.amiType])).toEqual([
    ["amd64", "AL2023_x86_64_NVIDIA"],
    ["arm64", "AL2023_ARM_64_NVIDIA"],
  ]);
  const keys = eks().amiTypes.map((type) => `${type.family} ${type.arch} ${type.accelerator}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test("AL2023 images are pinned for three Kubernetes versions; Bottlerocket's are unknown", () => {
  const release = (family: string, kubernetes: string) =>
    eks().amiReleases.find((entry) => entry.family === family && entry.kubernetes === kubernetes)?.releaseVersion;
  expect(release("al2023", "1.34")).toBe("1.34.9-20260714");
  expect(release("bottlerocket", "1.34")).toBeNull();
  for (const entry of eks().amiReleases) {
    if (entry.releaseVersion !== null) expect(entry.releaseVersion.startsWith(`${entry.kubernetes}.`)).toBe(true);
  }
});

test("kube-proxy's version is the cluster's, and every add-on is pinned for each Kubernetes version that has an image", () => {
  const versions = [...new Set(eks().amiReleases.map((entry) => entry.kubernetes))];
  for (const addon of eks().addons) expect(Object.keys(addon.versions)).toEqual(versions);
  const proxy = eks().addons.find((addon) => addon.name === "kube-proxy");
  for (const version of versions) expect(proxy?.versions[version]?.startsWith(`v${version}.`)).toBe(true);
});

test("the kubelet's reserve: 80m at 4 cores and 190m at 48, as nodeadm computes it", () => {
  const reserve = (cores: number) => {
    let [below, millicores] = [0, 0];
    for (const { upToCores, percent } of eks().kubeletReserve.cpuSteps) {
      const end = Math.min(cores, upToCores ?? cores);
      millicores += Math.max(0, end - below) * percent * 10;
      below = Math.max(below, end);
    }
    return millicores;
  };
  expect([reserve(1), reserve(4), reserve(48)]).toEqual([60, 80, 190]);
  const { memoryBaseMib, memoryPerPodMib, evictionHardMemoryMib } = eks().kubeletReserve;
  expect([memoryBaseMib, memoryPerPodMib, evictionHardMemoryMib]).toEqual([255, 11, 100]);
  expect(eks().vmMemoryOverheadPercent).toBe(7.5);
});

test("metrics: on, off and wrong do not overlap", () => {
  const { dcgm, wrong } = knownMetrics();
  expect(dcgm.on.filter((name) => dcgm.off.includes(name))).toEqual([]);
  expect(dcgm.on).toContain("DCGM_FI_PROF_GR_ENGINE_ACTIVE");
  expect(dcgm.off).toContain("DCGM_FI_PROF_SM_ACTIVE");
  const right = new Set([...dcgm.on, ...findVllm(latestVllm)!.metrics.keys()]);
  for (const { name, use } of wrong) expect([right.has(name), right.has(use)]).toEqual([false, true]);
});
