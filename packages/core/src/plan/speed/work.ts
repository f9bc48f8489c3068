import type { ModelFacts, Precision } from "@capstan/catalog";
import { kvBytesPerTokenPerLayer } from "../memory/kv-pages.ts";
import { weightLayout } from "../memory/layout.ts";
import { computeDtype, elementBytes, linearBytesPerParameter } from "../memory/precision.ts";

/** What one rank has to read and multiply, before any hardware. All figures are of one rank of `tensorParallel`. */
export interface ModelWork {
  /** Matrices that every step reads: attention, dense MLP, shared experts, output head. */
  readonly denseBytes: number;
  /** All routed experts. */
  readonly expertBytes: number;
  /** Of those, the part that one token uses; 0 without experts. */
  readonly expertShare: number;
  /** Multiply-adds x 2 of a token: matrices that every token goes through, without the output head. */
  readonly denseFlops: number;
  readonly expertFlops: number;
  /** The output head, only for tokens that are sampled. */
  readonly headFlops: number;
  readonly attention: AttentionWork;
  /** One all-reduced activation of a token. */
  readonly activationBytes: number;
  readonly layers: number;
}

export interface AttentionWork {
  /** K and V of one token in one layer. */
  readonly kvBytesPerLayer: number;
  /** Scores and weighted values of one query token with one cached token, one layer, x 2 for multiply-adds. */
  readonly flopsPerPair: number;
  readonly fullLayers: number;
  /** Layers that see only the last `window` tokens (or their chunk of that size). */
  readonly windowLayers: number;
  readonly window: number;
}

export function modelWork(
  model: ModelFacts,
  precision: Precision,
  kvCacheDtype: string,
  tensorParallel: number,
): ModelWork {
  const layout = weightLayout(model);
  const word = elementBytes(computeDtype(model, precision));
  const perParameter = linearBytesPerParameter(precision);
  const { total, embedding, lmHead } = model.parameters;
  // A tied head multiplies with the embedding.
  const head = model.tiedEmbeddings ? embedding : lmHead;
  const dense = total - embedding - lmHead - layout.experts - layout.extras;
  // MXFP4 checkpoints quantise the experts only.
  const densePerParameter = precision === "mxfp4" && model.moe !== null ? word : perParameter;
  const expertShare = model.moe === null ? 0 : Math.min(1, model.moe.expertsPerToken / model.moe.experts);
  return {
    denseBytes: (dense * densePerParameter + head * word) / tensorParallel,
    expertBytes: (layout.experts * perParameter) / tensorParallel,
    expertShare,
    denseFlops: (2 * dense) / tensorParallel,
    expertFlops: (2 * layout.experts * expertShare) / tensorParallel,
    headFlops: (2 * head) / tensorParallel,
    attention: attentionWork(model, precision, kvCacheDtype, tensorParallel),
    activationBytes: model.hiddenSize * word,
    layers: model.layers,
  };
}

function attentionWork(
  model: ModelFacts,
  precision: Precision,
  kvCacheDtype: string,
  tensorParallel: number,
): AttentionWork {
  const heads = model.attentionHeads / tensorParallel;
  // Latent attention scores over latent and rotary part, and sums latents.
  const width = model.mla === null ? 2 * model.headDim : 2 * model.mla.kvLoraRank + model.mla.ropeHeadDim;
  const full = fullLayers(model);
  return {
    kvBytesPerLayer: kvBytesPerTokenPerLayer(model, kvCacheDtype, tensorParallel, computeDtype(model, precision)),
    flopsPerPair: 2 * heads * width,
    fullLayers: full,
    windowLayers: model.layers - full,
    window: model.slidingWindow ?? 0,
  };
}

/** A window without layer types holds for all layers (Phi-3, the first Mistral). */
function fullLayers(model: ModelFacts): number {
  if (model.slidingWindow === null) return model.layers;
  return model.layerTypes === null ? 0 : model.layerTypes.filter((type) => type === "full").length;
}

/**
 * Routed experts that a step of so many tokens reads, as a part of all. Each token picks its experts as if at random:
 * an expert is spared by all of them with (1 - share)^tokens.
 */
export function touchedExperts(expertShare: number, tokens: number): number {
  return 1 - (1 - expertShare) ** tokens;
}

/** Cached tokens that one new token looks at, summed over layers. */
export function attendedPerToken(attention: AttentionWork, context: number): number {
  return attention.fullLayers * context + attention.windowLayers * Math.min(context, attention.window);
}

/** Pairs of tokens that a prompt's new tokens make, summed over layers: each looks at itself and all before it. */
export function promptPairs(attention: AttentionWork, cached: number, fresh: number): number {
  const full = fresh * cached + (fresh * fresh) / 2;
  // Before the window is full a token sees what is there; after, the window.
  const growing = Math.max(0, Math.min(fresh, attention.window - cached));
  const windowed = growing * cached + (growing * growing) / 2 + (fresh - growing) * attention.window;
  return attention.fullLayers * full + attention.windowLayers * windowed;
}
