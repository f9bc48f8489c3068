import { customModel } from "../../model/model.ts";
import { s3 } from "../../model/source.ts";
import type { VllmMemory } from "../../plan/memory/index.ts";
import { GIB } from "../../plan/memory/units.ts";
import { existingPool, gpuPool } from "../../pool/declare.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { gib } from "../numbers.ts";
import { vllmRule } from "../rule.ts";
import {
  h100,
  h100Eight,
  LLAMA_1B,
  LLAMA_70B,
  l4,
  l4Halves,
  l40s,
  l40sFour,
  llama8b,
  unchecked,
} from "./example-services.ts";
import { fitRemedies } from "./fit-remedies.ts";
import { deviceName, given, sinceMinor } from "./subject.ts";

const FEW_REQUESTS = 2;
const FACTS = "facts/serving.md B; vLLM v1/worker/gpu_worker.py, v1/core/kv_cache_utils.py";

/** The figures where there are some. */
function figures(service: ResolvedVllm): VllmMemory | null {
  return service.memory?.supported ? service.memory : null;
}

/** Certain enough to refuse: even with all of the uncertainty in its favour no request is served. */
function fails(memory: VllmMemory): boolean {
  return memory.verdict !== "serves" && memory.verdictRange.optimistic !== "serves";
}

/** FIT-05, SHARE-09 */
export const doesNotLoad = vllmRule({
  id: "vllm.fit.does-not-load",
  severity: "error",
  reason:
    "Weights and activations take more than the engine may claim of the GPU: it dies while loading, or has no memory for cache blocks.",
  reference: FACTS,
  check: (service) => {
    const memory = figures(service);
    if (memory?.verdict !== "does-not-load" || !fails(memory)) return [];
    return [
      {
        at: given(service, "kvCacheBytes") ? "kvCacheGib" : "pool",
        message: budgetText(service, memory),
        remedy: fitRemedies(service, memory),
      },
    ];
  },
  examples: {
    bad: [
      { title: "70B in 16 bits on one H100", declare: () => llama8b({ model: LLAMA_70B, pool: h100 }), at: "pool" },
      {
        title: "14B in 16 bits on an L4",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-14B-Instruct", pool: l4 }),
        at: "pool",
      },
      {
        title: "8B in 16 bits on half an L4",
        declare: () => llama8b({ pool: l4Halves, maxModelLen: 4096 }),
        at: "pool",
      },
      {
        title: "a fixed KV cache that leaves no room for weights",
        declare: () => llama8b({ kvCacheGib: 35 }),
        at: "kvCacheGib",
      },
    ],
    good: [
      { title: "8B on an L4", declare: () => llama8b({ pool: l4 }) },
      { title: "70B on four L40S", declare: () => llama8b({ model: LLAMA_70B, pool: l40sFour, gpus: 4 }) },
      { title: "1B on half an L4", declare: () => llama8b({ model: LLAMA_1B, pool: l4Halves }) },
    ],
  },
});

function budgetText(service: ResolvedVllm, memory: VllmMemory): string {
  const { weightsGib, activationGib, nonTorchGib, samplerTablesGib, cudaGraphGib, requestedGib, totalGib } =
    memory.memory;
  const rest = activationGib + nonTorchGib + samplerTablesGib + cudaGraphGib;
  const kv = service.kvCacheBytes;
  const per = service.gpus > 1 ? "each GPU" : `the ${deviceName(service)}`;
  if (kv !== null && given(service, "kvCacheBytes")) {
    return `${gib(weightsGib)} of weights, ${gib(rest)} of activations, graphs and NCCL and a KV cache of ${gib(kv / GIB)} are more than the ${gib(totalGib)} of ${per}`;
  }
  return `${service.model.id} (${service.precision}) needs ${gib(weightsGib)} of weights and ${gib(rest)} of activations, graphs and NCCL on ${per}; the engine may claim ${gib(requestedGib)} of ${gib(totalGib)}`;
}

/** FIT-04 */
export const contextTooLong = vllmRule({
  id: "vllm.fit.context-too-long",
  severity: "error",
  reason: "The engine refuses to start where one request of the longest length does not fit into the KV cache.",
  reference: FACTS,
  check: (service) => {
    const memory = figures(service);
    if (memory?.verdict !== "cannot-serve-one-request" || !fails(memory)) return [];
    return [{ at: "maxModelLen", message: contextText(service, memory), remedy: fitRemedies(service, memory) }];
  },
  examples: {
    bad: [
      {
        title: "the model's own 131072 on an L4",
        declare: () => llama8b({ pool: l4, maxModelLen: unchecked(undefined) }),
        at: "maxModelLen",
      },
      {
        title: "the model's own 131072 for 70B on two H100",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, gpus: 2, maxModelLen: unchecked(undefined) }),
        at: "maxModelLen",
      },
      {
        title: "70B in FP8 on one H100 with 8192",
        declare: () => llama8b({ model: LLAMA_70B, precision: "fp8", pool: h100 }),
        at: "maxModelLen",
      },
    ],
    good: [
      { title: "8192", declare: () => llama8b({ pool: l4, maxModelLen: 8192 }) },
      { title: "what fits", declare: () => llama8b({ pool: l4, maxModelLen: "auto" }) },
      {
        title: "70B on two H100 with 16384",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, gpus: 2, maxModelLen: 16384 }),
      },
      {
        title: "70B in FP8 on one H100 with 2048",
        declare: () => llama8b({ model: LLAMA_70B, precision: "fp8", pool: h100, maxModelLen: 2048 }),
      },
    ],
  },
});

function contextText(service: ResolvedVllm, memory: VllmMemory): string {
  const length = `${memory.resolved.maxModelLen} tokens${given(service, "maxModelLen") ? "" : " (the model's own maximum)"}`;
  const longest =
    memory.longestContextTokens > 0
      ? `the longest context that fits is ${memory.longestContextTokens} tokens`
      : "not even one token fits";
  return `one request of ${length} needs ${gib(requestGib(service, memory))} of KV cache on ${service.gpus > 1 ? "each GPU" : `the ${deviceName(service)}`}, ${gib(Math.max(0, memory.memory.availableKvGib))} is left; ${longest}`;
}

/** KV cache of one request of the longest length. From 0.29 the engine keeps one block for itself. */
function requestGib(service: ResolvedVllm, { kvCache }: VllmMemory): number {
  return ((kvCache.blocksPerRequest + (sinceMinor(service, "0.29") ? 1 : 0)) * kvCache.bytesPerBlock) / GIB;
}

/** FIT-05 */
export const closeCall = vllmRule({
  id: "vllm.fit.close-call",
  severity: "warning",
  reason: "The verdict is within the error of the memory model: what starts today may not start after an upgrade.",
  reference: FACTS,
  check: (service) => {
    const memory = figures(service);
    if (!memory || fails(memory) || (memory.verdict === "serves" && memory.verdictRange.pessimistic === "serves"))
      return [];
    const { availableKvGib, uncertaintyGib } = memory.memory;
    const message =
      memory.verdict === "serves"
        ? `it fits, but barely: ${gib(availableKvGib)} for the KV cache, give or take ${gib(uncertaintyGib)}; ${OUTCOME[memory.verdictRange.pessimistic]}`
        : `by the figures it does not fit: ${gib(availableKvGib)} for the KV cache where one request needs ${gib(requestGib(service, memory))}; within their error of ${gib(uncertaintyGib)} it may`;
    return [{ at: "maxModelLen", message, remedy: fitRemedies(service, memory, true) }];
  },
  examples: {
    bad: [
      {
        title: "70B in FP8 on one H100",
        declare: () => llama8b({ model: LLAMA_70B, precision: "fp8", pool: h100, maxModelLen: 2048 }),
        at: "maxModelLen",
      },
      {
        title: "70B in 4 bits on an L40S",
        declare: () => llama8b({ model: LLAMA_70B, precision: "w4a16", pool: l40s }),
        at: "maxModelLen",
      },
      {
        title: "70B on two H100 with 16384",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, gpus: 2, maxModelLen: 16384 }),
        at: "maxModelLen",
      },
    ],
    good: [{ title: "room to spare", declare: () => llama8b({}) }],
  },
});

const OUTCOME = {
  "does-not-load": "at worst it does not load",
  "cannot-serve-one-request": "at worst it cannot serve one full-length request",
  serves: "at worst it serves",
} as const;

export const lowConcurrency = vllmRule({
  id: "vllm.fit.low-concurrency",
  severity: "warning",
  reason: "With room for one full-length request the second one waits until the first has finished.",
  reference: "facts/serving.md B6",
  check: (service) => {
    const memory = figures(service);
    if (memory?.verdict !== "serves" || memory.kvCache.maxConcurrency >= FEW_REQUESTS) return [];
    const { maxConcurrency, tokens } = memory.kvCache;
    return [
      {
        at: "maxModelLen",
        message: `the KV cache holds ${tokens} tokens: ${Number(maxConcurrency.toFixed(2))} times a request of ${memory.resolved.maxModelLen}`,
        remedy:
          service.maxModelLen === "auto"
            ? "give maxModelLen what your requests need: auto takes the longest that fits once"
            : `lower maxModelLen to what your requests need, for example ${Math.max(1, Math.floor(tokens / 4 / 1024) * 1024)}`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "the longest that fits", declare: () => llama8b({ pool: l4, maxModelLen: "auto" }), at: "maxModelLen" },
      { title: "nearly all of it", declare: () => llama8b({ pool: l4, maxModelLen: 24_576 }), at: "maxModelLen" },
    ],
    good: [{ title: "room for many", declare: () => llama8b({ pool: l4, maxModelLen: 8192 }) }],
  },
});

export const unknownFit = vllmRule({
  id: "vllm.fit.unknown",
  severity: "warning",
  reason: "Without the facts of model and device nobody can tell whether the model fits.",
  reference: "DESIGN section 5: fit never guesses",
  check: (service) => {
    const missing = [
      ...(service.model.facts ? [] : [`the architecture of ${service.model.id}`]),
      ...(service.slot.deviceMemoryGib === null ? [`the memory of the ${deviceName(service)}`] : []),
    ];
    return missing.length === 0
      ? []
      : [
          {
            at: service.model.facts ? "pool" : "model",
            message: `no memory check: ${missing.join(" and ")} is not known`,
            remedy: service.model.facts
              ? "take another instance type, or try it on a node first"
              : "describe it with customModel({ id, weightsBytes, facts })",
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "custom model without facts",
        declare: () =>
          llama8b({
            model: customModel({ id: "acme/chat-9b", weightsBytes: 18e9 }),
            source: s3("models-bucket/chat-9b"),
          }),
        at: "model",
      },
      {
        title: "T4G",
        declare: () =>
          llama8b({
            model: LLAMA_1B,
            dtype: "float16",
            pool: gpuPool({ name: "t4g", instanceType: "g5g.2xlarge", size: { min: 0, max: 1 } }),
          }),
        at: "pool",
      },
    ],
    good: [
      {
        title: "both known",
        declare: () =>
          llama8b({
            pool: existingPool({
              name: "there",
              instanceType: "g6e.2xlarge",
              nodeSelector: { pool: "there" },
              size: { min: 0, max: 1 },
            }),
          }),
      },
    ],
  },
});
