import {
  decodeStep,
  emptyStep,
  promptChunks,
  promptTime,
  type Replica,
  type RequestShape,
  type StepTime,
  totalSeconds,
} from "./step.ts";
import type { OperatingPoint } from "./types.ts";

/** The time in which every slot of the batch serves one request, and what it goes to. */
export interface Cycle {
  /** Requests in flight. */
  readonly batch: number;
  /** Of those, in one step: a pipeline works on as many parts of the batch at once as it has stages. */
  readonly sequences: number;
  /** Steps that a sequence takes for its answer. */
  readonly decodeSteps: number;
  readonly seconds: number;
  readonly time: StepTime;
  readonly step: StepTime;
  readonly prompt: StepTime;
}

/**
 * Continuous batching in the long run. Each slot takes a step for each token of its answer, the first of which ends its
 * prompt, and takes the next request at once; the prompts of all slots ride along in those steps as chunks. So a cycle
 * is the steps of one answer plus the prompts of all.
 */
export function cycleOf(replica: Replica, shape: RequestShape, batch: number): Cycle {
  const sequences = Math.max(1, batch / replica.pipelineParallel);
  const decodeSteps = Math.max(1, shape.outputTokens / (shape.speculation?.tokensPerStep ?? 1));
  const step = decodeStep(replica, shape, sequences, meanContext(shape));
  const prompt = promptTime(replica, shape);
  // Prompts that do not fit into the answer's steps need steps of their own.
  const promptSteps = (sequences * shape.freshTokens) / replica.maxNumBatchedTokens;
  const extraSteps = Math.max(0, promptSteps - decodeSteps);
  const extra = emptyStep(replica);
  const sum = (key: keyof StepTime): number =>
    decodeSteps * step[key] + sequences * prompt[key] + extraSteps * extra[key];
  const time: StepTime = {
    weights: sum("weights"),
    kv: sum("kv"),
    activations: sum("activations"),
    compute: sum("compute"),
    communication: sum("communication"),
    overhead: sum("overhead"),
  };
  return { batch, sequences, decodeSteps, seconds: totalSeconds(time), time, step, prompt };
}

/** Tokens that a sequence has cached on average while it answers. */
export function meanContext({ promptTokens, outputTokens }: RequestShape): number {
  return promptTokens + outputTokens / 2;
}

export function operatingPoint(replica: Replica, shape: RequestShape, batch: number): OperatingPoint {
  const cycle = cycleOf(replica, shape, batch);
  const step = totalSeconds(cycle.step);
  const prompt = totalSeconds(cycle.prompt);
  const chunks = promptChunks(replica, shape);
  return {
    batch,
    requestsPerSecond: batch / cycle.seconds,
    interTokenSeconds: cycle.seconds / Math.max(1, shape.outputTokens),
    // Half a step until the running one ends, then each chunk in a step with the rest of the batch.
    firstTokenSeconds: step / 2 + chunks * step + prompt,
    // The stages of a pipeline work on several prompts at once.
    promptSeconds: (prompt * cycle.sequences) / batch,
    chunkStepSeconds: step + prompt / chunks,
    promptChunks: chunks,
  };
}
