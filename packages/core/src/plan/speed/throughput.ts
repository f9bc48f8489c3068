import { findInstance, type GpuFacts, gpu as gpuFacts, type ModelFacts, type Precision } from "@capstan/catalog";
import type { ResolvedOnnx, ResolvedService, ResolvedVllm } from "../../service/resolved.ts";

export interface Estimate {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** What one replica sustains on the declared traffic. Null fields: nothing is known that would bound it. */
export interface ReplicaThroughput {
  readonly requestsPerSecond: Estimate;
  readonly outputTokensPerSecond: Estimate;
  /** Requests in flight that the figure holds for. */
  readonly concurrency: number;
  readonly how: string;
}

interface Workload {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/**
 * Shares of the published peaks that serving reaches, and how far off the estimate may be. Rooflines with two constants,
 * not fitted to measurements: the range is wide on purpose.
 */
const ASSUMED = {
  gpuBandwidthShare: 0.6,
  gpuComputeShare: 0.45,
  /** Scheduling, sampling and kernel launches of one step. */
  stepOverheadSeconds: 0.004,
  gpuLow: 0.5,
  gpuHigh: 1.4,
  cpuBandwidthShare: 0.6,
  /** Dense operations a second that one vCPU sustains, 10^9. */
  amxGflopsPerVcpu: 120,
  avx512GflopsPerVcpu: 35,
  plainGflopsPerVcpu: 12,
  cpuLow: 0.4,
  cpuHigh: 2,
} as const;

const WEIGHT_BYTES: Record<Precision, number> = {
  fp32: 4,
  bf16: 2,
  fp16: 2,
  fp8: 1,
  int8: 1,
  int4: 0.55,
  w4a16: 0.52,
  awq: 0.52,
  gptq: 0.52,
  nvfp4: 0.56,
  mxfp4: 0.53,
  "bnb-4bit": 0.52,
};

/** Throughput of one replica on a workload with as many requests in flight as fit, or as given. */
export function replicaThroughput(service: ResolvedService, workload: Workload, concurrency?: number): ReplicaThroughput | null {
  return service.kind === "vllm"
    ? gpuThroughput(service, workload, concurrency)
    : cpuThroughput(service, workload, concurrency);
}

function gpuThroughput(service: ResolvedVllm, workload: Workload, given: number | undefined): ReplicaThroughput | null {
  const model = service.model.facts;
  const facts = service.pool.gpu ? gpuFacts(service.pool.gpu.model) : null;
  const flops = facts && tensorFlops(facts, service.precision);
  const memory = service.memory?.supported ? service.memory : null;
  if (!model || !facts?.bandwidthGBps || !flops || !memory || memory.verdict !== "serves") return null;
  const share = deviceShare(service, facts);
  const length = Math.max(1, workload.promptTokens + workload.outputTokens);
  const fitting = Math.max(1, Math.min(Math.floor(memory.kvCache.tokens / length), memory.resolved.maxNumSeqs));
  const batch = Math.min(given ?? fitting, fitting);
  const bandwidth = facts.bandwidthGBps * 1e9 * share.bandwidth * ASSUMED.gpuBandwidthShare * service.tensorParallel;
  const compute = flops * share.compute * ASSUMED.gpuComputeShare * service.tensorParallel;
  const kvBytes = (memory.kvCache.bytesPerBlock / memory.kvCache.blockSize) * service.tensorParallel;
  const active = activeParameters(model);
  const weights = Math.min(model.parameters.total, active * Math.max(1, batch)) * WEIGHT_BYTES[service.precision];
  const meanContext = workload.promptTokens + workload.outputTokens / 2;
  const step =
    Math.max((weights + batch * kvBytes * meanContext) / bandwidth, (2 * active * batch) / compute) +
    ASSUMED.stepOverheadSeconds;
  const prefill = (2 * active * workload.promptTokens) / compute;
  const perRequest = prefill + (workload.outputTokens * step) / batch;
  return estimate(1 / perRequest, workload, batch, ASSUMED.gpuLow, ASSUMED.gpuHigh, `rooflines of ${service.gpus} x ${facts.id} at ${batch} requests in flight`);
}

interface DeviceShare {
  readonly bandwidth: number;
  readonly compute: number;
}

/** A MIG slice has its memory slices' bandwidth and its compute slices' arithmetic; engines on a shared card take turns. */
function deviceShare(service: ResolvedVllm, facts: GpuFacts): DeviceShare {
  const { sharedBy, migProfile } = service.slot;
  if (sharedBy > 1) return { bandwidth: 1 / sharedBy, compute: 1 / sharedBy };
  const profile = facts.mig?.profiles.find((p) => p.profile === migProfile);
  if (!profile || !facts.mig) return { bandwidth: 1, compute: 1 };
  return {
    bandwidth: profile.memorySlices / facts.mig.memorySlices,
    compute: profile.computeSlices / facts.mig.computeSlices,
  };
}

function tensorFlops(facts: GpuFacts, precision: Precision): number | null {
  const rates = facts.tflopsDense;
  const half = rates.bf16 ?? rates.fp16;
  const rate = precision === "fp8" ? (rates.fp8 ?? half) : precision === "int8" ? (rates.int8 ?? half) : half;
  return rate === null ? null : rate * 1e12;
}

function activeParameters(model: ModelFacts): number {
  return model.parameters.active ?? model.parameters.total;
}

function cpuThroughput(service: ResolvedOnnx, workload: Workload, given: number | undefined): ReplicaThroughput | null {
  const platform = findInstance(service.pool.instanceTypes[0] ?? "")?.cpuPlatform;
  const model = service.model.facts;
  if (!platform?.memoryGBpsPerVcpu || !model) return null;
  const { cpus } = service.resources;
  const batch = Math.max(1, given ?? service.concurrency);
  const gflops = service.amx ? ASSUMED.amxGflopsPerVcpu : platform.avx512 ? ASSUMED.avx512GflopsPerVcpu : ASSUMED.plainGflopsPerVcpu;
  const compute = cpus * gflops * 1e9;
  const bandwidth = cpus * platform.memoryGBpsPerVcpu * 1e9 * ASSUMED.cpuBandwidthShare;
  const parameters = activeParameters(model);
  const bytes = parameters * WEIGHT_BYTES[service.precision];
  const prefill = (2 * parameters * workload.promptTokens) / compute;
  const step = Math.max(bytes / bandwidth, (2 * parameters * batch) / compute);
  const perRequest = prefill + (workload.outputTokens * step) / batch;
  if (perRequest <= 0) return null;
  return estimate(1 / perRequest, workload, batch, ASSUMED.cpuLow, ASSUMED.cpuHigh, `memory bandwidth and arithmetic of ${cpus} vCPUs at ${batch} requests in flight`);
}

function estimate(
  requestsPerSecond: number,
  workload: Workload,
  concurrency: number,
  low: number,
  high: number,
  how: string,
): ReplicaThroughput {
  const spread = (value: number): Estimate => ({ low: value * low, expected: value, high: value * high });
  return {
    requestsPerSecond: spread(requestsPerSecond),
    outputTokensPerSecond: spread(requestsPerSecond * workload.outputTokens),
    concurrency,
    how,
  };
}
