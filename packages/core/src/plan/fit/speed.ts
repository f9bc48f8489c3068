import type { ModelFacts, Precision } from "@capstan/catalog";
import type { VllmMemory } from "../memory/index.ts";
import { deviceShareOf, type Estimate, engineSpeed, type SpeedEstimate, tensorRtCapacity } from "../speed/index.ts";
import type { FitCase } from "./case.ts";
import { kvCacheDtypeOf } from "./precision.ts";
import type { FitThroughput } from "./types.ts";
import type { Workload } from "./workload.ts";

export interface FitSpeed {
  /** Null: there is no figure, and `reason` says why. */
  readonly speed: SpeedEstimate | null;
  readonly throughput: FitThroughput;
  readonly notes: readonly string[];
}

const nothing: FitThroughput = {
  outputTokensPerSecond: null,
  ttftSeconds: null,
  interTokenSeconds: null,
  requestsPerSecond: null,
  batch: null,
  limitedBy: null,
  extrapolated: true,
};

/**
 * Speed of one replica. A start that fails only because its maximum length is too long has one too: that of a start with
 * a shorter one, on the requests asked about.
 */
export function fitSpeed(of: FitCase, memory: VllmMemory, workload: Workload): FitSpeed {
  if (of.engine.name === "vllm" && memory.verdict === "does-not-load")
    return { speed: null, throughput: nothing, notes: [] };
  const { query, model, hardware, parallel, engine } = of;
  const kvCacheDtype = speedKvCacheDtype(of);
  const room = capacityOf(of, memory, kvCacheDtype);
  const result = engineSpeed({
    model: model.facts,
    engine: engine.name,
    engineVersion: engine.version ?? undefined,
    precision: model.precision,
    kvCacheDtype,
    gpu: hardware.gpu.id,
    tensorParallel: parallel.tensorParallel,
    pipelineParallel: parallel.pipelineParallel,
    deviceShare: deviceShareOf(hardware.gpu, {
      migProfile: hardware.mig?.profile ?? null,
      sharedBy: hardware.sharedBy,
      fractionMib: hardware.instance?.gpu?.fractionMib ?? null,
    }),
    ...room,
    promptTokens: workload.promptTokens,
    outputTokens: workload.outputTokens,
    concurrency: query.concurrency ?? null,
  });
  if (!result.supported) return { speed: null, throughput: nothing, notes: [`no speed: ${result.reason}`] };
  return { speed: result, throughput: throughputOf(result, query.concurrency ?? null), notes: result.assumptions };
}

interface Room {
  readonly kvTokens: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
}

function capacityOf(
  { engine, model, hardware, parallel, query }: FitCase,
  memory: VllmMemory,
  kvCacheDtype: string,
): Room {
  const { maxNumSeqs, maxNumBatchedTokens } = memory.resolved;
  if (engine.name === "vllm") return { kvTokens: memory.kvCache.tokens, maxNumSeqs, maxNumBatchedTokens };
  const own = tensorRtCapacity({
    model: model.facts,
    precision: model.precision,
    kvCacheDtype,
    totalGib: hardware.totalGib,
    ...parallel,
  });
  return {
    kvTokens: own.kvTokens,
    maxNumSeqs: query.maxNumSeqs ?? own.maxNumSeqs,
    maxNumBatchedTokens: query.maxNumBatchedTokens ?? own.maxNumBatchedTokens,
  };
}

/** Published TensorRT-LLM tables in FP8 and FP4 mostly keep the KV cache in FP8 and do not say so. */
function speedKvCacheDtype({ engine, model, query }: FitCase): string {
  if (query.kvCacheDtype || engine.name === "vllm") return kvCacheDtypeOf(query.kvCacheDtype);
  return narrow(model.precision, model.facts) ? "fp8" : "auto";
}

function narrow(precision: Precision, facts: ModelFacts): boolean {
  return precision === "fp8" || precision === "nvfp4" || precision === "mxfp4" || facts.nativeQuantization === "fp8";
}

/** With more requests than places, each waits for the others before it has one. */
function throughputOf(speed: SpeedEstimate, concurrency: number | null): FitThroughput {
  const waiting = Math.max(0, (concurrency ?? 0) - speed.batch);
  const rate = speed.requestsPerSecond;
  return {
    outputTokensPerSecond: speed.outputTokensPerSecond,
    ttftSeconds: add(speed.ttftSeconds, {
      low: waiting / rate.high,
      expected: waiting / rate.expected,
      high: waiting / rate.low,
    }),
    interTokenSeconds: speed.interTokenSeconds,
    requestsPerSecond: rate,
    batch: speed.batch,
    limitedBy: speed.limitedBy,
    extrapolated: speed.calibration.extrapolated,
  };
}

function add(a: Estimate, b: Estimate): Estimate {
  return { low: a.low + b.low, expected: a.expected + b.expected, high: a.high + b.high };
}
