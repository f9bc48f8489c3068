import { expect, test } from "vitest";
import { resolveService } from "../check.ts";
import { standalone } from "../context.ts";
import type { Service } from "../platform/props.ts";
import { resolvePlatform } from "../platform/resolve.ts";
import { cpuPool, gpuPool } from "../pool/declare.ts";
import type { IngressNamespaces } from "./common-props.ts";
import { onnx, vllm } from "./declare.ts";

const size = { min: 1, max: 2 };
const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });

const qwen = (own: { readonly ingressNamespaces?: IngressNamespaces } = {}) =>
  vllm({ name: "qwen", team: "labs", model: "Qwen/Qwen3-4B", pool: l40s, maxModelLen: 8192, ...own });
const bge = (own: { readonly ingressNamespaces?: IngressNamespaces } = {}) =>
  onnx({ name: "bge", team: "labs", model: "BAAI/bge-small-en-v1.5", pool: amx, ...own });

const alone = (service: Service) => resolveService(service).service?.ingressNamespaces;

/** What the services of a platform let in, the platform itself saying `said`. */
function within(services: readonly Service[], said?: IngressNamespaces) {
  const resolved = resolvePlatform({
    environment: "dev",
    pools: [l40s, amx],
    services,
    ...(said === undefined ? {} : { ingressNamespaces: said }),
  });
  return resolved.services.map(({ ingressNamespaces }) => ingressNamespaces);
}

test("left out, nobody but the service's own namespace is let in", () => {
  expect(alone(qwen())).toEqual([]);
  expect(alone(bge())).toEqual([]);
  expect(within([qwen(), bge()])).toEqual([[], []]);
});

test("what the platform says holds for every service that says nothing itself", () => {
  expect(within([qwen(), bge()], ["gateway"])).toEqual([["gateway"], ["gateway"]]);
  expect(within([qwen({ ingressNamespaces: [] }), bge({ ingressNamespaces: "any" })], ["gateway"])).toEqual([
    [],
    "any",
  ]);
  expect(within([qwen(), bge()], "any")).toEqual(["any", "any"]);
});

test("the whole cluster is let in by a word, not by a pattern and not by an empty value", () => {
  const findings = (ingressNamespaces: unknown) =>
    resolveService(qwen({ ingressNamespaces } as { ingressNamespaces: IngressNamespaces }), standalone).findings.filter(
      ({ path }) => path.includes("ingressNamespaces"),
    );
  expect(findings("any")).toEqual([]);
  expect(findings(["*"])).toMatchObject([
    { severity: "error", remedy: 'write ingressNamespaces: "any" to let in the whole cluster' },
  ]);
  expect(findings("gateway")).toMatchObject([{ severity: "error" }]);
  expect(findings(null)).toMatchObject([{ severity: "error" }]);
});
