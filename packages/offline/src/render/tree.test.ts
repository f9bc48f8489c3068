import { expect, test } from "vitest";
import { UserError } from "../errors.ts";
import type { JsonValue, RecordedResource, Recording } from "../recording.ts";
import { renderTree } from "./tree.ts";

type Inputs = Readonly<Record<string, JsonValue>>;

function resource(type: string, name: string, inputs: Inputs): RecordedResource {
  const urn = `urn:pulumi:dev::shop::${type}::${name}`;
  return { urn, type, name, custom: true, parent: "", inputs, options: {} };
}

function recording(...resources: readonly RecordedResource[]): Recording {
  return { project: "shop", stack: "dev", resources, outputs: {}, logs: [] };
}

function configMap(resourceName: string, metadata: Inputs, more: Inputs = {}): RecordedResource {
  return resource("kubernetes:core/v1:ConfigMap", resourceName, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata,
    ...more,
  });
}

function release(resourceName: string, inputs: Inputs): RecordedResource {
  return resource("kubernetes:helm.sh/v3:Release", resourceName, inputs);
}

test("an object is a file, type and name first", () => {
  const tree = renderTree(
    recording(
      configMap("a", { labels: { team: "search" }, name: "a", namespace: "search" }, { data: { debug: "no" } }),
    ),
  );
  expect(tree).toEqual({
    files: [
      {
        path: "search/configmap-a.yaml",
        content:
          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: search\n  labels:\n    team: search\n" +
          'data:\n  debug: "no"\n',
      },
    ],
    notes: [],
  });
});

test("a secret in the values of a release is left out, and a note names its path", () => {
  const tree = renderTree(
    recording(
      release("prometheus", {
        name: "prometheus",
        namespace: "monitoring",
        chart: "kube-prometheus-stack",
        version: "1.2.3",
        values: {
          grafana: { adminPassword: "[secret]", adminUser: "admin" },
          receivers: ["plain", "https://[secret]@example.com"],
          remote: [{ name: "a", token: "[secret]" }],
        },
      }),
    ),
  );
  expect(tree.files).toEqual([
    {
      path: "helm/prometheus.yaml",
      content:
        'name: prometheus\nnamespace: monitoring\nchart: kube-prometheus-stack\nversion: "1.2.3"\nrepository: ""\n' +
        "skipCrds: false\nvalues:\n  grafana:\n    adminUser: admin\n  remote:\n    - name: a\n",
    },
  ]);
  const note = (path: string) =>
    `helm/prometheus.yaml: values.${path} is a secret and left out; give it to Helm another way`;
  expect(tree.notes).toEqual([note("grafana.adminPassword"), note("receivers.1"), note("remote.0.token")]);
});

test("an object with a secret is left out, and a note names its path", () => {
  const tree = renderTree(recording(configMap("a", { name: "a" }, { data: { password: "[secret]" } })));
  expect(tree).toEqual({ files: [], notes: ["_cluster/configmap-a.yaml: left out, it holds data.password"] });
});

test("what only a deployment knows has a note", () => {
  const tree = renderTree(recording(configMap("a", { name: "a" }, { data: { arn: "[unknown]" } })));
  expect(tree.notes).toEqual(["_cluster/configmap-a.yaml: data.arn is known only at deployment"]);
});

test("annotations of Pulumi are not of the object", () => {
  const pulumi = { "pulumi.com/patchForce": "true", "pulumi.com/waitFor": "condition=Ready" };
  const tree = renderTree(
    recording(
      configMap("a", { annotations: pulumi, name: "a" }),
      configMap("b", { annotations: { ...pulumi, "example.com/pulumi.com": "kept" }, name: "b" }),
    ),
  );
  expect(tree.files.map((f) => f.content)).toEqual([
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations:\n    example.com/pulumi.com: kept\n",
  ]);
});

test("two resources for one object are an error that names both", () => {
  const both = recording(
    configMap("east", { name: "a", namespace: "search" }),
    configMap("west", { name: "a", namespace: "search" }),
  );
  expect(() => renderTree(both)).toThrow(UserError);
  expect(() => renderTree(both)).toThrow(
    "two resources would be search/configmap-a.yaml: urn:pulumi:dev::shop::kubernetes:core/v1:ConfigMap::east and " +
      "urn:pulumi:dev::shop::kubernetes:core/v1:ConfigMap::west; both are ConfigMap search/a.",
  );
});

test("names that differ only in what a file name cannot hold are an error too", () => {
  const both = recording(configMap("a", { name: "a:b" }), configMap("b", { name: "a/b" }));
  expect(() => renderTree(both)).toThrow("they are ConfigMap a:b and ConfigMap a/b");
});

test("one kind of two API groups, and one release name in two namespaces, are two files", () => {
  const service = (apiVersion: string) =>
    resource(`kubernetes:${apiVersion}:Service`, apiVersion, {
      apiVersion,
      kind: "Service",
      metadata: { name: "web", namespace: "shop" },
    });
  const tree = renderTree(
    recording(
      service("v1"),
      service("serving.knative.dev/v1"),
      release("a", { name: "redis", namespace: "a" }),
      release("b", { name: "redis", namespace: "b" }),
    ),
  );
  expect(tree.files.map((f) => f.path)).toEqual([
    "helm/a-redis.yaml",
    "helm/b-redis.yaml",
    "shop/service-web.yaml",
    "shop/service.serving.knative.dev-web.yaml",
  ]);
});

test("two releases of one name and namespace are an error", () => {
  const both = recording(release("a", { name: "redis" }), release("b", { name: "redis" }));
  expect(() => renderTree(both)).toThrow("both are Helm release default/redis");
});
