import type { ModelFacts, Precision } from "@capstan/catalog";
import {
  type CpuEngine,
  cpuAssumptions,
  cpuAssumptionsAsOf,
  requestMargin,
  requestStepGib,
  teiBatchTokens,
  vllmCpuBatch,
  vllmCpuBlockSize,
} from "./cpu-assumptions.ts";
import { kvBytesPerTokenPerLayer } from "./kv-pages.ts";
import { type ComputeDtype, isQuantised, linearBytesPerParameter } from "./precision.ts";
import type { Unsupported } from "./types.ts";
import { bytesToGib, gibText, roundUpTo } from "./units.ts";

export interface CpuEngineMemoryInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  readonly engine: CpuEngine;
  /** Bytes of the published files. @default - computed from parameters and precision */
  readonly artefactBytes?: number | undefined;
  /** Longest prompt plus answer, or longest text of an encoder, in tokens. */
  readonly contextTokens: number;
  /** Requests that are worked on at once. */
  readonly concurrency: number;
  /** `u8`: OpenVINO's 8-bit cache. @default "auto", 16 bits (32 for fp32 weights) */
  readonly kvCacheDtype?: "auto" | "u8" | undefined;
}

export interface CpuEngineMemory {
  readonly supported: true;
  readonly weightsGib: number;
  /** 0 for encoders. */
  readonly kvGib: number;
  /** Scratch of one step: hidden states, attention scores, logits. */
  readonly activationGib: number;
  /** The server without a model. An assumption, see `how`. */
  readonly runtimeGib: number;
  /** What to put in the pod's memory request and limit, GiB. */
  readonly requestGib: number;
  readonly how: readonly string[];
}

export type CpuEngineMemoryResult = CpuEngineMemory | Unsupported;

interface Part {
  readonly bytes: number;
  readonly how: string;
}

/** Memory of a model server on a CPU node. An estimate on assumptions: it is meant to be enough, not exact. */
export function cpuEngineMemory(input: CpuEngineMemoryInput): CpuEngineMemoryResult {
  const reason = problem(input);
  if (reason !== null) return { supported: false, reason };
  const weights = weightsPart(input);
  const kv = kvPart(input);
  const activation = activationPart(input);
  const { runtimeGib, basis } = cpuAssumptions[input.engine];
  const sum = bytesToGib(weights.bytes + kv.bytes + activation.bytes) + runtimeGib;
  return {
    supported: true,
    weightsGib: bytesToGib(weights.bytes),
    kvGib: bytesToGib(kv.bytes),
    activationGib: bytesToGib(activation.bytes),
    runtimeGib,
    requestGib: roundUpTo(sum * (1 + requestMargin), requestStepGib),
    how: [
      `weights ${gibText(bytesToGib(weights.bytes))}: ${weights.how}`,
      "weights are counted once, as resident memory; pages of mapped files show up as page cache beside them and can be dropped",
      `KV cache ${gibText(bytesToGib(kv.bytes))}: ${kv.how}`,
      `activations ${gibText(bytesToGib(activation.bytes))}: ${activation.how}`,
      `runtime ${gibText(runtimeGib)}: ${basis} (assumption of ${cpuAssumptionsAsOf})`,
      `request: sum plus ${requestMargin * 100} %, rounded up to ${requestStepGib} GiB`,
    ],
  };
}

function problem({ model, engine, contextTokens, concurrency, artefactBytes }: CpuEngineMemoryInput): string | null {
  for (const [name, value] of [
    ["contextTokens", contextTokens],
    ["concurrency", concurrency],
  ] as const) {
    if (!(Number.isInteger(value) && value > 0)) return `${name} is ${value}; it must be a whole number above 0`;
  }
  if (artefactBytes !== undefined && !(artefactBytes > 0)) {
    return `artefactBytes is ${artefactBytes}; it must be above 0`;
  }
  if (model.attention === "encoder-decoder") return `"${model.id}" has cross attention, whose KV cache is not modelled`;
  if (engine === "tei" && model.generative)
    return `TEI serves encoders; "${model.id}" generates text: use OVMS or vLLM`;
  if (engine === "triton" && model.generative) {
    return `an ONNX session in Triton has no KV cache or sampling loop, so "${model.id}" cannot generate there: use OVMS or vLLM`;
  }
  return null;
}

function weightsPart({ model, precision, artefactBytes }: CpuEngineMemoryInput): Part {
  if (artefactBytes !== undefined) return { bytes: artefactBytes, how: "size of the published files" };
  const { total, embedding, lmHead } = model.parameters;
  const perParameter = linearBytesPerParameter(precision);
  if (!isQuantised(precision)) return { bytes: total * perParameter, how: `${total} parameters x ${perParameter} B` };
  // Some converters quantise the vocabulary's tables too; counting them in 16 bits is the safe side.
  const tables = embedding + lmHead;
  return {
    bytes: (total - tables) * perParameter + tables * 2,
    how: `${total - tables} parameters x ${perParameter} B, ${tables} of embeddings and output head x 2 B`,
  };
}

function kvPart(input: CpuEngineMemoryInput): Part {
  const { model, engine, contextTokens, concurrency } = input;
  if (!model.generative) return { bytes: 0, how: "an encoder keeps none" };
  const perToken =
    model.layers *
    (input.kvCacheDtype === "u8" ? u8Bytes(model) : kvBytesPerTokenPerLayer(model, "auto", 1, computeType(input)));
  const block = model.mla === null ? vllmCpuBlockSize : 16;
  const tokens = engine === "vllm-cpu" ? roundUpTo(contextTokens, block) : contextTokens;
  return {
    bytes: perToken * tokens * concurrency,
    how: `${perToken} B a token x ${tokens} tokens x ${concurrency} requests, windows of sliding layers not counted as a saving`,
  };
}

/** A byte a value; K and V of every head and token carry a scale and a zero point of 4 bytes each (OpenVINO, assumed). */
function u8Bytes({ kvHeads, headDim }: ModelFacts): number {
  return kvHeads * 2 * (headDim + 8);
}

function computeType({ precision }: CpuEngineMemoryInput): ComputeDtype {
  return precision === "fp32" ? "float32" : "bfloat16";
}

function activationPart(input: CpuEngineMemoryInput): Part {
  if (!input.model.generative) return encoderActivation(input);
  if (input.engine === "ovms") {
    return { bytes: 0, how: "steps of 256 tokens, part of the runtime's figure" };
  }
  const { model } = input;
  const width = model.intermediateSize ?? (model.moe?.expertIntermediateSize ?? 0) * (model.moe?.expertsPerToken ?? 0);
  const forward = vllmCpuBatch.maxNumBatchedTokens * (3 * width + 4 * model.hiddenSize) * 2;
  const logits = vllmCpuBatch.maxNumSeqs * model.vocabSize * 14;
  return {
    bytes: Math.max(forward, logits),
    how: `higher of a forward pass of ${vllmCpuBatch.maxNumBatchedTokens} tokens and logits of ${vllmCpuBatch.maxNumSeqs} rows`,
  };
}

/** Hidden states and the attention scores, which CPU kernels write out: they grow with the square of the length. */
function encoderActivation({ model, engine, contextTokens, concurrency }: CpuEngineMemoryInput): Part {
  const length = Math.min(contextTokens, model.maxPositionEmbeddings);
  const wanted = length * concurrency;
  const tokens = engine === "tei" ? Math.max(length, Math.min(wanted, teiBatchTokens)) : wanted;
  const states = tokens * ((model.intermediateSize ?? 0) + 4 * model.hiddenSize) * 4;
  const scores = tokens * length * model.attentionHeads * 4;
  return {
    bytes: states + scores,
    how: `batch of ${tokens} tokens in texts of ${length}: hidden states, and scores of ${model.attentionHeads} heads, 4 B each`,
  };
}
