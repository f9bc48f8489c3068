import type { EngineConstants, HardwareConstants } from "./calibration-types.ts";
import type { EffectiveRates, Link } from "./hardware.ts";
import type { Speculation } from "./types.ts";
import { attendedTokens, type ModelWork, promptPairs, touchedExperts } from "./work.ts";

/** All that the time of a step depends on, besides the requests in it. */
export interface Replica {
  readonly work: ModelWork;
  readonly rates: EffectiveRates;
  readonly link: Link;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly hardware: HardwareConstants;
  readonly engine: EngineConstants;
  readonly maxNumBatchedTokens: number;
}

export interface RequestShape {
  readonly promptTokens: number;
  /** Of the prompt, what has to be computed: the rest is in the prefix cache. */
  readonly freshTokens: number;
  readonly outputTokens: number;
  readonly speculation: Speculation | null;
}

/** Seconds by what they go to. */
export interface StepTime {
  /** Reading weights, where that takes longer than multiplying with them. */
  readonly weights: number;
  /** Reading the KV cache, where that takes longer than the attention's arithmetic. */
  readonly kv: number;
  readonly activations: number;
  readonly compute: number;
  readonly communication: number;
  readonly overhead: number;
}

export function totalSeconds(time: StepTime): number {
  return time.weights + time.kv + time.activations + time.compute + time.communication + time.overhead;
}

/** One step of `sequences` sequences with `context` cached tokens each, and no prompt in it. */
export function decodeStep(replica: Replica, shape: RequestShape, sequences: number, context: number): StepTime {
  const { work, rates, engine } = replica;
  const { draftTokens = 0, draftCostShare = 0 } = shape.speculation ?? {};
  const tokens = sequences * (1 + draftTokens);
  const linear = linearTime(replica, tokens, tokens);
  const attended = sequences * attendedTokens(work.attention, context);
  const read = (attended * work.attention.kvBytesPerLayer) / rates.kvBytesPerSecond;
  const scored = (attended * (1 + draftTokens) * work.attention.flopsPerPair) / rates.attentionFlopsPerSecond;
  const time: StepTime = {
    weights: linear.weights,
    kv: read > scored ? read : 0,
    activations: tokens * activationSeconds(replica),
    compute: linear.compute + (read > scored ? 0 : scored),
    communication: tokens * allReduceSecondsPerToken(replica) + allReduceLatency(replica),
    overhead: fixedSeconds(replica) + sequences * engine.sequenceSeconds,
  };
  return draftCostShare === 0 ? time : scaled(time, 1 + draftCostShare);
}

interface LinearTime {
  readonly weights: number;
  readonly compute: number;
}

/** A rank reads its matrices once a step and multiplies every token with them; the longer of the two counts. */
function linearTime({ work, rates }: Replica, tokens: number, sampled: number): LinearTime {
  const dense = longer(
    work.denseBytes / rates.weightBytesPerSecond,
    (tokens * work.denseFlops + sampled * work.headFlops) / rates.flopsPerSecond,
  );
  const experts = longer(
    (work.expertBytes * touchedExperts(work.expertShare, tokens)) / rates.weightBytesPerSecond,
    (tokens * work.expertFlops) / rates.expertFlopsPerSecond,
  );
  return { weights: dense.weights + experts.weights, compute: dense.compute + experts.compute };
}

function longer(weights: number, compute: number): LinearTime {
  return weights > compute ? { weights, compute: 0 } : { weights: 0, compute };
}

function scaled(time: StepTime, by: number): StepTime {
  return {
    weights: time.weights * by,
    kv: time.kv * by,
    activations: time.activations * by,
    compute: time.compute * by,
    communication: time.communication * by,
    overhead: time.overhead * by,
  };
}

/** After the attention and after the MLP. */
const allReducesPerLayer = 2;

function allReduceLatency({ work, link }: Replica): number {
  return allReducesPerLayer * work.layers * link.allReduceSeconds;
}

/** A ring moves every byte 2 (TP - 1) / TP times over each link. */
function allReduceSecondsPerToken({ work, link, tensorParallel }: Replica): number {
  const moved = (2 * (tensorParallel - 1)) / tensorParallel;
  return (allReducesPerLayer * work.layers * work.activationBytes * moved) / link.bytesPerSecond;
}

function activationSeconds({ work, rates }: Replica): number {
  return (work.layers * work.activationBytes) / rates.activationBytesPerSecond;
}

/** What a step costs before there is anything in it, all-reduces aside. */
function fixedSeconds({ work, hardware, engine }: Replica): number {
  return engine.stepSeconds + work.layers * hardware.layerSeconds + work.expertLayers * hardware.expertLayerSeconds;
}

/** What a further step costs that nothing but a rest of a prompt needs. */
export function emptyStep(replica: Replica): StepTime {
  return { ...nothing, communication: allReduceLatency(replica), overhead: fixedSeconds(replica) };
}

const nothing: StepTime = { weights: 0, kv: 0, activations: 0, compute: 0, communication: 0, overhead: 0 };

/** What one prompt adds to the steps of a batch, which read the weights anyway. */
export function promptTime(replica: Replica, shape: RequestShape): StepTime {
  const { work, rates } = replica;
  const { freshTokens, promptTokens } = shape;
  const pairs = promptPairs(work.attention, promptTokens - freshTokens, freshTokens);
  return {
    ...nothing,
    activations: freshTokens * activationSeconds(replica),
    compute:
      (freshTokens * work.denseFlops) / rates.flopsPerSecond +
      (freshTokens * work.expertFlops) / rates.expertFlopsPerSecond +
      (pairs * work.attention.flopsPerPair) / rates.attentionFlopsPerSecond,
    communication: freshTokens * allReduceSecondsPerToken(replica),
  };
}

/** Steps that a prompt is cut into (chunked prefill). */
export function promptChunks({ maxNumBatchedTokens }: Replica, { freshTokens }: RequestShape): number {
  return Math.max(1, Math.ceil(freshTokens / maxNumBatchedTokens));
}

/** A prompt on an idle replica: each of its chunks reads the weights and pays for a step. */
export function lonePromptSeconds(replica: Replica, shape: RequestShape): number {
  const { work, rates } = replica;
  const chunks = promptChunks(replica, shape);
  const linear = linearTime(replica, shape.freshTokens / chunks, 1 / chunks);
  const multiplied =
    (shape.freshTokens * work.denseFlops) / rates.flopsPerSecond +
    (shape.freshTokens * work.expertFlops) / rates.expertFlopsPerSecond;
  const beside = totalSeconds(promptTime(replica, shape)) - multiplied;
  return chunks * (linear.weights + linear.compute + totalSeconds(emptyStep(replica))) + beside;
}
