import { gpu as gpuFacts } from "@capstan/catalog";
import { parseEngineVersion } from "../memory/engine-version.ts";
import { computeRate } from "./hardware.ts";
import type { SpeedInput } from "./types.ts";

/** Why no speed can be given; null: it can. Nothing is guessed. */
export function speedProblem(input: SpeedInput): string | null {
  return numberProblem(input) ?? modelProblem(input) ?? gpuProblem(input);
}

function numberProblem(input: SpeedInput): string | null {
  for (const name of ["tensorParallel", "pipelineParallel", "maxNumSeqs", "maxNumBatchedTokens"] as const) {
    if (!(Number.isInteger(input[name]) && input[name] > 0)) {
      return `${name} is ${input[name]}; it must be a whole number above 0`;
    }
  }
  for (const name of ["promptTokens", "outputTokens", "kvTokens"] as const) {
    if (!(Number.isFinite(input[name]) && input[name] >= 0)) return `${name} is ${input[name]}; it must be 0 or more`;
  }
  if (input.concurrency !== null && !(Number.isFinite(input.concurrency) && input.concurrency >= 1)) {
    return `concurrency is ${input.concurrency}; it must be 1 or more`;
  }
  for (const name of ["bandwidth", "compute"] as const) {
    const share = input.deviceShare[name];
    if (!(share > 0 && share <= 1)) return `deviceShare.${name} is ${share}; it must be above 0 and at most 1`;
  }
  const hits = input.prefixCacheHitRate ?? 0;
  if (!(hits >= 0 && hits < 1)) return `prefixCacheHitRate is ${hits}; it must be 0 or more and below 1`;
  if (input.engineVersion !== undefined && parseEngineVersion(input.engineVersion) === null) {
    return `engine version "${input.engineVersion}" is not an exact version such as 0.33.0`;
  }
  return speculationProblem(input);
}

function speculationProblem({ speculation }: SpeedInput): string | null {
  if (speculation === undefined) return null;
  const { draftTokens, tokensPerStep, draftCostShare } = speculation;
  if (!(Number.isInteger(draftTokens) && draftTokens > 0)) {
    return `speculation.draftTokens is ${draftTokens}; it must be a whole number above 0`;
  }
  if (!(tokensPerStep >= 1 && tokensPerStep <= draftTokens + 1)) {
    return `speculation.tokensPerStep is ${tokensPerStep}; with ${draftTokens} draft tokens it must be 1 to ${draftTokens + 1}`;
  }
  if (!(draftCostShare >= 0 && Number.isFinite(draftCostShare))) {
    return `speculation.draftCostShare is ${draftCostShare}; it must be 0 or more`;
  }
  return null;
}

function modelProblem({ model, kvTokens, promptTokens, outputTokens }: SpeedInput): string | null {
  if (!model.generative || model.attention === "encoder" || model.attention === "encoder-decoder") {
    return `"${model.id}" does not generate text from a KV cache of its own: there is no decode step to time`;
  }
  if (kvTokens < promptTokens + outputTokens) {
    return `the KV cache holds ${kvTokens} tokens, one request of this traffic needs ${promptTokens + outputTokens}`;
  }
  return null;
}

function gpuProblem({ gpu, precision }: SpeedInput): string | null {
  const facts = gpuFacts(gpu);
  if (facts.vendor !== "nvidia")
    return `no published figure of ${facts.name} was used to calibrate: no claim about its speed`;
  if (facts.bandwidthGBps === null) return `the memory bandwidth of ${facts.name} is not known`;
  if (computeRate(facts, precision) === null)
    return `the arithmetic rate of ${facts.name} in ${precision} is not known`;
  return null;
}
