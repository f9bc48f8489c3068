import { expect, test } from "vitest";
import { Namespaces } from "./namespaces.ts";
import { chart, one, type Rendered, synthesised } from "./testing/fixtures.ts";

const search = {
  name: "search",
  teams: ["search"],
  labels: { "capstan.dev/team": "search", "pod-security.kubernetes.io/enforce": "restricted" },
  quota: { "requests.nvidia.com/gpu": "8", "requests.nvidia.com/mig-1g.10gb": "0" },
};
const support = { ...search, name: "support", quota: {} };

function render(): Rendered[] {
  // A chart with a namespace of its own, which must not end up in a Namespace object.
  const c = chart("other");
  new Namespaces(c, "namespaces", { namespaces: [search, support] });
  return synthesised(c);
}

test("each namespace with the labels that were resolved, pod security among them", () => {
  expect(
    render()
      .filter((o) => o.kind === "Namespace")
      .map((o) => o.metadata),
  ).toEqual([
    { name: "search", labels: search.labels },
    { name: "support", labels: search.labels },
  ]);
});

test("a quota where there is one, in its namespace and without the labels that admit pods", () => {
  const quota = one(render(), "ResourceQuota");
  expect(quota.metadata).toEqual({ name: "capstan", namespace: "search", labels: { "capstan.dev/team": "search" } });
  expect(quota.spec.hard).toEqual({ "requests.nvidia.com/gpu": "8", "requests.nvidia.com/mig-1g.10gb": "0" });
});

test("children: their ids are part of resource names, and no two namespaces can share one", () => {
  const odd = { ...search, name: "search-quota" };
  const namespaces = new Namespaces(chart(), "namespaces", { namespaces: [search, odd] });
  expect(namespaces.node.children.map((child) => child.node.id)).toEqual([
    "namespace-search",
    "quota-search",
    "namespace-search-quota",
    "quota-search-quota",
  ]);
  expect([...namespaces.objects.keys()]).toEqual(["search", "search-quota"]);
});

test("a transform sees every namespace", () => {
  const c = chart();
  new Namespaces(c, "namespaces", {
    namespaces: [search, support],
    transform: {
      namespace: (manifest) => {
        if (manifest.metadata?.name === "support") manifest.metadata.annotations = { owner: "support" };
      },
    },
  });
  expect(synthesised(c).find((o) => o.metadata.name === "support")?.metadata.annotations).toEqual({ owner: "support" });
});
