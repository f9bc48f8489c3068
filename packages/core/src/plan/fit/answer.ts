import { type VllmMemory, type VllmVerdict, vllmMemory } from "../memory/index.ts";
import type { FitCase } from "./case.ts";
import { memoryInput, utilisationOf } from "./case.ts";
import { fitCost } from "./cost.ts";
import { FitError } from "./fit-error.ts";
import { fitObjective } from "./objective.ts";
import { kvCacheDtypeOf } from "./precision.ts";
import { fitSpeed } from "./speed.ts";
import type { FitAnswer, FitMemory, FitRemedy } from "./types.ts";
import { workloadOf } from "./workload.ts";

/** @throws FitError for a model or setting that the memory model refuses */
export function memoryOf(of: FitCase): VllmMemory {
  const result = vllmMemory(memoryInput(of));
  if (!result.supported) {
    throw new FitError([{ key: keyOf(result.reason), value: of.query.model, message: result.reason }]);
  }
  return overcommitted(of, result) ? { ...result, verdict: "does-not-load", verdictRange: none } : result;
}

const none = { pessimistic: "does-not-load", optimistic: "does-not-load" } as const;

/** The last engine on a shared GPU starts only if the others leave it its part. */
function overcommitted(of: FitCase, memory: VllmMemory): boolean {
  return of.hardware.sharedBy > 1 && of.hardware.sharedBy * memory.resolved.gpuMemoryUtilization > 1 + 1e-9;
}

/** The key that a refusal of the memory model is about. */
function keyOf(reason: string): string {
  if (reason.includes("KV cache dtype")) return "kvCacheDtype";
  return reason.includes("max-model-len") ? "maxModelLen" : "model";
}

export interface Judged {
  readonly of: FitCase;
  readonly memory: VllmMemory;
}

export function answerOf({ of, memory }: Judged, remedies: readonly FitRemedy[]): FitAnswer {
  const { query, model, hardware, parallel, engine, region } = of;
  const workload = workloadOf(query, memory.resolved.maxModelLen);
  const { speed, throughput, notes } = fitSpeed(of, memory, workload);
  const cost = fitCost(hardware, region, throughput.outputTokensPerSecond);
  const standsIn = engine.name === "tensorrt-llm";
  return {
    schemaVersion: 1,
    query,
    verdict: memory.verdict,
    verdictRange: memory.verdictRange,
    memory: memoryFigures(memory),
    kvCache: {
      blocks: memory.kvCache.blocks,
      tokens: memory.kvCache.tokens,
      tokensRange: memory.kvCache.tokensRange,
      maxConcurrency: memory.kvCache.maxConcurrency,
      longestContextTokens: memory.longestContextTokens,
    },
    throughput,
    cost,
    objective: fitObjective(query.objectiveTtftP99Ms, speed, cost, workload),
    calibration: { ...memory.calibration, extrapolated: memory.calibration.extrapolated || standsIn },
    remedies,
    resolved: {
      model: model.facts.id,
      precision: model.precision,
      engine: engine.version === null ? engine.name : `${engine.name}@${engine.version}`,
      gpu: hardware.gpu.id,
      gpus: hardware.gpusPerReplica,
      tensorParallel: parallel.tensorParallel,
      pipelineParallel: parallel.pipelineParallel,
      maxModelLen: memory.resolved.maxModelLen,
      maxNumSeqs: memory.resolved.maxNumSeqs,
      maxNumBatchedTokens: memory.resolved.maxNumBatchedTokens,
      gpuMemoryUtilization: memory.resolved.gpuMemoryUtilization,
      kvCacheDtype: kvCacheDtypeOf(query.kvCacheDtype),
      promptTokens: workload.promptTokens,
      outputTokens: workload.outputTokens,
      region,
    },
    notes: [
      ...of.notes,
      ...(workload.assumed === null ? [] : [workload.assumed]),
      ...closeCall(memory.verdict, memory.verdictRange),
      ...(standsIn ? ["memory figures are those of the newest vLLM: no start of TensorRT-LLM was read"] : []),
      ...(memory.verdict === "cannot-serve-one-request" && throughput.outputTokensPerSecond !== null
        ? [`speed is that of a start with --max-model-len ${memory.longestContextTokens} or less`]
        : []),
      ...sharedNote(of),
      ...notes,
    ],
  };
}

function closeCall(verdict: VllmVerdict, { pessimistic, optimistic }: VllmMemory["verdictRange"]): readonly string[] {
  if (pessimistic === verdict && optimistic === verdict) return [];
  const other = pessimistic === verdict ? optimistic : pessimistic;
  return [`a close call: within the uncertainty the verdict is ${other}`];
}

function sharedNote(of: FitCase): readonly string[] {
  const { sharedBy } = of.hardware;
  if (sharedBy === 1) return [];
  const utilisation = utilisationOf(of) ?? 0;
  const total = Math.round(utilisation * sharedBy * 100) / 100;
  return [
    total > 1
      ? `${sharedBy} engines x --gpu-memory-utilization ${utilisation} = ${total} of the GPU: the last one does not start`
      : `${sharedBy} engines share the GPU at --gpu-memory-utilization ${utilisation}; set --kv-cache-memory-bytes, since engines that start together measure each other`,
  ];
}

function memoryFigures({ memory }: VllmMemory): FitMemory {
  return {
    totalGib: memory.totalGib,
    requestedGib: memory.requestedGib,
    weightsGib: memory.weightsGib,
    activationGib: memory.activationGib,
    nonTorchGib: memory.nonTorchGib,
    samplerTablesGib: memory.samplerTablesGib,
    cudaGraphGib: memory.cudaGraphGib,
    outsideBudgetGib: memory.outsideBudgetGib,
    availableKvGib: memory.availableKvGib,
    uncertaintyGib: memory.uncertaintyGib,
  };
}
