import { nvmeCache } from "../../cache/props.ts";
import { hub, s3, secretKey } from "../../model/source.ts";
import type { PlatformProps } from "../../platform/props.ts";
import { cpuPool, gpuPool } from "../../pool/declare.ts";
import { mig, mps, timeSlicing } from "../../pool/sharing.ts";
import { fixed } from "../../scaling/props.ts";
import { onnx, vllm } from "../../service/declare.ts";
import type { OnnxProps } from "../../service/onnx-props.ts";
import type { VllmProps } from "../../service/vllm-props.ts";

/** Pools and services that the examples of several rules put together. */
export const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 4 } });
export const amx = cpuPool({
  name: "amx",
  instanceTypes: ["c7i.8xlarge"],
  cpuManager: "static",
  size: { min: 1, max: 4 },
});
export const slices = gpuPool({
  name: "h100-mig",
  instanceType: "p5.4xlarge",
  size: { min: 0, max: 2 },
  sharing: mig("1g.10gb"),
});
export const sharedL4 = gpuPool({
  name: "l4",
  instanceType: "g6.4xlarge",
  size: { min: 0, max: 2 },
  sharing: timeSlicing(2),
});
export const mpsL4 = gpuPool({ name: "l4-mps", instanceType: "g6.4xlarge", size: { min: 0, max: 2 }, sharing: mps(2) });

const token = hub({ token: secretKey("hf-token", "token") });

/** An 8B model on an L40S. */
export function llama(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    maxModelLen: 8192,
    source: token,
    ...props,
  });
}

/** Nodes with an NVMe array of 233 GiB. */
export const raid = gpuPool({
  name: "raid",
  instanceType: "g6e.xlarge",
  size: { min: 1, max: 4 },
  localStorage: "raid0",
});

/** An 8B model that is read from the node's array. */
export function cachedLlama(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: raid,
    maxModelLen: 8192,
    cache: nvmeCache({ source: s3("models/llama-3.1-8b") }),
    ...props,
  });
}

/** A model that fits half an L4 and the smallest H100 slice. */
export function small(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "qwen-1-5b",
    team: "search",
    model: "Qwen/Qwen2.5-1.5B-Instruct",
    pool: sharedL4,
    maxModelLen: 2048,
    ...props,
  });
}

/** Phi-3-mini on 14 of 30 pinned vCPUs: two a node. */
export function phi(props: Partial<OnnxProps> = {}) {
  return onnx({
    name: "phi-3-mini",
    team: "support",
    model: "microsoft/Phi-3-mini-4k-instruct",
    pool: amx,
    scaling: fixed(2),
    ...props,
  });
}

/** A platform that has nothing wrong with it, with some properties replaced. */
export function declared(props: Partial<PlatformProps>): PlatformProps {
  return { environment: "dev", region: "us-east-1", pools: [l40s], services: [llama()], ...props };
}
