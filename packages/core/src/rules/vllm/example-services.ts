import { hub, s3, secretKey } from "../../model/source.ts";
import { gpuPool } from "../../pool/declare.ts";
import { mig, timeSlicing } from "../../pool/sharing.ts";
import { vllm } from "../../service/declare.ts";
import type { Vllm, VllmProps } from "../../service/vllm-props.ts";

const size = { min: 0, max: 2 };

export const LLAMA_8B = "meta-llama/Llama-3.1-8B-Instruct";
export const LLAMA_70B = "meta-llama/Llama-3.1-70B-Instruct";
export const LLAMA_1B = "meta-llama/Llama-3.2-1B-Instruct";

/** Commit of the hub's form; which one does not matter to a rule. */
export const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** One L40S of 45 GiB, and an NVMe array. */
export const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
/** Four of them without NVLink. */
export const l40sFour = gpuPool({ name: "l40s-4", instanceType: "g6e.12xlarge", size });
export const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size });
export const l4Halves = gpuPool({ name: "l4-shared", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) });
export const h100 = gpuPool({ name: "h100", instanceType: "p5.4xlarge", size });
export const h100Eight = gpuPool({ name: "h100-8", instanceType: "p5.48xlarge", size });
export const h100Slices = gpuPool({ name: "h100-mig", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") });
export const a10g = gpuPool({ name: "a10g", instanceType: "g5.2xlarge", size });
export const t4 = gpuPool({ name: "t4", instanceType: "g4dn.2xlarge", size });

export const gatedHub = hub({ revision: COMMIT, token: secretKey("hf-token", "token") });
export const bucket = s3("models-bucket/llama-3.1-8b");

/** An 8B model on an L40S, as most people would declare it; the rest is what an example is about. */
export function llama8b(props: Partial<VllmProps>): Vllm {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: LLAMA_8B,
    pool: l40s,
    source: gatedHub,
    maxModelLen: 8192,
    ...props,
  });
}

/** A 1B model on half an L4. */
export function llama1bShared(props: Partial<VllmProps>): Vllm {
  return llama8b({ model: LLAMA_1B, pool: l4Halves, ...props });
}

/** A value as it may come from a file: past the compiler. */
export function unchecked<T>(value: unknown): T {
  return value as T;
}
