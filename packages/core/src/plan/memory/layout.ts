import type { ModelFacts, Precision } from "@capstan/catalog";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import { ceilDiv, roundUpTo } from "./units.ts";

/** Where a model's parameters sit. Sums to `parameters.total`. */
export interface WeightLayout {
  /** Matrices of the attention of one layer, all heads. */
  readonly attentionPerLayer: number;
  /** Of those, the K and V projections. */
  readonly keyValuePerLayer: number;
  /** Dense MLP of one layer; 0 in a mixture of experts, whose other matrices are in `other`. */
  readonly mlpPerLayer: number;
  /** Routed experts, all layers. */
  readonly experts: number;
  /** What the shapes above leave of the linear layers: shared experts, routers, MLA projections, dense first layers. */
  readonly other: number;
  /** Norms: never divided over ranks. */
  readonly norms: number;
  /** Biases, and the vision tower of a multimodal model: stay in 16 bits in quantised checkpoints. */
  readonly extras: number;
  /** Matrices of the MLP: 3 with a gate, 2 without. */
  readonly mlpMatrices: number;
}

export function weightLayout(model: ModelFacts): WeightLayout {
  const { hiddenSize: hidden, attentionHeads: heads, kvHeads, headDim, layers } = model;
  const body = model.parameters.total - model.parameters.embedding - model.parameters.lmHead;
  const norms = (2 * layers + 1) * hidden;
  const keyValuePerLayer = 2 * hidden * kvHeads * headDim;
  const attentionPerLayer = 2 * hidden * heads * headDim + keyValuePerLayer;
  if (model.moe !== null) {
    const moeLayers = layers - model.moe.firstDenseLayers;
    const experts = moeLayers * model.moe.experts * 3 * hidden * model.moe.expertIntermediateSize;
    return {
      attentionPerLayer: 0,
      keyValuePerLayer: model.mla === null ? keyValuePerLayer : 0,
      mlpPerLayer: 0,
      experts,
      other: Math.max(0, body - experts - norms),
      norms,
      extras: 0,
      mlpMatrices: 3,
    };
  }
  const width = model.intermediateSize ?? 0;
  const gated = layers * (attentionPerLayer + 3 * hidden * width) + norms <= body;
  const mlpMatrices = gated ? 3 : 2;
  const mlpPerLayer = mlpMatrices * hidden * width;
  return {
    attentionPerLayer,
    keyValuePerLayer,
    mlpPerLayer,
    experts: 0,
    other: 0,
    norms,
    extras: Math.max(0, body - layers * (attentionPerLayer + mlpPerLayer) - norms),
    mlpMatrices,
  };
}

/** Sizes of one rank's expert matrices as its kernel stores them. */
export interface ExpertShape {
  readonly hidden: number;
  readonly intermediate: number;
}

/**
 * MXFP4 kernels pad the experts: Marlin (0.17 on) to 128 along the intermediate and 256 along the hidden size, Triton
 * (before) to 256 along one of them. That is why gpt-oss-20b loads 13.5 to 13.7 GiB although its file has 12.8.
 */
export function expertShape(
  model: ModelFacts,
  precision: Precision,
  tensorParallel: number,
  version: EngineVersion,
): ExpertShape | null {
  if (model.moe === null) return null;
  const intermediate = ceilDiv(model.moe.expertIntermediateSize, tensorParallel);
  if (precision !== "mxfp4") return { hidden: model.hiddenSize, intermediate };
  return atLeast(version, "0.17.0")
    ? { hidden: roundUpTo(model.hiddenSize, 256), intermediate: roundUpTo(intermediate, 128) }
    : { hidden: model.hiddenSize, intermediate: roundUpTo(intermediate, 256) };
}
