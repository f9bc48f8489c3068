import type { ModelFacts } from "@capstan/catalog";
import type { Problems } from "./fit-error.ts";
import type { FitQuery } from "./types.ts";

const VOCABULARY_PADDING = 64;
const MOST = 16;

export interface Parallel {
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly gpus: number;
}

/** GPUs of a replica and how the model is spread over them. */
export function parallelOf(query: FitQuery, problems: Problems): Parallel {
  const pipelineParallel = query.pipelineParallel ?? 1;
  const tensorParallel =
    query.tensorParallel ?? Math.max(1, Math.floor((query.gpus ?? pipelineParallel) / pipelineParallel));
  const needed = tensorParallel * pipelineParallel;
  const gpus = query.gpus ?? needed;
  if (needed > gpus) {
    problems.add(
      "gpus",
      gpus,
      `tensorParallel ${tensorParallel} x pipelineParallel ${pipelineParallel} needs ${needed}`,
    );
  }
  return { tensorParallel, pipelineParallel, gpus };
}

/** What keeps a model from being split over so many ranks; null: nothing. */
export function splitProblem(model: ModelFacts, tensorParallel: number): string | null {
  const padded = Math.ceil(model.vocabSize / VOCABULARY_PADDING) * VOCABULARY_PADDING;
  const width = model.intermediateSize ?? model.moe?.expertIntermediateSize ?? tensorParallel;
  const undivided: string[] = [];
  if (model.attentionHeads % tensorParallel !== 0) undivided.push(`${model.attentionHeads} attention heads`);
  if (model.mla === null && model.kvHeads % tensorParallel !== 0 && tensorParallel % model.kvHeads !== 0) {
    undivided.push(`${model.kvHeads} KV heads`);
  }
  if (padded % tensorParallel !== 0) undivided.push(`vocabulary of ${model.vocabSize} (padded to ${padded})`);
  if (width % tensorParallel !== 0) undivided.push(`MLP width of ${width}`);
  return undivided.length === 0 ? null : `does not divide the ${undivided.join(", the ")} of ${model.id}`;
}

export function checkSplit(
  model: ModelFacts,
  { tensorParallel, pipelineParallel }: Parallel,
  problems: Problems,
): void {
  const problem = splitProblem(model, tensorParallel);
  if (problem !== null) {
    const valid = Array.from({ length: MOST }, (_, i) => i + 1).filter((size) => splitProblem(model, size) === null);
    const near = valid.reduce((a, b) => (Math.abs(b - tensorParallel) < Math.abs(a - tensorParallel) ? b : a), 1);
    problems.add("tensorParallel", tensorParallel, `${problem}; valid: ${valid.join(", ")}, the nearest is ${near}`);
  }
  if (pipelineParallel > model.layers) {
    problems.add(
      "pipelineParallel",
      pipelineParallel,
      `${model.id} has ${model.layers} layers; valid: 1 to ${model.layers}`,
    );
  }
}
