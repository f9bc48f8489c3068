import fc from "fast-check";
import { expect, test } from "vitest";
import type { Manifest } from "./manifest.ts";
import { manifestFindings, manifestPath } from "./manifest-findings.ts";
import { manifestRules } from "./registry.ts";

const floating: Manifest = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "debug", namespace: "search", labels: { "capstan.dev/team": "search" } },
  spec: { containers: [{ name: "sh", image: "ubuntu:latest" }] },
};

test("a finding names the object and the place in it", () => {
  expect(manifestFindings(floating)).toEqual([
    {
      id: "manifest.image.floating",
      severity: "error",
      path: "manifests/Pod/search/debug.spec.containers.0.image",
      message: "tag latest of ubuntu:latest moves",
      remedy: "name a release tag, better a digest",
      reference: "Kubernetes images, image names",
      acknowledged: null,
    },
  ]);
});

test("an annotation acknowledges a rule with a reason", () => {
  const annotations = { "capstan.dev/acknowledge": '{"manifest.image.floating": "mirrored by digest at admission"}' };
  const [finding, ...more] = manifestFindings({ ...floating, metadata: { ...floating.metadata, annotations } });
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ severity: "warning", acknowledged: "mirrored by digest at admission" });
});

test.each(["", "no JSON", "[]", "null", '{"manifest.image.floating": 1}'])(
  "an annotation of %j acknowledges nothing",
  (text) => {
    const annotations = { "capstan.dev/acknowledge": text };
    const findings = manifestFindings({ ...floating, metadata: { ...floating.metadata, annotations } });
    expect(findings.map((f) => [f.severity, f.acknowledged])).toEqual([["error", null]]);
  },
);

test("the path has what the object has", () => {
  expect(manifestPath({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "a" } })).toBe(
    "manifests/PersistentVolume/a",
  );
  expect(manifestPath({ kind: "Pod" } as unknown as Manifest)).toBe("manifests/Pod");
});

/** A value that is known only at deployment: nothing can be read from it, and reading must not hurt. */
const unknown = new Proxy({}, { get: (_, key) => (key === "__pulumiOutput" ? true : undefined) });

test("what is known only at deployment is not judged", () => {
  const manifest = {
    ...floating,
    spec: { containers: [{ name: "sh", image: unknown, env: unknown, resources: { limits: unknown } }] },
  };
  expect(manifestFindings(manifest)).toEqual([]);
  expect(manifestFindings({ ...floating, spec: unknown })).toEqual([]);
});

const anything = fc.anything({ maxDepth: 4, withNullPrototype: true, withBigInt: true, withDate: true });

test("property: no object makes a rule throw", () => {
  fc.assert(
    fc.property(
      anything,
      fc.constantFrom("Pod", "Deployment", "ScaledObject", "ConfigMap", "PodDisruptionBudget"),
      (value, kind) => {
        const objects = [value, { kind, apiVersion: "keda.sh/v1alpha1", metadata: value, spec: value }];
        for (const object of objects) manifestFindings(fcObject(object));
      },
    ),
    { numRuns: 1000 },
  );
});

/** The rules are given objects; what is inside may be anything. */
function fcObject(value: unknown): Manifest {
  return (typeof value === "object" && value !== null ? value : {}) as Manifest;
}

const examples = manifestRules.flatMap((rule) => [...rule.examples.bad, ...rule.examples.good]).map((e) => e.declare());

test("property: no rule throws where one field of a real object is something else", () => {
  fc.assert(
    fc.property(fc.constantFrom(...examples), fc.infiniteStream(fc.nat()), anything, (manifest, picks, value) => {
      expect(Array.isArray(manifestFindings(fcObject(replaced(manifest, picks, value))))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

/** A copy with one field somewhere replaced; the picks choose the way down. */
function replaced(node: unknown, picks: Iterator<number>, value: unknown): unknown {
  const pick = picks.next().value as number;
  if (typeof node !== "object" || node === null || pick % 5 === 0) return value;
  const keys = Object.keys(node);
  const key = keys[pick % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const child = replaced((node as Record<string, unknown>)[key], picks, value);
  if (Array.isArray(node)) return node.map((item, i) => (String(i) === key ? child : item));
  return { ...node, [key]: child };
}
