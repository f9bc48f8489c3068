import type { ModelFacts, Precision } from "@capstan/catalog";
import type { MemoryBand } from "./bands.ts";
import type { BandConstants } from "./calibration-types.ts";
import type { EngineVersion } from "./engine-version.ts";
import { expertShape, weightLayout } from "./layout.ts";
import { computeDtype, elementBytes, quantisesActivations } from "./precision.ts";
import type { PipelineStage } from "./stages.ts";
import { gibToBytes } from "./units.ts";

export interface ActivationInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly version: EngineVersion;
  readonly stage: Pick<PipelineStage, "first" | "last">;
  readonly tensorParallel: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly streamingMultiprocessors: number;
  readonly band: MemoryBand;
  readonly constants: Pick<BandConstants, "samplerBytes" | "forwardFactor" | "fixedActivationGib">;
}

export interface ActivationPeak {
  readonly bytes: number;
  /** Which of the two peaks of the profile run is the higher one. */
  readonly dominant: "sampler" | "forward";
  readonly forwardBytes: number;
  /** 0 on a stage that computes no logits. */
  readonly samplerBytes: number;
  readonly how: string;
}

/**
 * Highest memory of the profile run: one forward pass of maxNumBatchedTokens tokens, then the sampler over the whole
 * vocabulary for maxNumSeqs rows. Independent of the context length and of the utilisation (facts/serving.md B3,
 * facts/vllm-by-version.md 2.2). The sampler usually wins, so fewer sequences buy KV memory on a large GPU.
 */
export function activationPeak(input: ActivationInput): ActivationPeak {
  const encoder = encoderCacheBytes(input);
  const forwardBytes = forwardPeak(input) + encoder;
  const sampler = input.stage.last ? samplerPeak(input) + encoder : 0;
  const dominant = sampler > forwardBytes ? "sampler" : "forward";
  const rows = samplerRows(input);
  return {
    bytes: Math.max(sampler, forwardBytes),
    dominant,
    forwardBytes,
    samplerBytes: sampler,
    how:
      dominant === "sampler"
        ? `sampler: ${rows} rows x ${input.model.vocabSize} vocabulary x ${input.constants.samplerBytes} B, plus hidden states`
        : `forward pass of ${input.maxNumBatchedTokens} tokens`,
  };
}

/** Logits, their fp32 copy and what sampling makes of them, with the hidden states still alive. */
function samplerPeak(input: ActivationInput): number {
  const { model, constants, band } = input;
  const rows = samplerRows(input);
  const word = elementBytes(computeDtype(model, input.precision));
  const logits = constants.samplerBytes * rows * model.vocabSize;
  const mask = band.samplerMask ? Math.min(input.streamingMultiprocessors, rows) * model.vocabSize * 4 : 0;
  const hidden = (input.maxNumBatchedTokens + rows) * model.hiddenSize * word;
  const workspaces = band.moeWorkspaceKept ? mixtureWorkspaces(input) : 0;
  return logits + mask + hidden + workspaces + gibToBytes(constants.fixedActivationGib);
}

function samplerRows(input: ActivationInput): number {
  return Math.min(input.maxNumSeqs, input.maxNumBatchedTokens);
}

/** Gate and up projection, the activation, and four hidden states are alive at the widest point of a layer. */
function forwardPeak(input: ActivationInput): number {
  const { model, tensorParallel, constants } = input;
  const tokens = input.maxNumBatchedTokens;
  const word = elementBytes(computeDtype(model, input.precision));
  const matrices = weightLayout(model).mlpMatrices;
  const quantisedCopy = quantisesActivations(input.precision) ? 1 : 0;
  const mlp = (width: number): number => (tokens * width * (matrices * word + quantisedCopy)) / tensorParallel;
  const hidden = tokens * 4 * model.hiddenSize * word;
  const dense = model.moe === null || model.moe.firstDenseLayers > 0 ? mlp(model.intermediateSize ?? 0) : 0;
  const mixture = model.moe === null ? 0 : mixtureWorkspaces(input) + mlp(model.moe.sharedExpertIntermediateSize);
  return (Math.max(dense, mixture) + hidden) * constants.forwardFactor;
}

/** Two scratch tensors of the fused expert kernel, one row per token and chosen expert. */
function mixtureWorkspaces(input: ActivationInput): number {
  const { model, precision, tensorParallel, version } = input;
  const shape = expertShape(model, precision, tensorParallel, version);
  if (shape === null || model.moe === null) return 0;
  const rows = input.maxNumBatchedTokens * model.moe.expertsPerToken;
  const word = elementBytes(computeDtype(model, precision));
  const first = Math.max(2 * shape.intermediate, shape.hidden);
  const second = Math.max(shape.intermediate, shape.hidden);
  return rows * (first + second) * word;
}

/**
 * Outputs of the vision encoder, kept while the language model is profiled: about one embedding per token of the step.
 */
function encoderCacheBytes(input: ActivationInput): number {
  const { model, stage, band } = input;
  if (!isMultimodal(model) || !stage.first || !band.encoderProfiled) return 0;
  return input.maxNumBatchedTokens * model.hiddenSize * elementBytes(computeDtype(model, input.precision));
}

export function isMultimodal(model: ModelFacts): boolean {
  return model.architecture.endsWith("ForConditionalGeneration");
}
