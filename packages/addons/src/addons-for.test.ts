import { ref } from "@capstan/core";
import { expect, test } from "vitest";
import { type Addon, AddonError } from "./addon.ts";
import { addonsFor, inOrder } from "./addons-for.ts";
import { amx, cluster, cost, everyKey, l4Shared, l40s, platformOf } from "./testing/platforms.ts";

const all = addonsFor(platformOf([l40s, l4Shared, amx], { cost }), cluster);

test("definitions first, then nodes, GPUs, scaling and cost", () => {
  expect(all.map(({ name }) => name)).toEqual([
    "prometheus-operator-crds",
    "kube-prometheus-stack",
    "cluster-autoscaler",
    "gpu-operator",
    "keda",
    "kubecost",
  ]);
});

test("each add-on comes after what it depends on", () => {
  for (const platform of everyKey) {
    const addons = addonsFor(platform, cluster);
    addons.forEach((addon, index) => {
      const before = addons.slice(0, index).map(({ name }) => name);
      expect(before, addon.name).toEqual(expect.arrayContaining([...addon.dependsOn]));
    });
  }
});

test("only what the platform asks for is installed", () => {
  const fixed = platformOf([{ ...l40s, props: { ...l40s.props, size: { min: 1, max: 1 } } }], {
    keda: "present",
    monitoring: "none",
    gpuOperator: "present",
  });
  expect(addonsFor(fixed, cluster)).toEqual([]);
});

test("what creates monitors waits for their definitions only where the platform brings them", () => {
  const dependencies = (monitoring: "none" | undefined) =>
    addonsFor(platformOf([l40s], monitoring ? { monitoring } : {}), cluster).find(({ name }) => name === "keda")
      ?.dependsOn;
  expect(dependencies(undefined)).toEqual(["prometheus-operator-crds"]);
  expect(dependencies("none")).toEqual([]);
});

test("no version is a range, and no chart floats", () => {
  for (const { name, chart } of all) {
    expect(chart.version, name).toMatch(/^v?\d+\.\d+\.\d+$/);
    expect(chart.repository, name).toMatch(/^https:\/\//);
  }
});

test("every definition that a release owns outlives it", () => {
  const keep = { "helm.sh/resource-policy": "keep" };
  const byName = Object.fromEntries(all.map((addon) => [addon.name, addon]));
  expect(byName["prometheus-operator-crds"]?.values).toEqual({ crds: { annotations: keep } });
  expect(byName.keda?.values).toMatchObject({ crds: { install: true, additionalAnnotations: keep } });
  expect(byName["kube-prometheus-stack"]).toMatchObject({ crds: "own-release", values: { crds: { enabled: false } } });
});

test("add-ons are spread over namespaces with the standard that their pods need", () => {
  expect(
    Object.fromEntries(all.map(({ name, namespace }) => [name, `${namespace.name}: ${namespace.podSecurity}`])),
  ).toEqual({
    "prometheus-operator-crds": "monitoring: privileged",
    "kube-prometheus-stack": "monitoring: privileged",
    "cluster-autoscaler": "cluster-autoscaler: restricted",
    "gpu-operator": "gpu-operator: privileged",
    keda: "keda: restricted",
    kubecost: "kubecost: baseline",
  });
});

test("only node agents tolerate anything", () => {
  const tolerating = all
    .filter(({ values }) => JSON.stringify(values).includes('"tolerations"'))
    .map(({ name }) => name);
  expect(tolerating).toEqual(["kube-prometheus-stack", "gpu-operator"]);
});

test("no value changes from run to run", () => {
  const again = addonsFor(platformOf([l40s, l4Shared, amx], { cost }), cluster);
  expect(JSON.stringify(again)).toBe(JSON.stringify(all));
});

test("the name of a cluster that is not made yet is carried along unseen", () => {
  const name = ref("cluster-name", { some: "output" });
  const autoscaler = addonsFor(platformOf([l40s]), { name, region: null }).find((a) => a.name === "cluster-autoscaler");
  expect(autoscaler?.values).toMatchObject({ autoDiscovery: { clusterName: name } });
  expect(autoscaler?.values).not.toHaveProperty("awsRegion");
});

function addon(name: string, more: Partial<Addon> = {}): Addon {
  return {
    name,
    chart: all[0]!.chart,
    releaseName: name,
    namespace: { name, podSecurity: "baseline" },
    values: {},
    crds: "none",
    providesKinds: [],
    dependsOn: [],
    timeoutSeconds: 1,
    ...more,
  };
}

test("a dependency is put first, whatever the order given", () => {
  const list = [addon("a", { dependsOn: ["c"] }), addon("b"), addon("c", { dependsOn: ["b"] })];
  expect(inOrder(list).map(({ name }) => name)).toEqual(["b", "c", "a"]);
});

test("a missing or circular dependency is named", () => {
  expect(() => inOrder([addon("a", { dependsOn: ["gone"] })])).toThrow(AddonError);
  expect(() => inOrder([addon("a", { dependsOn: ["gone"] })])).toThrow("add-on a depends on gone");
  const circle = [addon("a", { dependsOn: ["b"] }), addon("b", { dependsOn: ["a"] })];
  expect(() => inOrder(circle)).toThrow("a -> b -> a");
});

test("two add-ons that bring the same thing are named", () => {
  const kind = "keda.sh/v1alpha1 ScaledObject";
  expect(() => inOrder([addon("a", { providesKinds: [kind] }), addon("b", { providesKinds: [kind] })])).toThrow(
    `add-ons a and b both have the definition of ${kind}`,
  );
  expect(() => inOrder([addon("a"), addon("a")])).toThrow("both have the name a");
  const other = addon("b", { releaseName: "a", namespace: { name: "a", podSecurity: "baseline" } });
  expect(() => inOrder([addon("a"), other])).toThrow("the release a in namespace a");
});
