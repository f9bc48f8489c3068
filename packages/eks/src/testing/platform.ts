import {
  cpuPool,
  fixed,
  gpuPool,
  kubecost,
  mig,
  nvmeCache,
  onCpu,
  onnx,
  onQueue,
  type PlatformProps,
  s3,
  vllm,
} from "@capstan/core";

const l40s = gpuPool({
  name: "l40s",
  instanceType: "g6e.2xlarge",
  size: { min: 1, max: 8 },
  localStorage: "raid0",
});
const slices = gpuPool({
  name: "h100-mig",
  instanceType: "p5.4xlarge",
  sharing: mig("1g.20gb"),
  size: { min: 0, max: 2 },
});
const amx = cpuPool({
  name: "amx",
  instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"],
  cpuManager: "static",
  size: { min: 1, max: 20 },
});

/** GPU pools whole and sliced, a CPU pool, a node cache that is filled from S3, both kinds of services, a cost tool. */
export function fullPlatform(change: Partial<PlatformProps> = {}): PlatformProps {
  return {
    environment: "test",
    pools: [l40s, slices, amx],
    services: [
      vllm({
        name: "llama-8b",
        team: "search",
        model: "meta-llama/Llama-3.1-8B-Instruct",
        pool: l40s,
        maxModelLen: 8192,
        cache: nvmeCache({ source: s3("models-bucket/llama-3.1-8b") }),
        scaling: onQueue({ min: 1, max: 8 }),
      }),
      vllm({
        name: "qwen-small",
        team: "search",
        model: "Qwen/Qwen2.5-1.5B-Instruct",
        pool: slices,
        maxModelLen: 4096,
        scaling: fixed(1),
      }),
      onnx({
        name: "phi-3-mini",
        team: "support",
        model: "microsoft/Phi-3-mini-4k-instruct",
        precision: "int4",
        pool: amx,
        scaling: onCpu({ min: 1, max: 10 }),
      }),
    ],
    cost: kubecost({ clusterId: "test-eu" }),
    ...change,
  };
}
