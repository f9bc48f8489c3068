import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nvmeCache } from "../cache/props.ts";
import { DeclarationError } from "../finding.ts";
import { hub, s3, secretKey } from "../model/source.ts";
import { cpuPool, gpuPool } from "../pool/declare.ts";
import { timeSlicing } from "../pool/sharing.ts";
import { fixed, onCpu, onQueue } from "../scaling/props.ts";
import { onnx, vllm } from "../service/declare.ts";
import type { OnnxProps } from "../service/onnx-props.ts";
import type { VllmProps } from "../service/vllm-props.ts";
import { existingPrometheus, kubecost, type PlatformProps } from "./props.ts";
import { platform, resolvePlatform } from "./resolve.ts";

const token = hub({ token: secretKey("hf-token", "token") });
const raid = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 }, localStorage: "raid0" });
const sharedL4 = gpuPool({ name: "l4", instanceType: "g6.4xlarge", size: { min: 0, max: 2 }, sharing: timeSlicing(2) });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 4 } });

function llama(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "llama",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: raid,
    maxModelLen: 8192,
    source: token,
    ...props,
  });
}

function small(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "qwen",
    team: "ads",
    model: "Qwen/Qwen2.5-1.5B-Instruct",
    pool: sharedL4,
    maxModelLen: 2048,
    ...props,
  });
}

function bge(props: Partial<OnnxProps> = {}) {
  return onnx({ name: "bge", team: "search", model: "BAAI/bge-small-en-v1.5", pool: amx, ...props });
}

function declared(props: Partial<PlatformProps> = {}): PlatformProps {
  return {
    environment: "dev",
    region: "us-east-1",
    pools: [raid, sharedL4, amx],
    services: [llama(), small(), bge()],
    ...props,
  };
}

describe("namespaces", () => {
  test("one a team, with the quota of its services at their largest and nothing of what it does not use", () => {
    const { namespaces } = resolvePlatform(
      declared({ services: [llama({ scaling: onQueue({ min: 1, max: 5 }) }), small({ scaling: fixed(3) }), bge()] }),
    );
    expect(namespaces.map(({ name, teams, quota }) => ({ name, teams, quota }))).toEqual([
      {
        name: "search",
        teams: ["search"],
        quota: { "requests.nvidia.com/gpu": "5", "requests.nvidia.com/gpu.shared": "0" },
      },
      { name: "ads", teams: ["ads"], quota: { "requests.nvidia.com/gpu": "0", "requests.nvidia.com/gpu.shared": "3" } },
    ]);
  });

  test("a free GPU for the roll-out is in the quota", () => {
    const { namespaces } = resolvePlatform(declared({ services: [llama({ scaling: fixed(2), spareGpu: true })] }));
    expect(namespaces[0]?.quota["requests.nvidia.com/gpu"]).toBe("3");
  });

  test("labels name the team where there is one, and the pods' security level", () => {
    const { namespaces } = resolvePlatform(
      declared({ services: [llama(), llama({ name: "b", team: "ads", namespace: "search" })] }),
    );
    expect(namespaces).toHaveLength(1);
    expect(namespaces[0]?.teams).toEqual(["ads", "search"]);
    expect(namespaces[0]?.labels).toEqual({
      "app.kubernetes.io/managed-by": "capstan",
      "app.kubernetes.io/part-of": "inference-platform",
      "capstan.dev/environment": "dev",
      "pod-security.kubernetes.io/enforce": "restricted",
    });
    const [search] = resolvePlatform(declared({ services: [bge()] })).namespaces;
    expect(search?.labels["capstan.dev/team"]).toBe("search");
  });
});

describe("preloaders", () => {
  const cached = (name: string, weights: string) =>
    vllm({
      name,
      team: "search",
      model: "meta-llama/Llama-3.1-8B-Instruct",
      pool: raid,
      maxModelLen: 8192,
      cache: nvmeCache({ source: s3(`models/${weights}`) }),
    });

  test("one a pool, each model once", () => {
    const { preloaders } = resolvePlatform(
      declared({ services: [cached("a", "llama"), cached("b", "llama"), cached("c", "qwen"), bge()] }),
    );
    expect(preloaders.map((p) => [p.name, p.namespace, p.pool.name])).toEqual([
      ["preload-l40s", "capstan-system", "l40s"],
    ]);
    expect(preloaders[0]?.models.map((m) => m.source)).toEqual([
      { kind: "s3", bucket: "models", prefix: "llama" },
      { kind: "s3", bucket: "models", prefix: "qwen" },
    ]);
  });

  test("none without a cache", () => {
    expect(resolvePlatform(declared()).preloaders).toEqual([]);
  });
});

describe("add-ons follow from pools and services", () => {
  test("GPU Operator for GPUs, KEDA for what it scales, an autoscaler where pools grow", () => {
    const all = resolvePlatform(declared({ services: [llama({ scaling: onQueue({ min: 1, max: 4 }) })] })).addons;
    expect(all).toMatchObject({
      gpuOperator: "install",
      keda: "install",
      clusterAutoscaler: "install",
      kubecost: null,
    });
    expect(all.monitoring).toMatchObject({ mode: "install", retentionDays: 15, storageGib: 50, storageClass: "gp3" });
    const still = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 1 } });
    const none = resolvePlatform(declared({ pools: [still], services: [bge({ pool: still })] })).addons;
    expect(none).toMatchObject({ gpuOperator: "none", keda: "none", clusterAutoscaler: "none" });
  });

  test("what is said wins", () => {
    const { addons, context } = resolvePlatform(
      declared({
        keda: "none",
        gpuOperator: "present",
        cost: kubecost({ clusterId: "search-dev", storageClass: "fast" }),
        monitoring: existingPrometheus({
          prometheusUrl: "http://prometheus:9090",
          namespace: "observability",
          monitorLabels: { release: "x" },
        }),
      }),
    );
    expect(addons).toMatchObject({
      keda: "none",
      gpuOperator: "present",
      kubecost: { clusterId: "search-dev", storageClass: "fast" },
      monitoring: { mode: "present" },
    });
    expect(context).toMatchObject({
      keda: false,
      monitoring: { prometheusUrl: "http://prometheus:9090", scrapeIntervalSeconds: 15 },
    });
  });

  test("node agents tolerate each taint of the pools once", () => {
    expect(resolvePlatform(declared()).addons.nodeAgentTaints).toEqual([
      { key: "capstan.dev/cpu-inference", value: "true", effect: "NoSchedule" },
      { key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" },
    ]);
  });
});

test("production by the environment's name, or as it is said", () => {
  const production = (props: Partial<PlatformProps>) => resolvePlatform(declared(props)).context.production;
  expect(production({ environment: "prod" })).toBe(true);
  expect(production({ environment: "production" })).toBe(true);
  expect(production({ environment: "preprod" })).toBe(false);
  expect(production({ environment: "live", production: true })).toBe(true);
  expect(production({ environment: "prod", production: false })).toBe(false);
});

describe("findings", () => {
  const broken = declared({
    kubernetes: "1.35",
    cost: kubecost({ clusterId: "cluster-one" }),
    pools: [gpuPool({ name: "L4", instanceType: "g6.4xlarge", size: { min: 3, max: 2 } }), raid],
    services: [llama({ name: "70b", scaling: onQueue({ min: 0, max: 4 }) }), bge({ threads: 0 })],
  });

  test("all at once: of pools, services and the whole", () => {
    const ids = resolvePlatform(broken)
      .findings.filter((f) => f.severity === "error")
      .map((f) => [f.id, f.path]);
    expect(ids).toEqual(
      expect.arrayContaining([
        ["pool.name.invalid", "pools.L4.name"],
        ["pool.size.invalid", "pools.L4.size"],
        ["service.name.invalid", "services.70b.name"],
        ["scaling.zero.never-wakes", "services.70b.scaling.min"],
        ["cpu.threads.invalid", "services.bge.threads"],
        ["platform.pool.not-declared", "services.bge.pool"],
        ["platform.kubernetes.unsupported", "platform.kubernetes"],
        ["cost.cluster-id.invalid", "platform.cost.clusterId"],
      ]),
    );
  });

  test("platform() throws once, with every one of them", () => {
    let thrown: unknown;
    try {
      platform(broken);
    } catch (error) {
      thrown = error;
    }
    if (!(thrown instanceof DeclarationError)) throw new Error("nothing was thrown");
    for (const id of [
      "pool.name.invalid",
      "scaling.zero.never-wakes",
      "cpu.threads.invalid",
      "cost.cluster-id.invalid",
    ]) {
      expect(thrown.message).toContain(`[${id}]`);
    }
    // A user's mistake shows no frames.
    expect(thrown.stack).not.toContain("resolve.ts");
  });

  test("a platform without mistakes does not", () => {
    expect(platform(declared()).services.map((s) => s.name)).toEqual(["llama", "qwen", "bge"]);
  });

  test("errors before warnings before infos, the same every time", () => {
    const first = resolvePlatform(broken).findings;
    expect(resolvePlatform(broken).findings).toEqual(first);
    const ranks = first.map((f) => ["error", "warning", "info"].indexOf(f.severity));
    expect(ranks).toEqual([...ranks].sort());
  });

  test("a service that cannot be resolved keeps the others", () => {
    const { services, findings } = resolvePlatform(
      declared({
        services: [llama({ model: "meta-llama/Lama-3.1-8B-Instruct" as "meta-llama/Llama-3.1-8B-Instruct" }), bge()],
      }),
    );
    expect(services.map((s) => s.name)).toEqual(["bge"]);
    expect(findings.find((f) => f.id === "model.unknown")?.message).toContain(
      'did you mean "meta-llama/Llama-3.1-8B-Instruct"',
    );
  });
});

describe("acknowledgements", () => {
  const reason = "scaled by hand in the afternoon";
  const atZero = llama({ scaling: onQueue({ min: 0, max: 4 }) });
  const find = (props: PlatformProps, id: string) => resolvePlatform(props).findings.filter((f) => f.id === id);

  test("of a service: the error becomes a warning that shows the reason", () => {
    const acknowledged = llama({
      scaling: onQueue({ min: 0, max: 4 }),
      acknowledge: { "scaling.zero.never-wakes": reason },
    });
    expect(find(declared({ services: [acknowledged] }), "scaling.zero.never-wakes")).toMatchObject([
      { severity: "warning", acknowledged: reason },
    ]);
  });

  test("of a platform: for everything in it", () => {
    const props = declared({ services: [atZero], acknowledge: { "scaling.zero.never-wakes": reason } });
    expect(find(props, "scaling.zero.never-wakes")).toMatchObject([{ severity: "warning", acknowledged: reason }]);
    expect(find(props, "acknowledge.unused")).toEqual([]);
    expect(() => platform(props)).not.toThrow();
  });

  test("one rule only", () => {
    const props = declared({
      services: [llama({ scaling: onQueue({ min: 0, max: 4 }), name: "70b" })],
      acknowledge: { "scaling.zero.never-wakes": reason },
    });
    expect(find(props, "service.name.invalid")).toMatchObject([{ severity: "error", acknowledged: null }]);
  });

  test.each([
    ["a rule that does not exist", { "scaling.zero.never-wake": reason }, 'there is no rule "scaling.zero.never-wake"'],
    ["a rule that cannot be", { "service.name.invalid": reason }, "service.name.invalid cannot be acknowledged"],
    ["no reason", { "scaling.zero.never-wakes": " " }, "acknowledged without a reason"],
  ])("%s is an error", (_, acknowledge, message) => {
    const [finding] = find(declared({ acknowledge }), "acknowledge.invalid");
    expect(finding).toMatchObject({ severity: "error", path: "platform.acknowledge" });
    expect(finding?.message).toContain(message);
  });

  test("what matched nothing is said, with where it belongs", () => {
    const onService = llama({
      acknowledge: { "scaling.hours.overlap": reason, "platform.namespace.two-teams": reason },
    });
    const unused = find(
      declared({ services: [onService], acknowledge: { "cost.mig-not-attributed": reason } }),
      "acknowledge.unused",
    );
    expect(unused.map((f) => [f.severity, f.path, f.message])).toEqual([
      ["info", "platform.acknowledge", "cost.mig-not-attributed is acknowledged and found nowhere here"],
      ["info", "services.llama.acknowledge", "platform.namespace.two-teams is acknowledged and found nowhere here"],
      ["info", "services.llama.acknowledge", "scaling.hours.overlap is acknowledged and found nowhere here"],
    ]);
    expect(unused[1]?.remedy).toContain("on the platform");
  });
});

const name = fc.constantFrom("a", "b", "A b", "", "x".repeat(70));
const range = fc.record({ min: fc.integer({ min: -2, max: 1e9 }), max: fc.integer({ min: -2, max: 1e9 }) });
const anyPool = fc.oneof(
  fc.record({ name, size: range }).map((p) => gpuPool({ ...p, instanceType: "g6.4xlarge", sharing: timeSlicing(3) })),
  fc.record({ name, size: range }).map((p) => gpuPool({ ...p, instanceType: "p5.48xlarge" })),
  fc.record({ name, size: range }).map((p) => cpuPool({ ...p, instanceTypes: ["c7i.2xlarge"], cpuManager: "static" })),
);
const anyScaling = fc.oneof(range.map(onQueue), range.map(onCpu), fc.integer({ min: -2, max: 1e9 }).map(fixed));
const anyService = fc.oneof(
  fc.record({ name, team: name, pool: anyPool, scaling: anyScaling }).map(llama),
  fc.record({ name, team: name, pool: anyPool, scaling: anyScaling }).map(bge),
);
const anyPlatform: fc.Arbitrary<PlatformProps> = fc.record({
  environment: fc.constantFrom("dev", "prod", "", "A"),
  region: fc.constantFrom("us-east-1", "mars"),
  kubernetes: fc.constantFrom("1.30", "1.34", "1.99", "x"),
  pools: fc.array(anyPool, { maxLength: 4 }),
  services: fc.array(anyService, { maxLength: 5 }),
  gpuOperator: fc.constantFrom("install", "present", "none"),
  keda: fc.constantFrom("install", "present", "none"),
  clusterAutoscaler: fc.constantFrom("install", "present", "none"),
  monitoring: fc.constantFrom<NonNullable<PlatformProps["monitoring"]>>(
    "none",
    existingPrometheus({ prometheusUrl: "", namespace: "", monitorLabels: {} }),
  ),
  cost: fc.string().map((clusterId) => kubecost({ clusterId })),
});

test("property: whatever has the right types gives a platform with findings, and never throws", () => {
  fc.assert(
    fc.property(anyPlatform, (props) => {
      for (const { message, remedy } of resolvePlatform(props).findings) {
        expect(message).not.toMatch(/undefined|NaN|\[object/);
        expect(remedy).not.toMatch(/undefined|NaN|\[object/);
      }
    }),
    { numRuns: 150 },
  );
});
