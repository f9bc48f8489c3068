import { cpuPool, existingPrometheus, onCpu, onnx, type PlatformProps, resolvePlatform } from "@capstan/core";
import { expect, test } from "vitest";
import type { ClusterFeatures } from "../cluster/features.ts";
import { EVERYTHING } from "../testing/cluster.ts";
import { fullPlatform } from "../testing/platform.ts";
import { platformFindings } from "./findings.ts";

const all: ClusterFeatures = { vpcCniRole: true, ...EVERYTHING };

function findings(props: PlatformProps, features: Partial<ClusterFeatures> = {}, kubernetes = "1.34") {
  return platformFindings(resolvePlatform(props), {
    region: "eu-central-1",
    kubernetes,
    features: { ...all, ...features },
  });
}

test("finds nothing where the cluster has everything", () => {
  expect(findings(fullPlatform({ region: "eu-central-1" }))).toEqual([]);
  expect(findings(fullPlatform())).toEqual([]);
});

test.each<[keyof ClusterFeatures, "error" | "warning", string]>([
  ["metricsServer", "error", "phi-3-mini needs"],
  ["ebsCsi", "error", "Prometheus and Kubecost need"],
  ["gp3StorageClass", "error", "Prometheus and Kubecost need"],
  ["podIdentityAgent", "error", "cluster-autoscaler and preload-l40s need"],
  ["networkPolicy", "warning", "llama-8b, qwen-small and phi-3-mini need"],
])("names who needs %s", (feature, severity, who) => {
  const found = findings(fullPlatform(), { [feature]: false });
  expect(found).toMatchObject([{ id: "cluster.feature.missing", severity, path: `cluster.has.${feature}` }]);
  expect(found[0]!.message).toContain(who);
  expect(found[0]!.remedy).toContain(`${feature}: true`);
});

test("what nobody needs is not missed", () => {
  const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 1 } });
  const model = "microsoft/Phi-3-mini-4k-instruct";
  const scaling = onCpu({ min: 1, max: 2 });
  const slm = onnx({ name: "slm", team: "support", model, precision: "int4", pool: amx, scaling });
  const prometheus = { prometheusUrl: "http://prometheus.monitoring.svc:9090", namespace: "monitoring" };
  const props: PlatformProps = {
    environment: "test",
    pools: [amx],
    services: [slm],
    monitoring: existingPrometheus({ ...prometheus, monitorLabels: { release: "mine" } }),
  };
  const nothing = { ebsCsi: false, gp3StorageClass: false, podIdentityAgent: false, loadBalancerController: false };
  expect(findings(props, nothing)).toEqual([]);
});

test("a platform for another region or version than the cluster's", () => {
  const found = findings(fullPlatform({ region: "us-east-1", kubernetes: "1.33" }));
  expect(found.map(({ id, path, message }) => [id, path, message])).toEqual([
    ["cluster.region.differs", "platform.region", "the platform says us-east-1, the cluster eu-central-1"],
    ["cluster.kubernetes.differs", "platform.kubernetes", "the platform says 1.33, the cluster 1.34"],
  ]);
});
