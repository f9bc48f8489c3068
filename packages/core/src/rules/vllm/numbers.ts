import { timeSlicing } from "../../pool/sharing.ts";
import { gpuPool } from "../../pool/declare.ts";
import type { Hit } from "../rule.ts";
import { vllmRule } from "../rule.ts";
import { flagValue, hasFlag } from "./argument.ts";
import { l4Halves, LLAMA_1B, llama1bShared, llama8b, unchecked } from "./example-services.ts";
import { environmentValue, gib, given, gpusPath, isOn, isWhole, sinceMinor } from "./subject.ts";

const GIB = 2 ** 30;

/** SHARE-16, SHARE-18 */
export const gpuCount = vllmRule({
  id: "gpu.count.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Extended resources are whole numbers; with none, or with a fraction, the pod gets no GPU, or sees every GPU of the node.",
  reference: "Kubernetes extended resources; NVIDIA container runtime, NVIDIA_VISIBLE_DEVICES",
  check: ({ gpus, ...service }) =>
    service.origins.gpus?.from !== "given" || isWhole(gpus)
      ? []
      : [{ at: "gpus", message: `gpus is ${gpus}; valid are whole numbers from 1 to the ${service.slot.slotsPerNode} of the node`, remedy: "use 1 or more, or a pool with mig(...) or timeSlicing(n) for a part of a GPU" }],
  examples: {
    bad: [
      { title: "half a GPU", declare: () => llama8b({ gpus: 0.5 }), at: "gpus" },
      { title: "none", declare: () => llama8b({ gpus: 0 }), at: "gpus" },
      { title: "negative", declare: () => llama8b({ gpus: -1 }), at: "gpus" },
    ],
    good: [{ title: "one", declare: () => llama8b({ gpus: 1 }) }],
  },
});

/** SHARE-18, for the engine's own counts. */
export const parallelSizes = vllmRule({
  id: "vllm.parallel.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Every rank is one GPU, so both sizes are whole numbers from 1.",
  reference: "vLLM engine arguments: tensor-parallel-size, pipeline-parallel-size",
  check: (service) => {
    const { gpus, tensorParallel, pipelineParallel } = service;
    if (!isWhole(pipelineParallel)) return [{ at: "pipelineParallel", message: `pipelineParallel is ${pipelineParallel}; valid are whole numbers from 1`, remedy: "leave it out on one node" }];
    if (isWhole(tensorParallel)) return [];
    if (given(service, "tensorParallel")) return [{ at: "tensorParallel", message: `tensorParallel is ${tensorParallel}; valid are whole numbers from 1`, remedy: "leave it out: it follows gpus" }];
    // A derived size is fractional only where the GPUs do not divide; a wrong number of GPUs has its own rule.
    return isWhole(gpus) ? [{ at: gpusPath(service), message: `${gpus} GPUs cannot be split into ${pipelineParallel} equal pipeline stages`, remedy: `use ${Math.ceil(gpus / pipelineParallel) * pipelineParallel} GPUs, or leave pipelineParallel out` }] : [];
  },
  examples: {
    bad: [
      { title: "zero", declare: () => llama8b({ tensorParallel: 0 }), at: "tensorParallel" },
      { title: "fraction", declare: () => llama8b({ tensorParallel: 1.5 }), at: "tensorParallel" },
      { title: "no stage", declare: () => llama8b({ pipelineParallel: 0 }), at: "pipelineParallel" },
      { title: "three GPUs in two stages", declare: () => llama8b({ gpus: 3, pipelineParallel: 2 }), at: "gpus" },
    ],
    good: [{ title: "left out", declare: () => llama8b({}) }],
  },
});

export const contextLength = vllmRule({
  id: "vllm.max-model-len.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The engine wants a whole number of tokens.",
  reference: "vLLM engine arguments: max-model-len",
  check: ({ maxModelLen }) =>
    typeof maxModelLen !== "number" || isWhole(maxModelLen)
      ? []
      : [{ at: "maxModelLen", message: `maxModelLen is ${maxModelLen}; valid are whole numbers from 1, or "auto"`, remedy: "write the tokens of the longest prompt plus answer, for example 8192" }],
  examples: {
    bad: [
      { title: "zero", declare: () => llama8b({ maxModelLen: 0 }), at: "maxModelLen" },
      { title: "the engine's own -1", declare: () => llama8b({ maxModelLen: -1 }), at: "maxModelLen" },
      { title: "fraction", declare: () => llama8b({ maxModelLen: 8192.5 }), at: "maxModelLen" },
    ],
    good: [{ title: "longest that fits", declare: () => llama8b({ maxModelLen: "auto" }) }],
  },
});

export const contextAboveModel = vllmRule({
  id: "vllm.max-model-len.above-model",
  severity: "error",
  reason: "Positions that the model was never trained on give nonsense, so the engine refuses to start.",
  reference: "vLLM config/model.py, VLLM_ALLOW_LONG_MAX_MODEL_LEN",
  check: (service) => {
    const { maxModelLen, model } = service;
    const most = model.facts?.maxPositionEmbeddings;
    if (most === undefined || typeof maxModelLen !== "number" || maxModelLen <= most) return [];
    if (isOn(environmentValue(service, "VLLM_ALLOW_LONG_MAX_MODEL_LEN")) || hasFlag(service, "--hf-overrides")) return [];
    return [{ at: "maxModelLen", message: `maxModelLen ${maxModelLen} is more than the ${most} positions of ${model.id}`, remedy: `use ${most} or less; with scaled rotary positions give --hf-overrides={"rope_parameters":...} in extraArgs` }];
  },
  examples: {
    bad: [{ title: "a million tokens", declare: () => llama8b({ maxModelLen: 1_000_000 }), at: "maxModelLen" }],
    good: [
      { title: "the model's own", declare: () => llama8b({ model: LLAMA_1B, maxModelLen: 131_072 }) },
      { title: "scaled positions", declare: () => llama8b({ model: LLAMA_1B, maxModelLen: 262_144, extraArgs: ['--hf-overrides={"rope_parameters":{"rope_type":"yarn","factor":2}}'] }) },
      { title: "asked for", declare: () => llama8b({ model: LLAMA_1B, maxModelLen: 262_144, environmentVariables: [{ name: "VLLM_ALLOW_LONG_MAX_MODEL_LEN", value: "1" }] }) },
    ],
  },
});

export const autoUnsupported = vllmRule({
  id: "vllm.max-model-len.auto-unsupported",
  severity: "error",
  acknowledgeable: false,
  reason: "The search for the longest context that fits came with 0.14; before it the word is not a number.",
  reference: "vllm-project/vllm@8ee90c83f",
  check: (service) =>
    service.maxModelLen === "auto" && !sinceMinor(service, "0.14")
      ? [{ at: "maxModelLen", message: `vLLM ${service.engineVersion} has no maxModelLen "auto"`, remedy: "give a number, or engineVersion 0.14.1 or newer" }]
      : [],
  examples: {
    bad: [{ title: "0.12", declare: () => llama8b({ maxModelLen: "auto", engineVersion: "0.12.0" }), at: "maxModelLen" }],
    good: [{ title: "0.14", declare: () => llama8b({ maxModelLen: "auto", engineVersion: "0.14.1" }) }],
  },
});

export const batchSizes = vllmRule({
  id: "vllm.batch.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "A step takes a whole number of sequences and tokens.",
  reference: "vLLM engine arguments: max-num-seqs, max-num-batched-tokens",
  check: ({ maxNumSeqs, maxNumBatchedTokens }) =>
    Object.entries({ maxNumSeqs, maxNumBatchedTokens })
      .filter(([, value]) => value !== null && !isWhole(value))
      .map(([at, value]) => ({ at, message: `${at} is ${value}; valid are whole numbers from 1`, remedy: "leave it out for the engine's own" })),
  examples: {
    bad: [
      { title: "no sequence", declare: () => llama8b({ maxNumSeqs: 0 }), at: "maxNumSeqs" },
      { title: "negative tokens", declare: () => llama8b({ maxNumBatchedTokens: -2048 }), at: "maxNumBatchedTokens" },
    ],
    good: [{ title: "smaller batches", declare: () => llama8b({ maxNumSeqs: 64, maxNumBatchedTokens: 4096 }) }],
  },
});

export const batchTokens = vllmRule({
  id: "vllm.batch.too-few-tokens",
  severity: "error",
  acknowledgeable: false,
  reason: "A step has at least one token for each sequence, and a whole prompt where prompts are not cut into chunks.",
  reference: "vLLM config/scheduler.py",
  check: (service) => {
    const { maxNumSeqs, maxNumBatchedTokens: tokens, maxModelLen } = service;
    const hits: Hit[] = [];
    if (tokens === null || !isWhole(tokens)) return hits;
    if (maxNumSeqs !== null && isWhole(maxNumSeqs) && maxNumSeqs > tokens) {
      hits.push({ at: given(service, "maxNumBatchedTokens") ? "maxNumBatchedTokens" : "maxNumSeqs", message: `${tokens} tokens a step are fewer than ${maxNumSeqs} sequences`, remedy: `use maxNumBatchedTokens ${maxNumSeqs} or more, or fewer sequences` });
    }
    if (given(service, "maxNumBatchedTokens") && flagValue(service, "--enable-chunked-prefill") === false && typeof maxModelLen === "number" && tokens < maxModelLen) {
      hits.push({ at: "maxNumBatchedTokens", message: `without chunked prefill a step must hold a prompt of ${maxModelLen} tokens, and it holds ${tokens}`, remedy: "leave chunked prefill on, or raise maxNumBatchedTokens" });
    }
    return hits;
  },
  examples: {
    bad: [
      { title: "both given", declare: () => llama8b({ maxNumSeqs: 512, maxNumBatchedTokens: 256 }), at: "maxNumBatchedTokens" },
      { title: "more than the engine's own tokens", declare: () => llama8b({ maxNumSeqs: 4096 }), at: "maxNumSeqs" },
      { title: "no chunks", declare: () => llama8b({ maxNumBatchedTokens: 2048, extraArgs: ["--no-enable-chunked-prefill"] }), at: "maxNumBatchedTokens" },
    ],
    good: [{ title: "enough", declare: () => llama8b({ maxNumSeqs: 512, maxNumBatchedTokens: 8192 }) }],
  },
});

export const utilisation = vllmRule({
  id: "vllm.gpu-memory-utilization.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "It is a share of the device: above 0 and at most 1.",
  reference: "vLLM engine arguments: gpu-memory-utilization",
  check: ({ gpuMemoryUtilization: share }) =>
    share > 0 && share <= 1
      ? []
      : [{ at: "gpuMemoryUtilization", message: `gpuMemoryUtilization is ${share}; valid is above 0 and at most 1`, remedy: share > 1 && share <= 100 ? `write ${share / 100}` : "leave it out for the engine's own" }],
  examples: {
    bad: [
      { title: "per cent", declare: () => llama8b({ gpuMemoryUtilization: 90 }), at: "gpuMemoryUtilization" },
      { title: "zero", declare: () => llama8b({ gpuMemoryUtilization: 0 }), at: "gpuMemoryUtilization" },
      { title: "negative", declare: () => llama8b({ gpuMemoryUtilization: -0.5 }), at: "gpuMemoryUtilization" },
    ],
    good: [{ title: "share", declare: () => llama8b({ gpuMemoryUtilization: 0.85 }) }],
  },
});

export const kvCacheSize = vllmRule({
  id: "vllm.kv-cache.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "A fixed KV cache is checked by the engine against nothing: too large a one ends in an out-of-memory error, and none serves nobody.",
  reference: "vLLM engine arguments: kv-cache-memory-bytes",
  check: (service) => {
    const { kvCacheBytes: bytes, slot } = service;
    if (bytes === null || !given(service, "kvCacheBytes")) return [];
    if (bytes <= 0) return [{ at: "kvCacheGib", message: `kvCacheGib gives ${gib(bytes / GIB)} after rounding down to 64 MiB`, remedy: "give GiB per GPU, or leave it out" }];
    const device = slot.deviceMemoryGib;
    return device !== null && bytes / GIB >= device ? [{ at: "kvCacheGib", message: `a KV cache of ${gib(bytes / GIB)} is more than the GPU's ${gib(device)}`, remedy: "give GiB per GPU that weights and activations leave, or leave it out" }] : [];
  },
  examples: {
    bad: [
      { title: "none", declare: () => llama8b({ kvCacheGib: 0 }), at: "kvCacheGib" },
      { title: "less than a step", declare: () => llama8b({ kvCacheGib: 0.01 }), at: "kvCacheGib" },
      { title: "bytes", declare: () => llama8b({ kvCacheGib: 8_589_934_592 }), at: "kvCacheGib" },
    ],
    good: [{ title: "10 GiB", declare: () => llama8b({ kvCacheGib: 10 }) }, { title: "from the plan", declare: () => llama1bShared({}) }],
  },
});

export const cpus = vllmRule({
  id: "vllm.cpus.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Requests equal limits in whole vCPUs, so that the engine's polling threads are never throttled.",
  reference: "Kubernetes CPU management policies; vLLM API server and engine core poll without pause",
  check: (service) =>
    !given(service, "cpus") || isWhole(service.resources.cpus)
      ? []
      : [{ at: "cpus", message: `cpus is ${service.resources.cpus}; valid are whole numbers from 1`, remedy: `use ${Math.max(2, Math.ceil(service.resources.cpus) || 2)}` }],
  examples: {
    bad: [
      { title: "fraction", declare: () => llama8b({ cpus: 3.5 }), at: "cpus" },
      { title: "zero", declare: () => llama8b({ cpus: 0 }), at: "cpus" },
    ],
    good: [{ title: "four", declare: () => llama8b({ cpus: 4 }) }],
  },
});
