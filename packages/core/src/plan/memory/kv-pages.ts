import type { ModelFacts } from "@capstan/catalog";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import { type ComputeDtype, elementBytes } from "./precision.ts";

/** Bytes of the scale of K plus that of V, one each per token and head. */
const perTokenScales = 8;

/** KV cache types and the version that brought each; `turboquant` ones give their bits of K and V. */
const kvCacheDtypes: ReadonlyMap<string, { readonly from: string; readonly kind: KvKind }> = new Map(
  Object.entries({
    auto: { from: "0.0.0", kind: { as: "compute" } },
    float16: { from: "0.0.0", kind: { as: "word" } },
    bfloat16: { from: "0.0.0", kind: { as: "word" } },
    fp8: { from: "0.0.0", kind: { as: "byte" } },
    fp8_e4m3: { from: "0.0.0", kind: { as: "byte" } },
    fp8_e5m2: { from: "0.0.0", kind: { as: "byte" } },
    int8_per_token_head: { from: "0.20.0", kind: { as: "per-token-head", bits: 8 } },
    fp8_per_token_head: { from: "0.20.0", kind: { as: "per-token-head", bits: 8 } },
    int4_per_token_head: { from: "0.25.0", kind: { as: "per-token-head", bits: 4 } },
    nvfp4: { from: "0.20.0", kind: { as: "nvfp4" } },
    nvfp4_4over6: { from: "0.28.0", kind: { as: "nvfp4" } },
    turboquant_k8v4: { from: "0.20.0", kind: { as: "turboquant", keyBits: 8, valueBits: 4, keyNorm: false } },
    turboquant_4bit_nc: { from: "0.20.0", kind: { as: "turboquant", keyBits: 4, valueBits: 4, keyNorm: true } },
    turboquant_k3v4_nc: { from: "0.20.0", kind: { as: "turboquant", keyBits: 3, valueBits: 4, keyNorm: true } },
    turboquant_3bit_nc: { from: "0.20.0", kind: { as: "turboquant", keyBits: 3, valueBits: 3, keyNorm: true } },
  }),
);

type KvKind =
  | { readonly as: "compute" }
  | { readonly as: "word" }
  | { readonly as: "byte" }
  | { readonly as: "per-token-head"; readonly bits: 4 | 8 }
  | { readonly as: "nvfp4" }
  | { readonly as: "turboquant"; readonly keyBits: number; readonly valueBits: number; readonly keyNorm: boolean };

/** Why a KV cache type cannot be sized for this model and version; null: it can. */
export function kvCacheDtypeProblem(
  model: ModelFacts,
  version: EngineVersion,
  kvCacheDtype: string,
  compute: ComputeDtype,
): string | null {
  const known = kvCacheDtypes.get(kvCacheDtype);
  if (known === undefined) {
    return `the page size of KV cache dtype "${kvCacheDtype}" is not known; known are ${[...kvCacheDtypes.keys()].join(", ")}`;
  }
  if (!atLeast(version, known.from)) return `KV cache dtype "${kvCacheDtype}" came with vLLM ${known.from}`;
  if (known.kind.as === "word" && kvCacheDtype !== compute && atLeast(version, "0.33.0")) {
    return `KV cache dtype "${kvCacheDtype}" must equal the model's ${compute}; use "auto"`;
  }
  if (model.mla !== null && (known.kind.as === "nvfp4" || known.kind.as === "turboquant")) {
    return `KV cache dtype "${kvCacheDtype}" is not for models with multi-head latent attention`;
  }
  return null;
}

/** Bytes of K and V of one token in one layer on one rank (facts/vllm-by-version.md 3.1). */
export function kvBytesPerTokenPerLayer(
  model: ModelFacts,
  kvCacheDtype: string,
  tensorParallel: number,
  compute: ComputeDtype,
): number {
  const kind = kvCacheDtypes.get(kvCacheDtype)?.kind;
  if (kind === undefined) throw new Error(`unknown KV cache dtype "${kvCacheDtype}"`);
  if (model.mla !== null) {
    // One latent vector for all heads, so every rank stores it whole: tensor parallelism does not divide it.
    return vectorBytes(model.mla.kvLoraRank + model.mla.ropeHeadDim, kind, compute);
  }
  const heads = Math.max(1, Math.floor(model.kvHeads / tensorParallel));
  const { headDim } = model;
  if (kind.as === "nvfp4") return 2 * heads * (headDim / 2 + headDim / 16);
  if (kind.as === "turboquant") {
    const key = kind.keyNorm ? Math.ceil((headDim * kind.keyBits) / 8) + 2 : headDim;
    const value = Math.ceil((headDim * kind.valueBits) / 8) + 4;
    const both = key + value;
    return heads * (both + (both % 2));
  }
  return heads * vectorBytes(2 * headDim, kind, compute);
}

function vectorBytes(elements: number, kind: KvKind, compute: ComputeDtype): number {
  switch (kind.as) {
    case "compute":
      return elements * elementBytes(compute);
    case "word":
      return elements * 2;
    case "byte":
      return elements;
    case "per-token-head":
      return (elements * kind.bits) / 8 + perTokenScales;
    default:
      throw new Error(`KV cache type ${kind.as} has no plain vector`);
  }
}
