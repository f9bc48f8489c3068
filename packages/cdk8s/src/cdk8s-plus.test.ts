import { App, Chart } from "cdk8s";
import { ConfigMap, k8s, Pods, Service } from "cdk8s-plus-28";
import { expect, test } from "vitest";
import { chart, chat, one, synthesised } from "./testing/fixtures.ts";
import { VllmService } from "./vllm-service.ts";

// The reasons why the constructs are made of ApiObjects. A failure here means that a newer cdk8s-plus deserves a look.

test("its L2 objects add fields that nobody asked for", () => {
  const c = new Chart(new App(), "plus");
  new ConfigMap(c, "config-map", { data: { a: "b" } });
  new Service(c, "service", { ports: [{ port: 80 }], selector: Pods.select(c, "pods", { labels: { a: "b" } }) });
  expect(one(synthesised(c), "ConfigMap").immutable).toBe(false);
  expect(one(synthesised(c), "Service").spec.externalIPs).toEqual([]);
});

test("its L1 objects drop fields newer than Kubernetes 1.28", () => {
  const c = new Chart(new App(), "plus");
  // In the wider type of the field, since the class does not know it.
  const preStop: object = { sleep: { seconds: 15 } };
  new k8s.KubePod(c, "pod", { spec: { containers: [{ name: "server", lifecycle: { preStop } }] } });
  expect(one(synthesised(c), "Pod").spec.containers[0].lifecycle).toEqual({ preStop: {} });
});

test("it can be used beside the constructs in one chart", () => {
  const c = chart("search");
  new VllmService(c, "llama-8b", chat);
  new ConfigMap(c, "theirs", { metadata: { name: "theirs" }, data: { a: "b" } });
  expect(one(synthesised(c), "ConfigMap").metadata).toMatchObject({ name: "theirs", namespace: "search" });
});
