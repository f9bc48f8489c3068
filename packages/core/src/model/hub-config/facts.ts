import type { ModelFacts, Precision } from "@capstan/catalog";
import { linearBytesPerParameter } from "../../plan/memory/precision.ts";
import { countDecoder, type DecoderShape, type ParameterCount, type WindowShape } from "./decoder.ts";
import type { EncoderShape } from "./families/family.ts";

/** What does not depend on the kind of model. */
export interface Identity {
  readonly id: string;
  readonly architecture: string;
  readonly dtype: ModelFacts["dtype"];
  readonly precision: Precision;
  readonly quantized: boolean;
}

export interface DecoderFacts extends WindowShape {
  readonly shape: DecoderShape;
  readonly maxPositions: number;
  readonly parameters: ParameterCount;
}

export function decoderFacts(
  identity: Identity,
  { shape, maxPositions, parameters, ...window }: DecoderFacts,
): ModelFacts {
  const { mixture, latent } = shape;
  const { total, active, embedding, lmHead } = parameters;
  return {
    ...common(identity, parameters),
    generative: true,
    layers: shape.layers,
    hiddenSize: shape.hidden,
    attentionHeads: shape.heads,
    kvHeads: shape.kvHeads,
    headDim: headDim(shape),
    intermediateSize: shape.mlp?.width ?? null,
    vocabSize: shape.vocab,
    tiedEmbeddings: shape.tied,
    maxPositionEmbeddings: maxPositions,
    attention: attentionOf(shape),
    slidingWindow: window.slidingWindow,
    layerTypes: window.layerTypes,
    moe:
      mixture === null
        ? null
        : {
            experts: mixture.experts,
            expertsPerToken: mixture.perToken,
            expertIntermediateSize: mixture.width,
            sharedExpertIntermediateSize: mixture.sharedWidth,
            firstDenseLayers: mixture.denseLayers,
          },
    mla: latent === null || !shape.cachesLatent ? null : { kvLoraRank: latent.kvRank, ropeHeadDim: latent.ropeHeadDim },
    parameters: { total, active, embedding, lmHead },
  };
}

/** Of a cached latent, the mean of the parts that it is unfolded into. */
function headDim({ latent, cachesLatent, headDim: plain }: DecoderShape): number {
  return latent !== null && cachesLatent ? Math.round((latent.nopeHeadDim + latent.valueHeadDim) / 2) : plain;
}

function attentionOf({ latent, cachesLatent, heads, kvHeads }: DecoderShape): ModelFacts["attention"] {
  if (latent !== null && cachesLatent) return "mla";
  if (kvHeads === heads) return "mha";
  return kvHeads === 1 ? "mqa" : "gqa";
}

export function encoderFacts(identity: Identity, shape: EncoderShape, total: number): ModelFacts {
  const embedding = shape.vocab * shape.hidden;
  return {
    ...common(identity, { total, active: total, embedding, lmHead: 0 }),
    generative: shape.attention === "encoder-decoder",
    layers: shape.layers,
    hiddenSize: shape.hidden,
    attentionHeads: shape.heads,
    kvHeads: shape.heads,
    headDim: Math.floor(shape.hidden / shape.heads),
    intermediateSize: shape.width,
    vocabSize: shape.vocab,
    tiedEmbeddings: shape.tied,
    maxPositionEmbeddings: shape.maxPositions,
    attention: shape.attention,
    slidingWindow: null,
    layerTypes: null,
    moe: null,
    mla: null,
    parameters: { total, active: total, embedding, lmHead: 0 },
  };
}

function common(identity: Identity, parameters: ParameterCount) {
  return {
    id: identity.id,
    architecture: identity.architecture,
    dtype: identity.dtype,
    checkpointBytes: checkpointBytes(identity, parameters),
    nativeQuantization: identity.quantized ? identity.precision : null,
    gated: null,
    confidence: "medium" as const,
    source: "config.json given by the user",
  };
}

/** Embeddings and output head stay in 16 bits where the rest is quantised. */
function checkpointBytes({ precision, quantized, dtype }: Identity, parameters: ParameterCount): number {
  const { total, embedding, lmHead } = parameters;
  const plain = dtype === "float32" ? 4 : 2;
  if (!quantized) return total * plain;
  const outside = embedding + lmHead;
  return Math.round((total - outside) * linearBytesPerParameter(precision) + outside * plain);
}

/** Parameters of a checkpoint of that size: the same sum, solved for the total. */
export function parametersOfBytes(identity: Identity, bytes: number, known: ParameterCount): number {
  const plain = identity.dtype === "float32" ? 4 : 2;
  if (!identity.quantized) return Math.round(bytes / plain);
  const outside = known.embedding + known.lmHead;
  return Math.round((bytes - outside * plain) / linearBytesPerParameter(identity.precision) + outside);
}

export function countOf(shape: DecoderShape, tower: number): ParameterCount {
  const count = countDecoder(shape);
  return { ...count, total: count.total + tower, active: count.active + tower };
}
