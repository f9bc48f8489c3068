import { GIB } from "../../plan/memory/units.ts";
import { gib } from "../numbers.ts";
import { vllmRule } from "../rule.ts";
import { llama1bShared, llama8b } from "./example-services.ts";
import { given, gpusPath, isWhole } from "./subject.ts";

/** SHARE-16, SHARE-18 */
export const gpuCount = vllmRule({
  id: "gpu.count.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Extended resources are whole numbers; with none, or with a fraction, the pod gets no GPU, or sees every GPU of the node.",
  reference: "Kubernetes extended resources; NVIDIA container runtime, NVIDIA_VISIBLE_DEVICES",
  check: (service) =>
    !given(service, "gpus") || isWhole(service.gpus)
      ? []
      : [
          {
            at: "gpus",
            message: `gpus is ${service.gpus}; valid are whole numbers, and ${service.pool.instanceTypes[0]} has ${service.slot.slotsPerNode}`,
            remedy: "use 1 or more; for a part of a GPU take a pool with mig(...) or timeSlicing(n)",
          },
        ],
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
    if (!isWhole(pipelineParallel))
      return [
        {
          at: "pipelineParallel",
          message: `pipelineParallel is ${pipelineParallel}; valid are whole numbers from 1`,
          remedy: "leave it out on one node",
        },
      ];
    if (isWhole(tensorParallel)) return [];
    if (given(service, "tensorParallel"))
      return [
        {
          at: "tensorParallel",
          message: `tensorParallel is ${tensorParallel}; valid are whole numbers from 1`,
          remedy: "leave it out: it follows gpus",
        },
      ];
    // A derived size is fractional only where the GPUs do not divide; a wrong number of GPUs has its own rule.
    return isWhole(gpus)
      ? [
          {
            at: gpusPath(service),
            message: `${gpus} GPUs cannot be split into ${pipelineParallel} equal pipeline stages`,
            remedy: `use ${Math.ceil(gpus / pipelineParallel) * pipelineParallel} GPUs, or leave pipelineParallel out`,
          },
        ]
      : [];
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

export const utilisation = vllmRule({
  id: "vllm.gpu-memory-utilization.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "It is a share of the device: above 0 and at most 1.",
  reference: "vLLM engine arguments: gpu-memory-utilization",
  check: ({ gpuMemoryUtilization: share }) =>
    share > 0 && share <= 1
      ? []
      : [
          {
            at: "gpuMemoryUtilization",
            message: `gpuMemoryUtilization is ${share}; valid is above 0 and at most 1`,
            remedy: share > 1 && share <= 100 ? `write ${share / 100}` : "leave it out for the engine's own",
          },
        ],
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
  reason:
    "A fixed KV cache is checked by the engine against nothing: too large a one ends in an out-of-memory error, and none serves nobody.",
  reference: "vLLM engine arguments: kv-cache-memory-bytes",
  check: (service) => {
    const { kvCacheBytes: bytes, slot } = service;
    if (bytes === null || !given(service, "kvCacheBytes")) return [];
    if (bytes <= 0)
      return [
        {
          at: "kvCacheGib",
          message: `kvCacheGib gives ${gib(bytes / GIB)} after rounding down to 64 MiB`,
          remedy: "give GiB per GPU, or leave it out",
        },
      ];
    const device = slot.deviceMemoryGib;
    return device !== null && bytes / GIB >= device
      ? [
          {
            at: "kvCacheGib",
            message: `a KV cache of ${gib(bytes / GIB)} is more than the GPU's ${gib(device)}`,
            remedy: "give GiB per GPU that weights and activations leave, or leave it out",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "none", declare: () => llama8b({ kvCacheGib: 0 }), at: "kvCacheGib" },
      { title: "less than a step", declare: () => llama8b({ kvCacheGib: 0.01 }), at: "kvCacheGib" },
      { title: "bytes", declare: () => llama8b({ kvCacheGib: 8_589_934_592 }), at: "kvCacheGib" },
    ],
    good: [
      { title: "10 GiB", declare: () => llama8b({ kvCacheGib: 10 }) },
      { title: "from the plan", declare: () => llama1bShared({}) },
    ],
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
      : [
          {
            at: "cpus",
            message: `cpus is ${service.resources.cpus}; valid are whole numbers from 1`,
            remedy: `use ${Math.max(2, Math.ceil(service.resources.cpus) || 2)}`,
          },
        ],
  examples: {
    bad: [
      { title: "fraction", declare: () => llama8b({ cpus: 3.5 }), at: "cpus" },
      { title: "zero", declare: () => llama8b({ cpus: 0 }), at: "cpus" },
    ],
    good: [{ title: "four", declare: () => llama8b({ cpus: 4 }) }],
  },
});
