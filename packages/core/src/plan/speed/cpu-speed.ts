import type { ModelFacts, Precision } from "@capstan/catalog";
import { linearBytesPerParameter } from "../memory/precision.ts";
import { type CpuInstructions, cpuSpeedAssumptions } from "./cpu-assumptions.ts";
import type { Estimate, SpeedLine } from "./types.ts";
import { attendedTokens, modelWork, promptPairs } from "./work.ts";

export interface CpuSpeedInput {
  readonly model: ModelFacts;
  readonly precision: Precision;
  /** vCPUs of the server, all on one NUMA node. */
  readonly vcpus: number;
  /** Theoretical peak of the socket divided by its vCPUs. */
  readonly memoryGBpsPerVcpu: number;
  readonly instructions: CpuInstructions;
  readonly promptTokens: number;
  /** 0 for embeddings and classifiers. */
  readonly outputTokens: number;
  readonly concurrency: number;
}

export interface CpuSpeed {
  readonly requestsPerSecond: Estimate;
  readonly outputTokensPerSecond: Estimate;
  readonly ttftSeconds: Estimate;
  /** Null where nothing is generated. */
  readonly interTokenSeconds: Estimate | null;
  readonly limitedBy: "bandwidth" | "compute";
  readonly calibration: "uncalibrated";
  readonly arithmetic: readonly SpeedLine[];
}

/**
 * A server on CPU cores: decoding reads all weights once a step at the cores' share of the socket's memory bandwidth,
 * prompts are arithmetic. Assumptions, not measurements: the range is wide on purpose.
 */
export function cpuSpeed(input: CpuSpeedInput): CpuSpeed {
  const { model, precision, concurrency, promptTokens, outputTokens } = input;
  const work = modelWork({ model, precision, kvCacheDtype: "auto", tensorParallel: 1 });
  const bandwidth = input.vcpus * input.memoryGBpsPerVcpu * 1e9 * cpuSpeedAssumptions.bandwidthShare;
  const flops = input.vcpus * cpuSpeedAssumptions.gflopsPerVcpu[input.instructions] * 1e9;
  const tokenFlops = work.denseFlops + work.expertFlops;
  // Tokens of an encoder also look at those after them.
  const pairs = promptPairs(work.attention, 0, promptTokens) * (model.generative ? 1 : 2);
  const prompt = (promptTokens * tokenFlops + pairs * work.attention.flopsPerPair) / flops;
  const weightBytes = model.parameters.total * linearBytesPerParameter(precision);
  const context = promptTokens + outputTokens / 2;
  const kvBytes = attendedTokens(work.attention, context) * work.attention.kvBytesPerLayer;
  const weights = weightBytes / bandwidth;
  const multiplied = (concurrency * (tokenFlops + work.headFlops)) / flops;
  const kv = (concurrency * kvBytes) / bandwidth;
  const step = outputTokens === 0 ? 0 : Math.max(weights, multiplied) + kv;
  const cycle = outputTokens * step + concurrency * prompt;
  const requests = concurrency / cycle;
  const line = (name: string, value: number, unit: SpeedLine["unit"], how: string): SpeedLine => ({
    name,
    value,
    unit,
    how,
  });
  return {
    requestsPerSecond: range(requests),
    outputTokensPerSecond: range(requests * outputTokens),
    ttftSeconds: range(prompt + 1.5 * step),
    interTokenSeconds: outputTokens === 0 ? null : range(cycle / outputTokens),
    limitedBy:
      outputTokens * (Math.max(weights, multiplied) === weights ? weights + kv : kv) > cycle / 2
        ? "bandwidth"
        : "compute",
    calibration: "uncalibrated",
    arithmetic: [
      line(
        "memory rate",
        bandwidth,
        "B/s",
        `${input.vcpus} vCPUs x ${input.memoryGBpsPerVcpu} GB/s x ${cpuSpeedAssumptions.bandwidthShare}`,
      ),
      line(
        "arithmetic rate",
        flops,
        "FLOP/s",
        `${input.vcpus} vCPUs x ${cpuSpeedAssumptions.gflopsPerVcpu[input.instructions]} GFLOP/s (${input.instructions})`,
      ),
      line(
        "weights of a step",
        weightBytes,
        "B",
        `${model.parameters.total} parameters x ${linearBytesPerParameter(precision)} B`,
      ),
      line(
        "decode step",
        step,
        "s",
        `longer of reading ${weights.toFixed(4)} s and multiplying ${multiplied.toFixed(4)} s, + KV ${kv.toFixed(4)} s`,
      ),
      line("prompt", prompt, "s", `${promptTokens} tokens x ${tokenFlops} FLOP, and their attention`),
      line("cycle", cycle, "s", `${outputTokens} steps + ${concurrency} prompts`),
      line("requests", requests, "requests/s", `${concurrency} / cycle`),
    ],
  };
}

function range(expected: number): Estimate {
  const { rangeFactor } = cpuSpeedAssumptions;
  return { low: expected / rangeFactor, expected, high: expected * rangeFactor };
}
