import type { Addon } from "@capstan/addons";
import { ref } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { HelmAddon } from "./helm-addon.ts";
import { clusterProvider, find, record, waitsFor } from "./testing/record.ts";

interface Values {
  replicas: number;
  labels: Record<string, string>;
  cluster?: unknown;
}

function addon(more: Partial<Addon<Values>> = {}): Addon<Values> {
  return {
    name: "keda",
    chart: {
      component: "keda",
      chart: "keda",
      version: "2.20.2",
      repository: "https://example.com/charts",
      appVersion: null,
      kubernetes: { min: null, max: null },
      imageTags: null,
      source: "",
      note: null,
    },
    releaseName: "keda-release",
    namespace: { name: "keda-namespace", podSecurity: "restricted" },
    values: Object.freeze({ replicas: 2, labels: Object.freeze({ a: "b" }) }) as Values,
    crds: "in-chart",
    providesKinds: ["keda.sh/v1alpha1 ScaledObject"],
    dependsOn: [],
    timeoutSeconds: 300,
    ...more,
  };
}

test("a release of the pinned chart, after the namespace that its pods need", async () => {
  const recording = await record(() => new HelmAddon("keda", { addon: addon() }, { provider: clusterProvider() }));
  const release = find(recording, "Release", "keda");
  expect(release.type).toBe("kubernetes:helm.sh/v3:Release");
  expect(release.inputs).toMatchObject({
    chart: "keda",
    version: "2.20.2",
    repositoryOpts: { repo: "https://example.com/charts" },
    name: "keda-release",
    namespace: "keda-namespace",
    createNamespace: false,
    skipCrds: false,
    atomic: true,
    cleanupOnFail: true,
    waitForJobs: true,
    timeout: 300,
    values: { replicas: 2, labels: { a: "b" } },
  });
  const namespace = find(recording, "Namespace", "keda/keda-namespace");
  expect(namespace.inputs.metadata).toMatchObject({
    name: "keda-namespace",
    labels: { "pod-security.kubernetes.io/enforce": "restricted" },
  });
  expect(waitsFor(recording, release)).toEqual(["Namespace keda/keda-namespace"]);
  const component = find(recording, "HelmAddon", "keda");
  expect(component.type).toBe("capstan:kubernetes:HelmAddon");
  expect([release.parent, namespace.parent]).toEqual([component.urn, component.urn]);
  expect(release.options.provider).toBe(find(recording, "kubernetes", "cluster").urn);
});

test("an OCI chart has no repository beside its reference", async () => {
  const chart = { ...addon().chart, chart: "oci://example.com/keda", repository: null };
  const recording = await record(
    () => new HelmAddon("keda", { addon: addon({ chart }) }, { provider: clusterProvider() }),
  );
  const { inputs } = find(recording, "Release", "keda");
  expect(inputs.chart).toBe("oci://example.com/keda");
  expect(inputs.repositoryOpts).toBeUndefined();
});

test("definitions of another release are not installed twice", async () => {
  const recording = await record(
    () => new HelmAddon("keda", { addon: addon({ crds: "own-release" }) }, { provider: clusterProvider() }),
  );
  expect(find(recording, "Release", "keda").inputs.skipCrds).toBe(true);
});

test("a namespace that is given is waited for and not made again", async () => {
  const recording = await record(() => {
    const provider = clusterProvider();
    const first = new HelmAddon("first", { addon: addon() }, { provider });
    new HelmAddon("second", { addon: addon(), namespace: first.namespace }, { provider, dependsOn: [first.release] });
  });
  expect(recording.resources.filter(({ type }) => type.endsWith(":Namespace"))).toHaveLength(1);
  expect(waitsFor(recording, find(recording, "Release", "second"))).toContain("Release first");
});

test("dependsOn holds for the namespace too", async () => {
  const recording = await record(() => {
    const provider = clusterProvider();
    const first = new HelmAddon("first", { addon: addon() }, { provider });
    new HelmAddon("second", { addon: addon() }, { provider, dependsOn: first.release });
  });
  expect(waitsFor(recording, find(recording, "Namespace", "second/keda-namespace"))).toEqual(["Release first"]);
  expect(waitsFor(recording, find(recording, "Release", "second"))).toEqual([
    "Namespace second/keda-namespace",
    "Release first",
  ]);
});

test("transform edits a copy of the values, and may put secrets in", async () => {
  const original = addon();
  const recording = await record(
    () =>
      new HelmAddon(
        "keda",
        {
          addon: original,
          transform: (values) => {
            values.replicas = 3;
            values.labels.password = pulumi.secret("hunter2") as unknown as string;
          },
        },
        { provider: clusterProvider() },
      ),
  );
  expect(original.values).toEqual({ replicas: 2, labels: { a: "b" } });
  const { values } = find(recording, "Release", "keda").inputs;
  expect(values).toEqual({ replicas: 3, labels: { a: "b", password: "[secret]" } });
  expect(JSON.stringify(recording)).not.toContain("hunter2");
});

test("an identity that is not known yet hides its own value only", async () => {
  class Cluster extends pulumi.CustomResource {
    constructor() {
      super("aws:eks/cluster:Cluster", "cluster", {});
    }
  }
  const recording = await record(() => {
    const values = { ...addon().values, cluster: ref("cluster-name", new Cluster().id) };
    new HelmAddon("keda", { addon: addon({ values }) }, { provider: clusterProvider("kubernetes") });
  });
  expect(find(recording, "Release", "keda").inputs.values).toEqual({
    replicas: 2,
    labels: { a: "b" },
    cluster: "[unknown]",
  });
  expect(waitsFor(recording, find(recording, "Release", "keda"))).toContain("Cluster cluster");
});

test("it says what it provides, and refuses the ambient cluster", async () => {
  let provides: readonly string[] = [];
  await record(() => {
    provides = new HelmAddon("keda", { addon: addon() }, { provider: clusterProvider() }).provides;
  });
  expect(provides).toEqual(["keda.sh/v1alpha1 ScaledObject"]);
  await expect(record(() => new HelmAddon("keda", { addon: addon() }))).rejects.toThrow(
    /HelmAddon "keda" has no Kubernetes provider/,
  );
});
