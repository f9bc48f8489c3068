import { gpu as gpuFacts } from "@capstan/catalog";
import { arithmeticOf } from "./arithmetic.ts";
import { coverageKey, engineConstants } from "./bands.ts";
import { type BatchLimit, batchLimit } from "./batch.ts";
import { calibration } from "./calibration.ts";
import type { SpeedCalibration } from "./calibration-types.ts";
import { type Cycle, cycleOf, operatingPoint } from "./cycle.ts";
import { type ComputeRate, computeRate, effectiveRates, linkOf } from "./hardware.ts";
import { speedProblem } from "./problem.ts";
import { lonePromptSeconds, type Replica, type RequestShape, totalSeconds } from "./step.ts";
import type { Estimate, OperatingPoint, SpeedCalibrationNote, SpeedInput, SpeedLimit, SpeedResult } from "./types.ts";
import { modelWork } from "./work.ts";

/**
 * How fast a replica serves a traffic: prefill and decode rooflines of the GPU with a few constants that were fitted to
 * published figures, in the steady state of continuous batching.
 */
export function engineSpeed(input: SpeedInput): SpeedResult {
  return engineSpeedWith(input, calibration);
}

/** The same with constants of one's own: how the calibration tests itself. */
export function engineSpeedWith(input: SpeedInput, constants: SpeedCalibration): SpeedResult {
  const reason = speedProblem(input);
  if (reason !== null) return { supported: false, reason };
  const situation = situationOf(input, constants);
  const { replica, shape, limit } = situation;
  const cycle = cycleOf(replica, shape, limit.batch);
  const curve = curveOf(situation);
  const point = curve.at(-1) as OperatingPoint;
  const note = calibrationOf(situation, constants);
  const factor = note.extrapolated ? widestRangeFactor : replica.engine.rangeFactor;
  const range = (expected: number): Estimate => ({ low: expected / factor, expected, high: expected * factor });
  const prefillSeconds = lonePromptSeconds(replica, shape);
  return {
    supported: true,
    outputTokensPerSecond: range(point.requestsPerSecond * input.outputTokens),
    requestsPerSecond: range(point.requestsPerSecond),
    ttftSeconds: range(point.firstTokenSeconds),
    interTokenSeconds: range(point.interTokenSeconds),
    prefillSeconds,
    decodeStepSeconds: totalSeconds(cycle.step),
    batch: limit.batch,
    capacity: limit.capacity,
    limitedBy: limitedBy(situation, cycle),
    curve,
    calibration: note,
    assumptions: assumptionsOf(situation, note, factor),
    arithmetic: arithmeticOf(situation, cycle, prefillSeconds),
  };
}

/** Where no point is near: as wide as a range may be that still says something, a factor of three from end to end. */
export const widestRangeFactor = 1.73;

export interface SpeedSituation {
  readonly input: SpeedInput;
  readonly replica: Replica;
  readonly shape: RequestShape;
  readonly limit: BatchLimit;
  readonly rate: ComputeRate;
}

/** For inputs that `speedProblem` has no objection to. */
export function situationOf(input: SpeedInput, constants: SpeedCalibration): SpeedSituation {
  const gpu = gpuFacts(input.gpu);
  const rate = computeRate(gpu, input.precision);
  const limit = batchLimit(input);
  if (rate === null || gpu.bandwidthGBps === null || limit === null) throw new Error("speedProblem was not asked");
  const { hardware } = constants;
  return {
    input,
    rate,
    limit,
    shape: {
      promptTokens: input.promptTokens,
      freshTokens: input.promptTokens * (1 - (input.prefixCacheHitRate ?? 0)),
      outputTokens: input.outputTokens,
      speculation: input.speculation ?? null,
    },
    replica: {
      work: modelWork(input),
      rates: effectiveRates(gpu, gpu.bandwidthGBps, rate, input.deviceShare, hardware),
      link: linkOf(gpu, input.tensorParallel, hardware),
      tensorParallel: input.tensorParallel,
      pipelineParallel: input.pipelineParallel,
      hardware,
      engine: engineConstants(constants, input.engine, input.engineVersion),
      maxNumBatchedTokens: input.maxNumBatchedTokens,
    },
  };
}

function curveOf({ replica, shape, limit }: SpeedSituation): readonly OperatingPoint[] {
  const batches: number[] = [];
  for (let batch = 1; batch < limit.batch; batch *= 2) batches.push(batch);
  return [...batches, limit.batch].map((batch) => operatingPoint(replica, shape, batch));
}

/** A KV cache is what limits where twice the batch would serve this much more. */
const worthMoreKv = 1.15;

function limitedBy({ replica, shape, limit }: SpeedSituation, cycle: Cycle): SpeedLimit {
  if (limit.by === "kv") {
    const doubled = cycleOf(replica, shape, 2 * limit.batch);
    if ((2 * cycle.seconds) / doubled.seconds > worthMoreKv) return "kv";
  }
  const { time } = cycle;
  const shares: readonly (readonly [SpeedLimit, number])[] = [
    ["bandwidth", time.weights + time.kv + time.activations],
    ["compute", time.compute],
    ["communication", time.communication],
    ["overhead", time.overhead],
  ];
  return shares.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function calibrationOf({ input, replica, rate }: SpeedSituation, constants: SpeedCalibration): SpeedCalibrationNote {
  const { engine, link } = replica;
  const points = constants.coverage[coverageKey(engine, input.gpu, rate.kind, link.kind)] ?? 0;
  const { bandwidth, compute } = input.deviceShare;
  const beyond =
    input.pipelineParallel > 1 || input.speculation !== undefined || bandwidth < 1 || compute < 1 || rate.unpacks;
  return {
    points,
    medianErrorPercent: engine.medianErrorPercent,
    extrapolated: points === 0 || beyond,
    asOf: constants.asOf,
  };
}

function assumptionsOf({ input, rate }: SpeedSituation, note: SpeedCalibrationNote, factor: number): readonly string[] {
  const list = [
    `range: expected divided and multiplied by ${factor}`,
    "every slot of the batch is filled again as soon as it is free; lengths are means",
  ];
  if (note.extrapolated) {
    list.push("no published figure of this engine, GPU, arithmetic and link was at hand: constants come from others");
  }
  if (input.engine === "tensorrt-llm") {
    list.push("published TensorRT-LLM tables are offline maxima: an upper bound for serving under an objective");
  }
  if (input.kvCacheDtype.startsWith("fp8")) list.push("KV cache in FP8");
  if (rate.unpacks) list.push(rate.how);
  if (input.pipelineParallel > 1)
    list.push("a pipeline keeps all its stages busy; moving hidden states is not counted");
  if (input.speculation !== undefined) {
    list.push(`speculation gains ${input.speculation.tokensPerStep} tokens a step, as given`);
  }
  return list;
}
