import { hub, secretKey } from "../../model/source.ts";
import { gpuPool } from "../../pool/declare.ts";
import { timeSlicing } from "../../pool/sharing.ts";
import { vllm } from "../../service/declare.ts";
import type { Vllm, VllmProps } from "../../service/vllm-props.ts";

/** Declarations that the examples of several rules change in one place. */
export const l40s = gpuPool({
  name: "l40s",
  instanceType: "g6e.2xlarge",
  size: { min: 1, max: 8 },
  localStorage: "raid0",
});
export const sharedL4 = gpuPool({
  name: "l4",
  instanceType: "g6.2xlarge",
  size: { min: 0, max: 2 },
  sharing: timeSlicing(2),
});

export function llama(props: Partial<VllmProps>): Vllm {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    maxModelLen: 8192,
    source: hub({ token: secretKey("hf-token", "token") }),
    ...props,
  });
}
