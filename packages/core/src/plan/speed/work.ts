import type { ModelFacts, Precision } from "@capstan/catalog";
import { kvBytesPerTokenPerLayer } from "../memory/kv-pages.ts";
import { weightLayout } from "../memory/layout.ts";
import { computeDtype, elementBytes, linearBytesPerParameter } from "../memory/precision.ts";

/** What one rank of `tensorParallel` has to read and multiply, whatever the hardware. */
export interface ModelWork {
  /** Matrices that every step reads: attention, dense MLP, shared experts, output head. */
  readonly denseBytes: number;
  /** All routed experts. */
  readonly expertBytes: number;
  /** Part of the routed experts that one token uses; 0 without experts. */
  readonly expertShare: number;
  /** Multiplications and additions of one token, without the output head. */
  readonly denseFlops: number;
  readonly expertFlops: number;
  /** The output head, only for tokens that are sampled. */
  readonly headFlops: number;
  readonly attention: AttentionWork;
  /** Hidden state of one token: what an all-reduce sums up. */
  readonly activationBytes: number;
  readonly layers: number;
  readonly expertLayers: number;
}

export interface AttentionWork {
  /** K and V of one token in one layer. */
  readonly kvBytesPerLayer: number;
  /** One token looking at one cached token in one layer. */
  readonly flopsPerPair: number;
  readonly fullLayers: number;
  /** Layers that see only the last `window` tokens, or the chunk of that size they are in. */
  readonly windowLayers: number;
  readonly window: number;
}

export interface WorkInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly kvCacheDtype: string;
  readonly tensorParallel: number;
}

export function modelWork(input: WorkInput): ModelWork {
  const { model, precision, tensorParallel } = input;
  const layout = weightLayout(model);
  const word = elementBytes(computeDtype(model, precision));
  const perParameter = linearBytesPerParameter(precision);
  const { total, embedding, lmHead } = model.parameters;
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
    attention: attentionWork(input),
    activationBytes: model.hiddenSize * word,
    layers: model.layers,
    expertLayers: model.moe === null ? 0 : model.layers - model.moe.firstDenseLayers,
  };
}

function attentionWork({ model, precision, kvCacheDtype, tensorParallel }: WorkInput): AttentionWork {
  const heads = model.attentionHeads / tensorParallel;
  // Latent attention scores over latent and rotary part, and sums up latents.
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
 * Part of the routed experts that a step reads. Tokens choose as if at random: an expert is spared by all of them with
 * (1 - share)^tokens.
 */
export function touchedExperts(expertShare: number, tokens: number): number {
  return 1 - (1 - expertShare) ** tokens;
}

/** Cached tokens that one token looks at, summed over layers. */
export function attendedTokens(attention: AttentionWork, context: number): number {
  return attention.fullLayers * context + attention.windowLayers * Math.min(context, attention.window);
}

/** Pairs that the new tokens of a prompt make with all before them, summed over layers. */
export function promptPairs(attention: AttentionWork, cached: number, fresh: number): number {
  const full = fresh * cached + (fresh * fresh) / 2;
  // Until the window is full a token sees what is there; after that, the window.
  const growing = Math.max(0, Math.min(fresh, attention.window - cached));
  const windowed = growing * cached + (growing * growing) / 2 + (fresh - growing) * attention.window;
  return attention.fullLayers * full + attention.windowLayers * windowed;
}
