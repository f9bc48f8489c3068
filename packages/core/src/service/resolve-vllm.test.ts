import { expect, test } from "vitest";
import { nvmeCache } from "../cache/props.ts";
import { resolveService } from "../check.ts";
import { hub, s3, secretKey } from "../model/source.ts";
import { gpuPool } from "../pool/declare.ts";
import { mig, timeSlicing } from "../pool/sharing.ts";
import { onQueue } from "../scaling/props.ts";
import { vllm } from "./declare.ts";
import type { ResolvedVllm } from "./resolved.ts";
import type { VllmProps } from "./vllm-props.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const size = { min: 0, max: 2 };
const commit = "0123456789abcdef0123456789abcdef01234567";
const token = secretKey("hf-token", "token");
const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
const l40sFour = gpuPool({ name: "l40s-4", instanceType: "g6e.12xlarge", size });
const h100 = gpuPool({ name: "h100", instanceType: "p5.4xlarge", size });
const h100Eight = gpuPool({ name: "h100-8", instanceType: "p5.48xlarge", size });
const smallL4Halves = gpuPool({ name: "l4", instanceType: "g6.xlarge", size, sharing: timeSlicing(2) });
const l4Halves = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) });

function resolved(props: Partial<VllmProps>): ResolvedVllm {
  const service = vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    source: hub({ revision: commit, token }),
    maxModelLen: 8192,
    ...props,
  });
  const checked = resolveService(service);
  if (checked.service?.kind !== "vllm") throw new Error(JSON.stringify(checked.findings));
  return checked.service;
}

const small = { model: "meta-llama/Llama-3.2-1B-Instruct", maxModelLen: 4096 } as const;

// 4 vCPUs less 80m of the kubelet (6 %, 1 %, 0.5 %, 0.5 % of a core) and 355m of node agents leave 3.565.
test("CPU is the pod's share of the node, two at least", () => {
  expect(resolved({ ...small, pool: smallL4Halves }).resources.cpus).toBe(2);
  const whole = gpuPool({ name: "l4", instanceType: "g6.xlarge", size });
  expect(resolved({ ...small, pool: whole }).resources.cpus).toBe(3);
});

// Eight vCPUs a GPU at most: 47.5 for one pod of four GPUs would be 47.
test("CPU stops at eight vCPUs a GPU", () => {
  expect(resolved({ pool: l40sFour, gpus: 4 }).resources.cpus).toBe(32);
  expect(resolved({ pool: l40sFour, gpus: 1 }).resources.cpus).toBe(8);
  expect(resolved({ cpus: 5 }).resources.cpus).toBe(5);
});

test("/dev/shm is 1 GiB and 1 GiB a GPU", () => {
  expect(resolved({}).resources.shmGib).toBe(2);
  expect(resolved({ pool: l40sFour, gpus: 4 }).resources.shmGib).toBe(5);
});

// 16,060,522,496 B are 14.96 GiB: 8 for the engine, all of the weights in page cache, 2 of /dev/shm.
test("host memory holds engine, weights and /dev/shm where the node has room", () => {
  expect(resolved({}).resources.memoryMib).toBe(25 * 1024);
});

// On 13 GiB there is no room for the page cache, so it is the engine's 8 and a shard of 1.2 x 10: more than the node has,
// which a rule says.
test("host memory never falls below what loading takes", () => {
  const tight = gpuPool({ name: "l4", instanceType: "g6.xlarge", size });
  expect(resolved({ pool: tight }).resources.memoryMib).toBe(20 * 1024);
  expect(resolved({ memoryGib: 30 }).resources.memoryMib).toBe(30 * 1024);
});

// 5 GiB of compile caches and 1.1 x 14.96 of a download, rounded up to 22; 4 of /tmp; 2 of logs.
test("disk holds a download only where there is one", () => {
  expect(resolved({}).resources.ephemeralGib).toBe(28);
  expect(resolved({ source: s3("models/llama") }).resources.ephemeralGib).toBe(11);
  expect(
    resolved({ source: s3("models/llama"), cache: nvmeCache({ source: s3("models/llama") }) }).resources.ephemeralGib,
  ).toBe(11);
});

test("arguments: the model first, then one flag=value each, switches, and the user's own last", () => {
  const service = resolved({
    pool: l40sFour,
    tensorParallel: 2,
    maxNumSeqs: 128,
    maxNumBatchedTokens: 4096,
    kvCacheDtype: "fp8",
    dtype: "bfloat16",
    toolCallParser: "llama3_json",
    reasoningParser: "qwen3",
    enforceEager: true,
    prefixCaching: false,
    trustRemoteCode: true,
    lora: { maxAdapters: 4, maxRank: 16 },
    drainSeconds: 60,
    gpuMemoryUtilization: 0.85,
    extraArgs: ["--seed=1"],
  });
  expect(service.args).toEqual([
    "meta-llama/Llama-3.1-8B-Instruct",
    "--served-model-name=meta-llama/Llama-3.1-8B-Instruct",
    "--port=8000",
    `--revision=${commit}`,
    "--tensor-parallel-size=2",
    "--max-model-len=8192",
    "--max-num-seqs=128",
    "--max-num-batched-tokens=4096",
    "--gpu-memory-utilization=0.85",
    "--kv-cache-dtype=fp8",
    "--dtype=bfloat16",
    "--tool-call-parser=llama3_json",
    "--reasoning-parser=qwen3",
    "--max-loras=4",
    "--max-lora-rank=16",
    "--shutdown-timeout=60",
    "--enforce-eager",
    "--no-enable-prefix-caching",
    "--enable-auto-tool-choice",
    "--enable-lora",
    "--trust-remote-code",
    "--seed=1",
  ]);
});

test("a minimal service says only what it must", () => {
  expect(resolved({ source: hub({ token }) }).args).toEqual([
    "meta-llama/Llama-3.1-8B-Instruct",
    "--served-model-name=meta-llama/Llama-3.1-8B-Instruct",
    "--port=8000",
    "--max-model-len=8192",
    "--gpu-memory-utilization=0.92",
    "--shutdown-timeout=120",
  ]);
});

test("S3 is streamed, a cache is read from its mount, and neither has a revision", () => {
  const streamed = resolved({ source: s3("models/llama") });
  expect(streamed.args[0]).toBe("s3://models/llama");
  expect(streamed.args).toContain("--load-format=runai_streamer");
  const cached = resolved({
    cache: nvmeCache({ source: hub({ revision: commit, token }) }),
    source: hub({ revision: commit, token }),
  });
  expect(cached.args[0]).toBe("/models");
  expect(cached.args.some((arg) => /^--(load-format|revision)/.test(arg))).toBe(false);
});

test("a version without --shutdown-timeout is not given it", () => {
  expect(resolved({ engineVersion: "0.17.1" }).args.some((arg) => arg.startsWith("--shutdown-timeout"))).toBe(false);
  expect(resolved({ engineVersion: "0.18.1" }).args).toContain("--shutdown-timeout=120");
});

test("the hub's token is there only where the server downloads from the hub itself", () => {
  expect(resolved({}).secretEnvironment).toEqual([{ name: "HF_TOKEN", secret: token }]);
  expect(resolved({ source: s3("models/llama") }).secretEnvironment).toEqual([]);
  const cached = resolved({ cache: nvmeCache({ source: hub({ revision: commit, token }) }) });
  expect(cached.secretEnvironment).toEqual([]);
  expect(cached.environmentVariables).toContainEqual({ name: "HF_HUB_OFFLINE", value: "1" });
  expect(resolved({}).environmentVariables.some(({ name }) => name === "HF_HUB_OFFLINE")).toBe(false);
});

test("a variable of the user's takes the place of our own", () => {
  const service = resolved({ environmentVariables: [{ name: "HF_HOME", value: "/tmp/hub" }] });
  expect(service.environmentVariables.filter(({ name }) => name === "HF_HOME")).toEqual([
    { name: "HF_HOME", value: "/tmp/hub" },
  ]);
});

// 0.9 of the card for two engines is 0.45 each.
test("on a shared GPU utilisation and KV cache are fixed", () => {
  const service = resolved({ ...small, pool: l4Halves });
  const memory = service.memory;
  if (!memory?.supported) throw new Error("no figures");
  expect(service.gpuMemoryUtilization).toBe(0.45);
  const bytes = service.kvCacheBytes ?? 0;
  expect(bytes % (64 * MIB)).toBe(0);
  // 0.45 x 22.49 GiB less 2.3 GiB of weights and some 1.4 of activations and graphs.
  expect(bytes / GIB).toBeGreaterThan(5.5);
  expect(bytes / GIB).toBeLessThan(7.5);
  expect(service.args).toContain(`--kv-cache-memory-bytes=${bytes}`);
  const { weightsGib, activationGib, nonTorchGib, samplerTablesGib, cudaGraphGib } = memory.memory;
  const all = weightsGib + activationGib + nonTorchGib + samplerTablesGib + cudaGraphGib + bytes / GIB;
  expect(all).toBeLessThanOrEqual(0.45 * 22.494140625);
});

test("a whole GPU leaves the KV cache to the engine, and a given size is rounded down to 64 MiB", () => {
  expect(resolved({}).kvCacheBytes).toBeNull();
  // 3.03 GiB are 48.48 steps of 64 MiB.
  expect(resolved({ kvCacheGib: 3.03 }).kvCacheBytes).toBe(3 * GIB);
});

test("nothing is left to fix where the model does not fit the share", () => {
  expect(resolved({ pool: l4Halves, maxModelLen: 4096 }).kvCacheBytes).toBeNull();
});

// 15 s before SIGTERM and 30 s of clean-up: 75 of the two minutes of a spot node are left for requests.
test("the drain fits the notice of a spot node", () => {
  const spot = gpuPool({
    name: "spot",
    instanceType: "g6e.2xlarge",
    alternativeInstanceTypes: ["g6e.4xlarge"],
    size,
    capacity: "spot",
  });
  expect(resolved({ pool: spot }).drain).toEqual({ preStopSeconds: 15, drainSeconds: 75, graceSeconds: 120 });
  expect(resolved({}).drain).toEqual({ preStopSeconds: 15, drainSeconds: 120, graceSeconds: 165 });
  expect(resolved({ drainSeconds: 300 }).drain.graceSeconds).toBe(345);
});

test("GPUs follow the split, and the split follows the GPUs", () => {
  const split = (props: Partial<VllmProps>) => {
    const { gpus, tensorParallel, pipelineParallel } = resolved({ pool: h100Eight, ...props });
    return [gpus, tensorParallel, pipelineParallel];
  };
  expect(split({})).toEqual([1, 1, 1]);
  expect(split({ gpus: 4 })).toEqual([4, 4, 1]);
  expect(split({ tensorParallel: 4 })).toEqual([4, 4, 1]);
  expect(split({ tensorParallel: 4, pipelineParallel: 2 })).toEqual([8, 4, 2]);
  expect(split({ gpus: 8, pipelineParallel: 2 })).toEqual([8, 4, 2]);
  expect(resolved({ pool: h100Eight, gpus: 4 }).resources.accelerator).toEqual({
    resource: "nvidia.com/gpu",
    count: 4,
  });
});

// facts/vllm-by-version.md 1.1: 1024 sequences and 8192 tokens from 70 GiB up, else 256 and 2048.
test("batch sizes are the engine's own for the GPU", () => {
  expect(resolved({ pool: h100 })).toMatchObject({ maxNumSeqs: 1024, maxNumBatchedTokens: 8192 });
  expect(resolved({})).toMatchObject({ maxNumSeqs: 256, maxNumBatchedTokens: 2048 });
  expect(resolved({ maxNumSeqs: 32 })).toMatchObject({ maxNumSeqs: 32, maxNumBatchedTokens: 2048 });
});

test("names", () => {
  const service = resolved({
    source: s3("models/llama"),
    cache: nvmeCache({ source: s3("models/llama") }),
    namespace: "llm",
  });
  expect(service.namespace).toBe("llm");
  expect(service.cache).toMatchObject({
    kind: "nvme",
    preloader: "preload-l40s",
    claimName: "llama-8b-model",
    volumeName: "llm-llama-8b-model",
  });
  expect(service.selector).toEqual({ "app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llama-8b" });
  expect(service.labels).toMatchObject({
    "capstan.dev/team": "search",
    "capstan.dev/model": "meta-llama--Llama-3.1-8B-Instruct",
    "capstan.dev/pool": "l40s",
  });
  expect(resolved({}).namespace).toBe("search");
  expect(service.imageReference).toBe("vllm/vllm-openai:v0.33.0");
});

test("the selector is the same for another model, image and GPU", () => {
  const other = resolved({ ...small, pool: h100, engineVersion: "0.30.0" });
  expect(other.selector).toEqual(resolved({}).selector);
});

test("the image's user came with 0.23", () => {
  expect(resolved({ engineVersion: "0.22.1" }).identity).toMatchObject({ runAsUser: 0, nonRoot: false });
  expect(resolved({ engineVersion: "0.23.0" }).identity).toMatchObject({
    runAsUser: 2000,
    runAsGroup: 0,
    fsGroup: 0,
    nonRoot: true,
  });
});

test("one GPU is not rolled with a surge, unless one is spare", () => {
  expect(resolved({}).rollout).toMatchObject({ maxSurge: 0, maxUnavailable: 1 });
  expect(resolved({ spareGpu: true }).rollout).toMatchObject({ maxSurge: 1, maxUnavailable: 0 });
});

test("a disruption budget only where there can be two", () => {
  expect(resolved({}).disruption).toBeNull();
  expect(resolved({ scaling: onQueue({ min: 1, max: 2 }) }).disruption).not.toBeNull();
});

test("a MIG pool of one profile needs no slice, one of two does", () => {
  const one = gpuPool({ name: "mig", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") });
  expect(resolved({ ...small, pool: one }).resources.accelerator?.resource).toBe("nvidia.com/mig-1g.10gb");
  const two = gpuPool({ name: "mig", instanceType: "p5.4xlarge", size, sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }) });
  const declared = vllm({ name: "x", team: "t", ...small, pool: two, source: hub({ token }) });
  expect(resolveService(declared)).toMatchObject({ service: null, findings: [{ id: "vllm.slice.ambiguous" }] });
  expect(resolved({ ...small, pool: two, slice: "3g.40gb" }).resources.accelerator?.resource).toBe(
    "nvidia.com/mig-3g.40gb",
  );
});

/** Every value that a minimal declaration leaves open, and says later where it came from. */
const LEFT_OPEN = [
  "namespace",
  "engineVersion",
  "precision",
  "gpus",
  "tensorParallel",
  "pipelineParallel",
  "maxModelLen",
  "maxNumSeqs",
  "maxNumBatchedTokens",
  "gpuMemoryUtilization",
  "kvCacheDtype",
  "kvCacheBytes",
  "enforceEager",
  "dtype",
  "prefixCaching",
  "trustRemoteCode",
  "servedModelName",
  "source",
  "scaling",
  "cpus",
  "memoryGib",
  "drainSeconds",
  "image.repository",
  "image.tag",
  "ingressNamespaces",
] as const;

test("every value that is left open says where it came from", () => {
  const minimal = resolveService(vllm({ name: "qwen", team: "search", model: "Qwen/Qwen3-8B", pool: l40s })).service;
  for (const path of LEFT_OPEN) {
    const origin = minimal?.origins[path];
    expect(origin, path).toBeDefined();
    expect(["default", "derived"], path).toContain(origin?.from);
    expect(origin?.from === "given" ? "" : origin?.why, path).not.toBe("");
  }
});

test("every value that is given says so", () => {
  const service = resolved({
    namespace: "llm",
    engineVersion: "0.33.0",
    precision: "bf16",
    gpus: 1,
    tensorParallel: 1,
    pipelineParallel: 1,
    maxNumSeqs: 64,
    maxNumBatchedTokens: 2048,
    gpuMemoryUtilization: 0.9,
    kvCacheDtype: "auto",
    kvCacheGib: 4,
    enforceEager: false,
    dtype: "auto",
    prefixCaching: true,
    trustRemoteCode: false,
    servedModelName: "llama",
    scaling: onQueue({ min: 1, max: 2 }),
    cpus: 4,
    memoryGib: 30,
    drainSeconds: 100,
    image: { repository: "vllm/vllm-openai", tag: "v0.33.0" },
    ingressNamespaces: [],
  });
  for (const path of LEFT_OPEN) expect(service.origins[path]?.from, path).toBe("given");
});

test("the peak of traffic has a default that is named", () => {
  const service = resolved({ traffic: { requestsPerDay: 1000, promptTokens: 900, outputTokens: 100 } });
  expect(service.traffic?.peakToMean).toBe(3);
  expect(service.origins["traffic.peakToMean"]?.from).toBe("default");
});
