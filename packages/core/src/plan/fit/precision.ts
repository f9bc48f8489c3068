import type { Precision } from "@capstan/catalog";
import type { Problems } from "./fit-error.ts";

/** Precisions, and the engine's names of the methods that make them. */
const precisions: Readonly<Record<string, Precision>> = {
  bf16: "bf16",
  fp16: "fp16",
  fp32: "fp32",
  fp8: "fp8",
  fp8_per_tensor: "fp8",
  fp8_per_block: "fp8",
  fbgemm_fp8: "fp8",
  modelopt: "fp8",
  modelopt_fp8: "fp8",
  int8: "int8",
  w8a8: "int8",
  int4: "int4",
  w4a16: "w4a16",
  awq: "awq",
  awq_marlin: "awq",
  gptq: "gptq",
  gptq_marlin: "gptq",
  nvfp4: "nvfp4",
  fp4: "nvfp4",
  modelopt_fp4: "nvfp4",
  mxfp4: "mxfp4",
  gpt_oss_mxfp4: "mxfp4",
  "bnb-4bit": "bnb-4bit",
  bitsandbytes: "bnb-4bit",
};

/** A container for several precisions: the checkpoint says which. */
const container = "compressed-tensors";

const dtypes: ReadonlyMap<string, Precision | null> = new Map(
  Object.entries({
    auto: null,
    bfloat16: "bf16",
    bf16: "bf16",
    float16: "fp16",
    fp16: "fp16",
    half: "fp16",
    float32: "fp32",
    fp32: "fp32",
    float: "fp32",
  }),
);

/** `stored`: what the checkpoint is in; undefined: no such name. */
export function precisionNamed(name: string): Precision | "stored" | undefined {
  const lower = name.toLowerCase();
  if (lower === container) return "stored";
  return Object.hasOwn(precisions, lower) ? precisions[lower] : undefined;
}

/** Null: left to the checkpoint. */
export function quantizationOf(
  name: string | null | undefined,
  stored: Precision | null,
  problems: Problems,
): Precision | null {
  if (name === null || name === undefined) return null;
  const found = precisionNamed(name);
  if (found === undefined)
    problems.unknown("quantization", name, [...Object.keys(precisions), container], "a precision that is known");
  if (found !== "stored") return found ?? null;
  if (stored === null) {
    problems.add(
      "quantization",
      name,
      "holds several precisions and this checkpoint is in none of them; give fp8, int8, w4a16 or nvfp4",
    );
  }
  return stored;
}

/** Null: left to the engine. */
export function dtypeOf(name: string | null | undefined, problems: Problems): Precision | null {
  if (name === null || name === undefined) return null;
  const lower = name.toLowerCase();
  if (!dtypes.has(lower)) problems.unknown("dtype", name, [...dtypes.keys()], "a type that engines compute in");
  return dtypes.get(lower) ?? null;
}

/** Lowest compute capability that has kernels for a precision at all, weight-only ones counted (facts/serving.md A4). */
const lowest: Readonly<Partial<Record<Precision, number>>> = { bf16: 8.0, fp8: 8.0, mxfp4: 8.0, nvfp4: 8.0 };
const lowestOfAll = 7.5;

/** Why a GPU cannot run a precision; null: it can. */
export function precisionProblem(precision: Precision, computeCapability: string): string | null {
  const least = lowest[precision] ?? lowestOfAll;
  return Number(computeCapability) >= least
    ? null
    : `${precision} needs compute capability ${least.toFixed(1)}, this GPU has ${computeCapability}`;
}

/** 8-bit KV pages as engines recommend them. */
export function hasFp8KvCache(computeCapability: string): boolean {
  return Number(computeCapability) >= 8.9;
}

/** A published copy that runs on its fast path. */
export function runsFast(
  artefact: { readonly minComputeCapability: string | null },
  computeCapability: string,
): boolean {
  return artefact.minComputeCapability === null || Number(computeCapability) >= Number(artefact.minComputeCapability);
}

/** KV types under the engine's names; the short ones are those of the weights. */
const kvNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bf16: "bfloat16",
    fp16: "float16",
  }),
);

export function kvCacheDtypeOf(name: string | null | undefined): string {
  return kvNames.get(name ?? "") ?? name ?? "auto";
}
