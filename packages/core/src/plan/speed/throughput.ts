import { findInstance, gpu as gpuFacts } from "@capstan/catalog";
import type { ResolvedOnnx, ResolvedService, ResolvedVllm } from "../../service/resolved.ts";
import type { CpuInstructions } from "./cpu-assumptions.ts";
import { cpuSpeed } from "./cpu-speed.ts";
import { deviceShareOf } from "./device-share.ts";
import { engineSpeed } from "./engine-speed.ts";
import { largestLoad } from "./load-latency.ts";
import type { Estimate, SpeedCalibrationNote, SpeedLimit } from "./types.ts";

/** What one replica sustains on the declared traffic. */
export interface ReplicaThroughput {
  readonly requestsPerSecond: Estimate;
  readonly outputTokensPerSecond: Estimate;
  /** From a free slot to the first token, at this concurrency. */
  readonly ttftSeconds: Estimate;
  /** Null where nothing is generated. */
  readonly interTokenSeconds: Estimate | null;
  /** Requests in flight that the figures hold for. */
  readonly concurrency: number;
  readonly limitedBy: SpeedLimit;
  /** Most load under which the service's objective holds; null where it has none or the engine's latency is not modelled. */
  readonly underObjective: { readonly requestsPerSecond: number } | null;
  /** Null: no published figure of such a server was at hand. */
  readonly calibration: SpeedCalibrationNote | null;
  readonly how: string;
}

interface Workload {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/**
 * Throughput of one replica on a workload with as many requests in flight as fit, or as given. Null: facts of model or
 * hardware are missing, or the service does not serve.
 */
export function replicaThroughput(
  service: ResolvedService,
  workload: Workload,
  concurrency?: number,
): ReplicaThroughput | null {
  return service.kind === "vllm"
    ? gpuThroughput(service, workload, concurrency)
    : cpuThroughput(service, workload, concurrency);
}

function gpuThroughput(service: ResolvedVllm, workload: Workload, given: number | undefined): ReplicaThroughput | null {
  const model = service.model.facts;
  const gpu = service.pool.gpu?.model;
  const memory = service.memory?.supported ? service.memory : null;
  if (!model || !gpu || !memory || memory.verdict !== "serves") return null;
  const facts = gpuFacts(gpu);
  const speed = engineSpeed({
    model,
    engine: "vllm",
    engineVersion: service.engineVersion,
    precision: service.precision,
    kvCacheDtype: service.kvCacheDtype,
    gpu,
    tensorParallel: service.tensorParallel,
    pipelineParallel: service.pipelineParallel,
    deviceShare: deviceShareOf(facts, {
      migProfile: service.slot.migProfile,
      sharedBy: service.slot.sharedBy,
      fractionMib: findInstance(service.pool.instanceTypes[0] ?? "")?.gpu?.fractionMib ?? null,
    }),
    kvTokens: memory.kvCache.tokens,
    maxNumSeqs: memory.resolved.maxNumSeqs,
    maxNumBatchedTokens: memory.resolved.maxNumBatchedTokens,
    ...workload,
    concurrency: given ?? null,
  });
  if (!speed.supported) return null;
  return {
    requestsPerSecond: speed.requestsPerSecond,
    outputTokensPerSecond: speed.outputTokensPerSecond,
    ttftSeconds: speed.ttftSeconds,
    interTokenSeconds: workload.outputTokens === 0 ? null : speed.interTokenSeconds,
    concurrency: speed.batch,
    limitedBy: speed.limitedBy,
    underObjective: service.objective && {
      requestsPerSecond: largestLoad(speed, {
        ttftP99Seconds: inSeconds(service.objective.ttftP99Ms),
        interTokenP99Seconds: inSeconds(service.objective.interTokenP99Ms),
      }).requestsPerSecond,
    },
    calibration: speed.calibration,
    how: `rooflines of ${service.gpus} x ${facts.id} at ${speed.batch} requests in flight, limited by ${speed.limitedBy}`,
  };
}

function inSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

function cpuThroughput(service: ResolvedOnnx, workload: Workload, given: number | undefined): ReplicaThroughput | null {
  const platform = findInstance(service.pool.instanceTypes[0] ?? "")?.cpuPlatform;
  const model = service.model.facts;
  if (!platform?.memoryGBpsPerVcpu || !model) return null;
  const { cpus } = service.resources;
  const concurrency = Math.max(1, given ?? service.concurrency);
  // A model without a prompt or an answer has nothing to be timed by.
  if (workload.promptTokens + workload.outputTokens === 0) return null;
  const speed = cpuSpeed({
    model,
    precision: service.precision,
    vcpus: cpus,
    memoryGBpsPerVcpu: platform.memoryGBpsPerVcpu,
    instructions: instructionsOf(service, platform.avx512),
    ...workload,
    concurrency,
  });
  return {
    requestsPerSecond: speed.requestsPerSecond,
    outputTokensPerSecond: speed.outputTokensPerSecond,
    ttftSeconds: speed.ttftSeconds,
    interTokenSeconds: speed.interTokenSeconds,
    concurrency,
    limitedBy: speed.limitedBy,
    underObjective: null,
    calibration: null,
    how: `memory bandwidth and arithmetic of ${cpus} vCPUs at ${concurrency} requests in flight, uncalibrated`,
  };
}

/** OpenVINO and vLLM have AMX kernels for all their precisions, ONNX Runtime for 8 bits only (facts/serving.md D5). */
function instructionsOf({ amx, engine, precision }: ResolvedOnnx, avx512: boolean): CpuInstructions {
  const hasKernels = engine === "ovms" || engine === "vllm-cpu" || engine === "custom" || precision === "int8";
  if (amx && hasKernels) return "amx";
  return avx512 ? "avx512" : "none";
}
