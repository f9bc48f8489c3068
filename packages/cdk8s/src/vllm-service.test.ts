import {
  DECLARATION_METADATA,
  DeclarationError,
  platform,
  servicesToJson,
  type Vllm,
  type VllmProps,
} from "@capstan/core";
import { expect, test } from "vitest";
import { chart, chat, h100Mig, l40s, one, onSlice, type Rendered, synthesised } from "./testing/fixtures.ts";
import { serverOf } from "./testing/pod.ts";
import { chatWith, render } from "./testing/vllm.ts";
import { VllmService } from "./vllm-service.ts";

function _deployment(declaration: Vllm): Rendered {
  return one(render(declaration), "Deployment");
}

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

test("a wrong declaration throws all its errors and creates nothing", () => {
  const c = chart();
  const wrong = chatWith({
    model: "meta-llama/Llama-3.1-9B-Instruct",
    engineVersion: "0.99.0",
  } as unknown as VllmProps);
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
