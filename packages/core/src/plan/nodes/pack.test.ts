import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resolvePool, resolveService } from "../../check.ts";
import { cpuPool, gpuPool } from "../../pool/declare.ts";
import type { ResolvedPool } from "../../pool/resolved.ts";
import { mig, timeSlicing } from "../../pool/sharing.ts";
import { onnx, vllm } from "../../service/declare.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { nodesFor, podsPerNode } from "./pack.ts";

const size = { min: 0, max: 100 };

function service(declared: Parameters<typeof resolveService>[0]): ResolvedService {
  const { service: resolved, findings } = resolveService(declared);
  if (!resolved) throw new Error(JSON.stringify(findings));
  return resolved;
}

const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size });
const whole = service(vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool: l40s, maxModelLen: 4096 }));

function poolOf(declared: Parameters<typeof resolvePool>[0]): ResolvedPool {
  const { pool } = resolvePool(declared);
  if (!pool) throw new Error("not resolved");
  return pool;
}

test("one GPU a node: as many nodes as pods", () => {
  expect(podsPerNode(whole)).toBe(1);
  expect(nodesFor(poolOf(l40s), [{ service: whole, replicas: 5 }])).toBe(5);
  expect(nodesFor(poolOf(l40s), [])).toBe(0);
});

test("seven slices of an H100 hold seven pods, the eighth needs a node", () => {
  const pool = gpuPool({ name: "h100", instanceType: "p5.4xlarge", sharing: mig("1g.10gb"), size });
  const slice = service(vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool, maxModelLen: 4096 }));
  expect(podsPerNode(slice)).toBe(7);
  expect(nodesFor(poolOf(pool), [{ service: slice, replicas: 7 }])).toBe(1);
  expect(nodesFor(poolOf(pool), [{ service: slice, replicas: 8 }])).toBe(2);
});

test("host CPU limits shared slots: 4 vCPUs less reserve hold one pod of two vCPUs, not four", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.xlarge", sharing: timeSlicing(4), size });
  const shared = service(
    vllm({ name: "a", team: "t", model: "Qwen/Qwen2.5-0.5B-Instruct", pool, maxModelLen: 1024, cpus: 2 }),
  );
  // 4000m - 80m kubelet - 355m agents = 3565m.
  expect(poolOf(pool).allocatable.cpuMillis).toBe(3565);
  expect(podsPerNode(shared)).toBe(1);
});

test("pinned pods take whole cores: 32 vCPUs less one core hold two pods of 14 and not of 16", () => {
  const pool = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
  const pod = (cpus: number) => service(onnx({ name: "a", team: "t", model: "BAAI/bge-small-en-v1.5", pool, cpus }));
  expect(podsPerNode(pod(14))).toBe(2);
  expect(podsPerNode(pod(16))).toBe(1);
  expect(podsPerNode(pod(30))).toBe(1);
  expect(podsPerNode(pod(32))).toBe(0);
});

test("a pod that never fits needs no node: the rules say so, the plan does not loop", () => {
  const pool = cpuPool({ name: "small", instanceTypes: ["c7i.xlarge"], size });
  const large = service(onnx({ name: "a", team: "t", model: "BAAI/bge-small-en-v1.5", pool, cpus: 64 }));
  expect(nodesFor(poolOf(pool), [{ service: large, replicas: 3 }])).toBe(0);
});

test("never more than one node a pod, never less than the cores ask for", () => {
  const pool = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
  const pods = [2, 4, 6, 14].map((cpus) =>
    service(onnx({ name: `s${cpus}`, team: "t", model: "BAAI/bge-small-en-v1.5", pool, cpus })),
  );
  const resolved = poolOf(pool);
  fc.assert(
    fc.property(fc.array(fc.nat(12), { minLength: 4, maxLength: 4 }), (replicas) => {
      const groups = pods.map((s, i) => ({ service: s, replicas: replicas[i] ?? 0 }));
      const nodes = nodesFor(resolved, groups);
      expect(nodes).toBeLessThanOrEqual(replicas.reduce((a, b) => a + b, 0));
      const vcpus = groups.reduce((sum, g) => sum + g.replicas * g.service.resources.cpus, 0);
      expect(nodes).toBeGreaterThanOrEqual(Math.ceil(vcpus / 30));
    }),
    { numRuns: 200 },
  );
});

test("a mistyped number of replicas is counted up to the limit and no further", () => {
  expect(nodesFor(poolOf(l40s), [{ service: whole, replicas: 300_000_000 }], 50)).toBe(50);
});
