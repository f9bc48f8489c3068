import type { EngineConstants } from "./calibration-types.ts";
import type { EffectiveRates, Link } from "./hardware.ts";
import type { Speculation } from "./types.ts";
import { attendedPerToken, type ModelWork, promptPairs, touchedExperts } from "./work.ts";

/** All that the time of a step depends on, besides how many sequences are in it. */
export interface Replica {
  readonly work: ModelWork;
  readonly rates: EffectiveRates;
  readonly link: Link;
  readonly tensorParallel: number;
  readonly engine: EngineConstants;
  readonly maxNumBatchedTokens: number;
}

export interface Traffic {
  readonly promptTokens: number;
  /** Of the prompt, what the prefix cache has. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly speculation: Speculation | null;
}

/** Seconds, by what they are spent on. */
export interface StepTime {
  /** Reading weights, where that takes longer than multiplying with them. */
  readonly weights: number;
  /** Multiplying with weights, where that takes longer than reading them; attention arithmetic likewise. */
  readonly compute: number;
  readonly kv: number;
  readonly communication: number;
  readonly overhead: number;
  readonly total: number;
}

/** One step of `sequences` sequences that have `context` tokens each, and gain a token each. */
export function decodeStep(replica: Replica, traffic: Traffic, sequences: number, context: number): StepTime {
  const { work, rates, engine } = replica;
  const checked = 1 + (traffic.speculation?.draftTokens ?? 0);
  const tokens = sequences * checked;
  const linear = linearTime(replica, tokens, tokens);
  const attended = sequences * attendedPerToken(work.attention, context);
  const kv = (attended * work.attention.kvBytesPerLayer) / rates.kvBytesPerSecond;
  const scores = (attended * checked * work.attention.flopsPerPair) / rates.attentionFlopsPerSecond;
  const communication = allReduceLatency(replica) + tokens * allReducePerToken(replica);
  const overhead = engine.stepSeconds + sequences * engine.sequenceSeconds;
  const draft = traffic.speculation?.draftCostShare ?? 0;
  const sum = (linear.weights + linear.compute + Math.max(kv, scores) + communication + overhead) * (1 + draft);
  return {
    weights: linear.weights * (1 + draft),
    compute: (linear.compute + (scores > kv ? scores : 0)) * (1 + draft),
    kv: scores > kv ? 0 : kv * (1 + draft),
    communication: communication * (1 + draft),
    overhead: overhead * (1 + draft),
    total: sum,
  };
}

/** Each rank reads its weights once a step and multiplies every token with them; the longer of the two counts. */
function linearTime(
  { work, rates }: Replica,
  tokens: number,
  sampled: number,
): { readonly weights: number; readonly compute: number } {
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

function longer(weights: number, compute: number): { readonly weights: number; readonly compute: number } {
  return weights > compute ? { weights, compute: 0 } : { weights: 0, compute };
}

/** Two all-reduces a layer: after the attention and after the MLP. */
const reducesPerLayer = 2;

function allReduceLatency({ work, link }: Replica): number {
  return reducesPerLayer * work.layers * link.allReduceSeconds;
}

/** A ring sends every byte 2 (TP - 1) / TP times over each link. */
function allReducePerToken({ work, link, tensorParallel }: Replica): number {
  const sent = (2 * (tensorParallel - 1)) / tensorParallel;
  return (reducesPerLayer * work.layers * work.activationBytes * sent) / link.bytesPerSecond;
}

/** What the prompt of one request adds to the steps of a batch, whose weights are read anyway: no weights in it. */
export function promptTime(replica: Replica, traffic: Traffic): StepTime {
  const { work, rates } = replica;
  const fresh = freshTokens(traffic);
  const linear =
    (fresh * work.denseFlops) / rates.flopsPerSecond + (fresh * work.expertFlops) / rates.expertFlopsPerSecond;
  const scores =
    (promptPairs(work.attention, traffic.cachedTokens, fresh) * work.attention.flopsPerPair) /
    rates.attentionFlopsPerSecond;
  const communication = fresh * allReducePerToken(replica);
  return {
    weights: 0,
    compute: linear + scores,
    kv: 0,
    communication,
    overhead: 0,
    total: linear + scores + communication,
  };
}

export function freshTokens({ promptTokens, cachedTokens }: Traffic): number {
  return promptTokens - cachedTokens;
}

/** Steps that a prompt is spread over when nothing else is in the batch. */
export function promptChunks(replica: Replica, traffic: Traffic): number {
  return Math.max(1, Math.ceil(freshTokens(traffic) / replica.maxNumBatchedTokens));
}

/** The prompt alone on an idle replica: every chunk also reads the weights, pays the launch and the all-reduces' latency. */
export function lonePrefillSeconds(replica: Replica, traffic: Traffic): number {
  const chunks = promptChunks(replica, traffic);
  const perChunk = freshTokens(traffic) / chunks;
  const linear = linearTime(replica, perChunk, 1);
  const prompt = promptTime(replica, traffic);
  const own = prompt.total - linearOnly(replica, traffic);
  return (
    chunks * (linear.weights + linear.compute + replica.engine.stepSeconds + allReduceLatency(replica)) + own
  );
}

function linearOnly({ work, rates }: Replica, traffic: Traffic): number {
  const fresh = freshTokens(traffic);
  return (fresh * work.denseFlops) / rates.flopsPerSecond + (fresh * work.expertFlops) / rates.expertFlopsPerSecond;
}

/** The time in which every one of `batch` slots serves one request, and what it goes to. */
export interface Cycle {
  readonly batch: number;
  /** Steps of the batch in a cycle. */
  readonly steps: number;
  readonly time: StepTime;
  readonly step: StepTime;
  readonly prompt: StepTime;
}

/**
 * Continuous batching in the long run: each slot takes outputTokens steps for its answer (the first of them ends its
 * prompt), and the prompts of all slots go into those steps as chunks. A step reads the weights once for all of it.
 */
export function cycleOf(replica: Replica, traffic: Traffic, batch: number): Cycle {
  const gained = traffic.speculation?.tokensPerStep ?? 1;
  const decodeSteps = Math.max(1, traffic.outputTokens / gained);
  const step = decodeStep(replica, traffic, batch, meanContext(traffic));
  const prompt = promptTime(replica, traffic);
  // Prompts that do not fit into the answer's steps make steps of their own.
  const chunkSteps = (batch * freshTokens(traffic)) / replica.maxNumBatchedTokens;
  const steps = Math.max(decodeSteps, chunkSteps);
  const extra = (steps - decodeSteps) * (replica.engine.stepSeconds + allReduceLatency(replica));
  const sum = (key: keyof StepTime): number => decodeSteps * step[key] + batch * prompt[key];
  return {
    batch,
    steps,
    time: {
      weights: sum("weights"),
      compute: sum("compute"),
      kv: sum("kv"),
      communication: sum("communication"),
      overhead: sum("overhead") + extra,
      total: sum("total") + extra,
    },
    step,
    prompt,
  };
}

/** Tokens that a sequence has cached on average while it answers. */
export function meanContext({ promptTokens, outputTokens }: Traffic): number {
  return promptTokens + outputTokens / 2;
}
