import { standalone, type Vllm, type VllmProps } from "@capstan/core";
import { expect, test } from "vitest";
import { chart, chat, one, onSlice, type Rendered, synthesised } from "../testing/fixtures.ts";
import { serverOf } from "../testing/pod.ts";
import { chatWith, render } from "../testing/vllm.ts";
import { VllmService } from "../vllm-service.ts";

function _deployment(declaration: Vllm): Rendered {
  return one(render(declaration), "Deployment");
}

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

test("a disruption budget only where there can be two, as a share, and never held by unready pods (NODE-21)", () => {
  const budget = one(render(chat), "PodDisruptionBudget");
  expect(budget.spec.maxUnavailable).toMatch(/^\d+%$/);
  expect(budget.spec).not.toHaveProperty("minAvailable");
  expect(budget.spec.unhealthyPodEvictionPolicy).toBe("AlwaysAllow");
  expect(render(onSlice).map((o) => o.kind)).not.toContain("PodDisruptionBudget");
});

test("selectors do not change with model, image or environment, and match the pod (PUL-07)", () => {
  const other = chatWith({ model: "meta-llama/Llama-3.2-3B-Instruct", engineVersion: "0.30.0" } as Partial<VllmProps>);
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

const scraped = {
  from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
  ports: [{ protocol: "TCP", port: 8000 }],
};

test("who may call, unless it is said: pods of the service's own namespace, and the scraper", () => {
  expect(one(render(chat), "NetworkPolicy").spec.ingress).toEqual([
    { from: [{ podSelector: {} }], ports: [{ protocol: "TCP", port: 8000 }] },
    scraped,
  ]);
});

test("every namespace may call where that is said; the scraper has its rule all the same", () => {
  expect(one(render(chatWith({ ingressNamespaces: "any" })), "NetworkPolicy").spec.ingress).toEqual([
    { from: [{ namespaceSelector: {} }], ports: [{ protocol: "TCP", port: 8000 }] },
    scraped,
  ]);
});

test("who may call: the service's own namespace and those given; the scraper always", () => {
  const policy = one(render(chatWith({ ingressNamespaces: ["gateway", "search"] })), "NetworkPolicy");
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
      scraped,
    ],
  });
});
