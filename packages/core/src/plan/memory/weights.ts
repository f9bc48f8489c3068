import type { ModelFacts, Precision } from "@capstan/catalog";
import { allocatorWasteBytes } from "./allocator.ts";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import { expertShape, type WeightLayout, weightLayout } from "./layout.ts";
import { computeDtype, elementBytes, linearBytesPerParameter } from "./precision.ts";
import { ropeElements } from "./rope.ts";
import { type PipelineStage, pipelineStages } from "./stages.ts";
import { ceilDiv } from "./units.ts";

export interface WeightPart {
  readonly name: string;
  readonly bytes: number;
  readonly how: string;
}

export interface StageWeights {
  readonly stage: PipelineStage;
  readonly bytes: number;
  readonly parts: readonly WeightPart[];
}

export interface WeightInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly version: EngineVersion;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
}

/** Weights that one rank of each pipeline stage holds, as the loader logs them (facts/serving.md B2). */
export function weightBytesPerRank(input: WeightInput): readonly StageWeights[] {
  const layout = weightLayout(input.model);
  return pipelineStages(input.model.layers, input.pipelineParallel).map((stage) => {
    const parts = [
      linearPart(input, layout, stage),
      expertsPart(input, layout, stage),
      replicatedPart(input, layout, stage),
      embeddingPart(input, stage),
      absorbedPart(input, stage),
      ropePart(input),
      roundingPart(input, layout, stage),
    ].filter((part) => part.bytes > 0);
    return { stage, bytes: parts.reduce((sum, part) => sum + part.bytes, 0), parts };
  });
}

/** Experts are all that MXFP4 checkpoints quantise; other methods quantise every linear layer. */
function plainLinearBytes(input: WeightInput): number {
  if (input.precision === "mxfp4" && input.model.moe !== null) return wordBytes(input);
  return linearBytesPerParameter(input.precision);
}

function wordBytes(input: WeightInput): number {
  return elementBytes(computeDtype(input.model, input.precision));
}

function linearPart(input: WeightInput, layout: WeightLayout, stage: PipelineStage): WeightPart {
  const share = stage.layers / input.model.layers;
  const perParameter = plainLinearBytes(input);
  const dense = stage.layers * (layout.attentionPerLayer + layout.mlpPerLayer) + share * layout.other;
  return {
    name: "linear layers",
    bytes: (dense * perParameter) / input.tensorParallel,
    how: `${Math.round(dense)} parameters x ${perParameter} B / TP ${input.tensorParallel}`,
  };
}

function expertsPart(input: WeightInput, layout: WeightLayout, stage: PipelineStage): WeightPart {
  const { model, precision, tensorParallel, version } = input;
  const shape = expertShape(model, precision, tensorParallel, version);
  if (shape === null || model.moe === null) return { name: "experts", bytes: 0, how: "none" };
  const share = stage.layers / model.layers;
  const unpadded = ceilDiv(model.moe.expertIntermediateSize, tensorParallel) * model.hiddenSize;
  const padding = (shape.intermediate * shape.hidden) / unpadded;
  const perParameter = linearBytesPerParameter(precision);
  const padded = padding === 1 ? "" : `, padded by the kernel x ${padding.toFixed(4)}`;
  return {
    name: "experts",
    bytes: (share * layout.experts * perParameter * padding) / tensorParallel,
    how: `${Math.round(share * layout.experts)} parameters x ${perParameter} B / TP ${tensorParallel}${padded}`,
  };
}

/** Norms and 16-bit extras, and K/V projections that are copied when there are more ranks than KV heads. */
function replicatedPart(input: WeightInput, layout: WeightLayout, stage: PipelineStage): WeightPart {
  const { model, tensorParallel } = input;
  const share = stage.layers / model.layers;
  const word = wordBytes(input);
  const norms = share * layout.norms * word;
  const extras = stage.first ? (layout.extras * word) / tensorParallel : 0;
  const held = Math.max(1, model.kvHeads / tensorParallel) / model.kvHeads - 1 / tensorParallel;
  const copies = stage.layers * layout.keyValuePerLayer * held * plainLinearBytes(input);
  // MLA's down-projection to the latent is not split over ranks.
  const latent =
    model.mla === null
      ? 0
      : stage.layers *
        model.hiddenSize *
        (model.mla.kvLoraRank + model.mla.ropeHeadDim) *
        (1 - 1 / tensorParallel) *
        plainLinearBytes(input);
  return {
    name: "norms, 16-bit extras, replicated projections",
    bytes: norms + extras + copies + latent,
    how: "norms on every rank; biases or vision tower / TP; K and V copied where TP is larger than the KV heads",
  };
}

function embeddingPart(input: WeightInput, stage: PipelineStage): WeightPart {
  const { model, tensorParallel } = input;
  const word = wordBytes(input);
  const rows = ceilDiv(model.vocabSize, 64 * tensorParallel) * 64;
  const share = model.vocabSize === 0 ? 0 : rows / model.vocabSize;
  const embedding = stage.first ? model.parameters.embedding : 0;
  const head = stage.last ? headParameters(model, stage) : 0;
  return {
    name: "embeddings and output head",
    bytes: (embedding + head) * share * word,
    how: `${rows} vocabulary rows a rank (padded to 64 x TP), ${word} B each element`,
  };
}

function headParameters(model: ModelFacts, stage: PipelineStage): number {
  if (!model.tiedEmbeddings) return model.parameters.lmHead;
  // A tied head is the embedding itself, and needs a copy where the two are on different stages.
  return stage.first ? 0 : model.parameters.embedding;
}

/** MLA keeps two absorbed forms of the up-projection in 16 bits beside the projection itself. */
function absorbedPart(input: WeightInput, stage: PipelineStage): WeightPart {
  const { model, tensorParallel } = input;
  if (model.mla === null) return { name: "absorbed MLA projections", bytes: 0, how: "none" };
  const perLayer = model.mla.kvLoraRank * (model.attentionHeads / tensorParallel) * 2 * model.headDim;
  return {
    name: "absorbed MLA projections",
    bytes: stage.layers * perLayer * wordBytes(input),
    how: `latent ${model.mla.kvLoraRank} x ${model.attentionHeads} heads / TP x 2 x ${model.headDim}, a copy per layer`,
  };
}

function ropePart(input: WeightInput): WeightPart {
  const elements = ropeElements(input.model);
  const word = wordBytes(input);
  return { name: "rotary table", bytes: elements * word, how: `${elements} elements x ${word} B, whole on every rank` };
}

function roundingPart(input: WeightInput, layout: WeightLayout, stage: PipelineStage): WeightPart {
  const { model, tensorParallel } = input;
  const limited = atLeast(input.version, "0.21.0");
  const waste = (parameters: number, perParameter: number): number =>
    allocatorWasteBytes(Math.round(parameters * perParameter), limited);
  const linear = plainLinearBytes(input);
  const word = wordBytes(input);
  const held = Math.max(1, model.kvHeads / tensorParallel) / model.kvHeads;
  const heads = (model.hiddenSize * model.attentionHeads * model.headDim) / tensorParallel;
  let perLayer = 0;
  if (model.mla === null) {
    perLayer += waste(heads + 2 * model.hiddenSize * model.kvHeads * model.headDim * held, linear);
    perLayer += waste(heads, linear);
  }
  const shape = expertShape(model, input.precision, tensorParallel, input.version);
  if (shape !== null && model.moe !== null) {
    const perMatrix = model.moe.experts * shape.hidden * shape.intermediate;
    const bytes = linearBytesPerParameter(input.precision);
    perLayer += waste(2 * perMatrix, bytes) + waste(perMatrix, bytes);
  } else {
    const perMatrix = (model.hiddenSize * (model.intermediateSize ?? 0)) / tensorParallel;
    perLayer += waste((layout.mlpMatrices - 1) * perMatrix, linear) + waste(perMatrix, linear);
  }
  const rows = ceilDiv(model.vocabSize, 64 * tensorParallel) * 64;
  const tables = (stage.first ? 1 : 0) + (stage.last && headParameters(model, stage) > 0 ? 1 : 0);
  return {
    name: "allocator rounding",
    bytes: stage.layers * perLayer + tables * waste(rows * model.hiddenSize, word),
    how: "what PyTorch counts beyond the tensors: rests of up to 1 MiB of 2 MiB segments",
  };
}
