import type { ModelFacts, Precision } from "@capstan/catalog";

/**
 * Bytes of one parameter of a quantised linear layer with its scales (facts/serving.md B2). Embeddings and the output
 * head stay in 16 bits. `int4` is what vLLM loads as W4A16 in groups of 128.
 */
const linearBytes: Readonly<Record<Precision, number>> = {
  fp32: 4,
  bf16: 2,
  fp16: 2,
  fp8: 1,
  int8: 1,
  int4: 0.5156,
  w4a16: 0.5156,
  gptq: 0.5156,
  awq: 0.5195,
  "bnb-4bit": 0.516,
  mxfp4: 0.53125,
  nvfp4: 0.5625,
};

export function linearBytesPerParameter(precision: Precision): number {
  return linearBytes[precision];
}

export function isQuantised(precision: Precision): boolean {
  return precision !== "bf16" && precision !== "fp16" && precision !== "fp32";
}

/** Activations are quantised too before each matrix product (W8A8), which costs a copy of one byte an element. */
export function quantisesActivations(precision: Precision): boolean {
  return precision === "fp8" || precision === "int8";
}

export type ComputeDtype = "bfloat16" | "float16" | "float32";

/** The type the engine computes in. A float32 checkpoint without `--dtype float32` runs in 16 bits. */
export function computeDtype(model: ModelFacts, precision: Precision): ComputeDtype {
  if (precision === "fp32") return "float32";
  if (precision === "bf16") return "bfloat16";
  if (precision === "fp16") return "float16";
  return model.dtype === "float16" ? "float16" : "bfloat16";
}

export function elementBytes(dtype: ComputeDtype): number {
  return dtype === "float32" ? 4 : 2;
}
