import type { ModelFacts } from "@capstan/catalog";
import { memoryBand, NEWEST_READ } from "./bands.ts";
import { atLeast, parseEngineVersion } from "./engine-version.ts";
import { kvCacheDtypeProblem } from "./kv-pages.ts";
import { computeDtype } from "./precision.ts";
import { runnerOf } from "./runner.ts";
import type { Unsupported, VllmMemoryInput } from "./types.ts";

/** Why no figure can be given for an input; null: the model covers it. Nothing is guessed. */
export function describeUnsupported(input: VllmMemoryInput): Unsupported | null {
  const reason = modelProblem(input.model) ?? numberProblem(input) ?? versionProblem(input) ?? parallelProblem(input);
  return reason === null ? null : { supported: false, reason };
}

function modelProblem(model: ModelFacts): string | null {
  const { id, attention } = model;
  if (attention === "encoder" || !model.generative) {
    return `"${id}" is an encoder without a KV cache; serve it with an embedding server and size it with cpuEngineMemory`;
  }
  if (attention === "encoder-decoder") return `"${id}" has cross attention, whose KV cache is not modelled`;
  if (!["mha", "gqa", "mqa", "mla"].includes(attention)) {
    return `the attention "${String(attention)}" of "${id}" is not known; known are mha, gqa, mqa and mla`;
  }
  if ((attention === "mla") !== (model.mla !== null)) {
    return `the facts of "${id}" contradict themselves: attention ${attention}, latent sizes ${model.mla === null ? "missing" : "given"}`;
  }
  if (model.intermediateSize === null && model.moe === null) {
    return `the facts of "${id}" give neither an MLP width nor experts`;
  }
  if (model.layerTypes !== null) {
    if (model.layerTypes.length !== model.layers) {
      return `the facts of "${id}" name ${model.layerTypes.length} layer types for ${model.layers} layers`;
    }
    if (model.slidingWindow === null && model.layerTypes.some((type) => type !== "full")) {
      return `the facts of "${id}" have windowed layers but no window`;
    }
    const unknown = model.layerTypes.find((type) => !["full", "sliding", "chunked"].includes(type));
    if (unknown !== undefined) return `the layer type "${String(unknown)}" of "${id}" is not modelled`;
  }
  return null;
}

function numberProblem(input: VllmMemoryInput): string | null {
  const whole: readonly [string, number | undefined][] = [
    ["tensorParallel", input.tensorParallel],
    ["pipelineParallel", input.pipelineParallel],
    ["maxModelLen", input.maxModelLen === "auto" ? undefined : input.maxModelLen],
    ["maxNumSeqs", input.maxNumSeqs],
    ["maxNumBatchedTokens", input.maxNumBatchedTokens],
    ["blockSize", input.blockSize],
    ["numGpuBlocksOverride", input.numGpuBlocksOverride],
    ["kvCacheMemoryBytes", input.kvCacheMemoryBytes],
    ["device.gpusPerReplica", input.device.gpusPerReplica],
    ["device.streamingMultiprocessors", input.device.streamingMultiprocessors],
  ];
  for (const [name, value] of whole) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) {
      return `${name} is ${value}; it must be a whole number above 0`;
    }
  }
  const utilisation = input.gpuMemoryUtilization;
  if (utilisation !== undefined && !(utilisation > 0 && utilisation <= 1)) {
    return `gpuMemoryUtilization is ${utilisation}; it must be above 0 and at most 1`;
  }
  if (!(input.device.totalGib > 0)) return `device.totalGib is ${input.device.totalGib}; it must be above 0`;
  const weights = input.weightsGibOverride;
  if (weights !== undefined && !(weights > 0)) return `weightsGibOverride is ${weights}; it must be above 0`;
  return null;
}

function versionProblem(input: VllmMemoryInput): string | null {
  const version = parseEngineVersion(input.version);
  if (version === null) return `vLLM version "${input.version}" is not an exact version such as 0.33.0`;
  if (memoryBand(version, runnerOf(version, input.model, input.precision)) === null) {
    return `the memory accounting of vLLM ${input.version} is not known; known are 0.11 to ${NEWEST_READ}`;
  }
  if (input.maxModelLen === "auto" && !atLeast(version, "0.14.0")) {
    return `vLLM ${input.version} has no max-model-len "auto"; it came with 0.14`;
  }
  return kvCacheDtypeProblem(input.model, version, input.kvCacheDtype, computeDtype(input.model, input.precision));
}

function parallelProblem(input: VllmMemoryInput): string | null {
  const { model, tensorParallel, pipelineParallel, device } = input;
  if (tensorParallel * pipelineParallel > device.gpusPerReplica) {
    return `tensor parallel ${tensorParallel} x pipeline parallel ${pipelineParallel} needs more GPUs than the ${device.gpusPerReplica} of the replica`;
  }
  if (pipelineParallel > model.layers)
    return `pipeline parallel ${pipelineParallel} is more than ${model.layers} layers`;
  if (model.attentionHeads % tensorParallel !== 0) {
    return `tensor parallel ${tensorParallel} does not divide the ${model.attentionHeads} attention heads of "${model.id}"`;
  }
  const heads = model.kvHeads;
  if (model.mla === null && heads % tensorParallel !== 0 && tensorParallel % heads !== 0) {
    return `tensor parallel ${tensorParallel} and the ${heads} KV heads of "${model.id}" do not divide one another`;
  }
  return null;
}
