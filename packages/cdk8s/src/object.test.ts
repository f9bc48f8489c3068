import { ApiObject, App, Chart, type IResolver, JsonPatch, Lazy } from "cdk8s";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createClusterObject, createObject } from "./object.ts";
import { chart, synthesised } from "./testing/fixtures.ts";

// cdk8s drops null and undefined by design; every other JSON value has to come out as it went in.
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.boolean(),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1 }).filter(safeKey), tie("any"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any;

/** Keys that mean something to JavaScript or to cdk8s' own lazy values, not to Kubernetes. */
function safeKey(key: string): boolean {
  return !["__proto__", "constructor", "toJSON", "toString", "valueOf", "produce"].includes(key);
}

test("the short way writes what cdk8s itself writes", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }).filter(safeKey), value, { noNullPrototype: true }),
      (spec) => {
        const c = chart("search");
        const manifest = {
          apiVersion: "v1",
          kind: "X",
          metadata: { name: "x", labels: { b: "1", a: "2" } },
          spec: { ...spec, gone: null },
        };
        const ours = createObject(c, "ours", manifest, undefined).toJson();
        const theirs = new ApiObject(c, "theirs", manifest).toJson();
        // As text, so that the order of keys counts.
        expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
      },
    ),
  );
});

test("what is not plain data is left to cdk8s: lazy values, resolvers, patches, metadata", () => {
  const resolver: IResolver = {
    resolve: (context) => {
      if (context.value === "replace me") context.replaceValue("replaced");
    },
  };
  const c = new Chart(new App({ resolvers: [resolver] }), "resolved");
  const lazy = createObject(
    chart(),
    "x",
    { apiVersion: "v1", kind: "X", spec: { a: Lazy.any({ produce: () => 7 }) } },
    undefined,
  );
  const resolved = createObject(c, "x", { apiVersion: "v1", kind: "X", spec: { a: "replace me" } }, undefined);
  const patched = createObject(chart(), "x", { apiVersion: "v1", kind: "X", spec: { a: 1 } }, undefined);
  patched.addJsonPatch(JsonPatch.replace("/spec/a", 2));
  patched.metadata.addLabel("team", "search");
  expect(lazy.toJson().spec).toEqual({ a: 7 });
  expect(resolved.toJson().spec).toEqual({ a: "replaced" });
  expect(patched.toJson()).toMatchObject({ metadata: { labels: { team: "search" } }, spec: { a: 2 } });
});

test("every field that goes in comes out", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }).filter(safeKey), value, { noNullPrototype: true }),
      (spec) => {
        const object = createObject(
          chart("search"),
          "x",
          { apiVersion: "v1", kind: "X", metadata: { name: "x" }, spec },
          undefined,
        );
        expect(object.toJson()).toEqual({
          apiVersion: "v1",
          kind: "X",
          metadata: { name: "x", namespace: "search" },
          spec,
        });
      },
    ),
  );
});

test("extended resources, the sleep action and empty values come out of the YAML (CDK-01, CDK-02)", () => {
  const container = {
    resources: {
      limits: {
        cpu: 8,
        memory: "64Gi",
        "ephemeral-storage": "50Gi",
        "nvidia.com/gpu": 1,
        "nvidia.com/mig-1g.10gb": 1,
        "nvidia.com/gpu.shared": 1,
        "vpc.amazonaws.com/efa": 32,
        "hugepages-2Mi": "5120Mi",
      },
      claims: [{ name: "gpu", request: "one" }],
    },
    lifecycle: { preStop: { sleep: { seconds: 15 } } },
    emptyDir: {},
    args: [],
    storageClassName: "",
    readOnly: false,
    replicas: 0,
  };
  const c = chart();
  createObject(c, "x", { apiVersion: "v1", kind: "X", metadata: { name: "x" }, container }, undefined);
  expect(synthesised(c)[0]?.container).toEqual(container);
});

test("the name is the given one, without a hash (CDK-07)", () => {
  const c = chart();
  createObject(c, "some-id", { apiVersion: "v1", kind: "X", metadata: { name: "llama-8b" } }, undefined);
  expect(synthesised(c)[0]?.metadata.name).toBe("llama-8b");
});

test("a transform edits in place or returns another manifest, and runs on a copy", () => {
  const labels = Object.freeze({ team: "search" });
  const manifest = Object.freeze({ apiVersion: "v1", kind: "X", metadata: { name: "x", labels } });
  const edited = createObject(chart(), "edited", manifest, (m) => {
    (m.metadata.labels as Record<string, string>).team = "other";
  });
  expect(edited.toJson().metadata.labels).toEqual({ team: "other" });
  const returned = createObject(chart(), "returned", manifest, (m) => ({
    ...m,
    metadata: { ...m.metadata, name: "y" },
  }));
  expect(returned.toJson().metadata.name).toBe("y");
  expect(labels).toEqual({ team: "search" });
});

test("an object of the cluster has no namespace, whatever the chart's is", () => {
  const c = chart("search");
  createClusterObject(c, "x", { apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "x" } }, undefined);
  expect(synthesised(c)[0]?.metadata).toEqual({ name: "x" });
  expect(ApiObject.isApiObject(c.node.findChild("x"))).toBe(true);
});

test("an object of the cluster in a chart without namespace synthesises too", () => {
  const c = new Chart(new App(), "plain");
  createClusterObject(c, "x", { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } }, undefined);
  expect(synthesised(c)[0]?.metadata).toEqual({ name: "x" });
});
