import { frozenCopy } from "../freeze.ts";
import type { Onnx, OnnxProps } from "./onnx-props.ts";
import type { Vllm, VllmProps } from "./vllm-props.ts";

/**
 * Declares a vLLM service. Never throws: what is wrong with it is found when it is used or checked.
 *
 * @example
 * vllm({ name: "llama-8b", team: "search", model: "meta-llama/Llama-3.1-8B-Instruct", pool: l40s, maxModelLen: 8192,
 *   source: hub({ token: secretKey("hf-token", "token") }) })
 */
export function vllm(props: VllmProps): Vllm {
  return Object.freeze({ kind: "vllm", name: props.name, props: frozenCopy(props) });
}

/**
 * Declares a service on CPU: a quantised language model, embeddings, a classifier or any ONNX model.
 *
 * @example
 * onnx({ name: "phi-3-mini", team: "support", model: "microsoft/Phi-3-mini-4k-instruct", precision: "int4", pool: amx,
 *   scaling: onCpu({ min: 3, max: 30 }) })
 */
export function onnx(props: OnnxProps): Onnx {
  return Object.freeze({ kind: "onnx", name: props.name, props: frozenCopy(props) });
}
