import { latestVllm } from "@capstan/catalog";
import type { VllmMemoryInput } from "../memory/index.ts";
import { type FitEngine, fitEngine } from "./engine.ts";
import { Problems } from "./fit-error.ts";
import { fitHardware, type Hardware } from "./hardware.ts";
import { loggedByLayout } from "./layout-override.ts";
import { type FitModel, fitModel } from "./model.ts";
import { checkSplit, type Parallel, parallelOf } from "./parallel.ts";
import { kvCacheDtypeOf, precisionProblem } from "./precision.ts";
import { parseQuery } from "./query.ts";
import { fitRegion } from "./region.ts";
import type { FitQuery } from "./types.ts";
import { workloadOf } from "./workload.ts";

/** A query in which everything is known that was left open, and nothing contradicts anything. */
export interface FitCase {
  readonly query: FitQuery;
  readonly model: FitModel;
  readonly engine: FitEngine;
  readonly parallel: Parallel;
  readonly hardware: Hardware;
  readonly region: string;
  readonly notes: readonly string[];
}

/** @throws FitError with everything that is wrong */
export function fitCase(value: unknown): FitCase {
  const query = parseQuery(value);
  const problems = new Problems();
  const engine = fitEngine(query.engine, problems);
  const model = fitModel(query, problems);
  const parallel = parallelOf(query, problems);
  if (!query.gpu && !query.instanceType) {
    problems.add("gpu", undefined, "name a GPU or an instanceType; without one, ask for the ranking of all");
  }
  const hardware = query.gpu || query.instanceType ? fitHardware(query, parallel.gpus, problems) : null;
  const region = fitRegion(query.region, problems);
  if (model !== null) {
    checkSplit(model.facts, parallel, problems);
    checkLength(query, model, problems);
  }
  checkBatch(query, problems);
  problems.throwIfAny();
  if (engine === null || model === null || hardware === null)
    throw new Error("a part of the query is missing without a problem");
  const adapted = adaptedModel(model, hardware, query, problems);
  problems.throwIfAny();
  return { query, model: adapted, engine, parallel, hardware, region, notes: adapted.notes };
}

function checkLength(query: FitQuery, { facts }: FitModel, problems: Problems): void {
  const longest = facts.maxPositionEmbeddings;
  const length = query.maxModelLen;
  if (typeof length === "number" && length > longest) {
    problems.add(
      "maxModelLen",
      length,
      `beyond the ${longest} tokens of ${facts.id}; valid: 1 to ${longest}, or "auto"`,
    );
    return;
  }
  const limit = typeof length === "number" ? length : longest;
  const request = (query.promptTokens ?? 1) + (query.outputTokens ?? 1);
  if (request > limit) {
    const key = (query.promptTokens ?? 1) >= (query.outputTokens ?? 1) ? "promptTokens" : "outputTokens";
    problems.add(
      key,
      query[key],
      `a request of promptTokens + outputTokens = ${request} is longer than the context of ${limit}`,
    );
  }
}

function checkBatch({ maxNumSeqs, maxNumBatchedTokens }: FitQuery, problems: Problems): void {
  if (maxNumSeqs && maxNumBatchedTokens && maxNumBatchedTokens < maxNumSeqs) {
    problems.add("maxNumBatchedTokens", maxNumBatchedTokens, `the engine wants at least maxNumSeqs, ${maxNumSeqs}`);
  }
}

/** GPUs before Ampere have no bfloat16: engines fall back to float16 by themselves, and refuse it when it was asked for. */
function adaptedModel(model: FitModel, { gpu }: Hardware, query: FitQuery, problems: Problems): FitModel {
  const problem = precisionProblem(model.precision, gpu.computeCapability);
  if (problem === null) return model;
  if (model.precision === "bf16" && model.automatic && precisionProblem("fp16", gpu.computeCapability) === null) {
    return {
      ...model,
      precision: "fp16",
      facts: { ...model.facts, dtype: "float16" },
      notes: [...model.notes, `${gpu.id} has no bfloat16: computed in float16`],
    };
  }
  const key = query.quantization ? "quantization" : query.dtype ? "dtype" : "model";
  problems.add(key, query[key] ?? model.facts.id, `${problem} (${gpu.id})`);
  return model;
}

/** Part of a shared GPU that all engines on it take together; the rest is graphs and the other processes' contexts. */
const SHARED_PART = 0.9;

/** What the engine gets as `--gpu-memory-utilization`; undefined: left to it. */
export function utilisationOf({ query, hardware }: Pick<FitCase, "query" | "hardware">): number | undefined {
  if (query.gpuMemoryUtilization) return query.gpuMemoryUtilization;
  if (hardware.sharedBy === 1) return undefined;
  return Math.floor((SHARED_PART / hardware.sharedBy) * 100) / 100;
}

/** TensorRT-LLM engines are built for the lengths that are served; undefined: the model's own maximum. */
function builtLength({ query, engine, model }: FitCase): number | undefined {
  if (engine.name === "vllm") return undefined;
  const { promptTokens, outputTokens } = workloadOf(query, model.facts.maxPositionEmbeddings);
  return promptTokens + outputTokens;
}

export function memoryInput(of: FitCase): VllmMemoryInput {
  const { query, model, hardware, parallel, engine } = of;
  return {
    model: model.facts,
    // The memory of TensorRT-LLM is not known; the newest vLLM stands in, and the answer says so.
    version: engine.name === "vllm" && engine.version !== null ? engine.version : latestVllm,
    device: {
      totalGib: hardware.totalGib,
      computeCapability: hardware.gpu.computeCapability,
      isA100: hardware.gpu.id.startsWith("a100"),
      gpusPerReplica: hardware.gpusPerReplica,
      streamingMultiprocessors: hardware.mig?.streamingMultiprocessors ?? undefined,
    },
    precision: model.precision,
    kvCacheDtype: kvCacheDtypeOf(query.kvCacheDtype),
    tensorParallel: parallel.tensorParallel,
    pipelineParallel: parallel.pipelineParallel,
    gpuMemoryUtilization: utilisationOf(of),
    maxModelLen: query.maxModelLen ?? builtLength(of),
    maxNumSeqs: query.maxNumSeqs ?? undefined,
    maxNumBatchedTokens: query.maxNumBatchedTokens ?? undefined,
    blockSize: query.blockSize ?? undefined,
    enforceEager: query.enforceEager ?? undefined,
    weightsGibOverride: loggedByLayout(model, parallel),
  };
}
