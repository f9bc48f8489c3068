import { existingPool } from "../../pool/declare.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { vllmRule } from "../rule.ts";
import { flagNumber } from "./argument.ts";
import { indivisibleBy, validSizes } from "./divisible.ts";
import { h100Eight, h100Slices, LLAMA_1B, LLAMA_70B, l40sFour, llama8b } from "./example-services.ts";
import { deviceName, given, gpusPath, hasWholeCounts, usableFacts } from "./subject.ts";

/** FIT-01 */
export const indivisible = vllmRule({
  id: "vllm.parallel.indivisible",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Each rank gets the same number of attention heads and vocabulary rows, so the engine exits where they do not divide.",
  reference: "vLLM config/model.py verify_with_parallel_config, layers/vocab_parallel_embedding.py",
  check: (service) => {
    const facts = usableFacts(service);
    const size = service.tensorParallel;
    if (!facts || !hasWholeCounts(service)) return [];
    const why = indivisibleBy(facts, size);
    if (why === null) return [];
    const valid = validSizes(service, facts);
    return [
      {
        at: given(service, "tensorParallel") ? "tensorParallel" : gpusPath(service),
        message: `tensor parallel ${size} does not divide ${why} of ${service.model.id}; valid on ${service.pool.instanceTypes[0]}: ${valid.join(", ")}`,
        remedy: `use ${valid.filter((n) => n < size).at(-1) ?? valid[0]}`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "32 heads by 3", declare: () => llama8b({ pool: l40sFour, gpus: 3 }), at: "gpus" },
      {
        title: "40 heads by 6",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-32B-Instruct", pool: h100Eight, tensorParallel: 6 }),
        at: "tensorParallel",
      },
      {
        title: "28 heads by 8",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-7B-Instruct", pool: h100Eight, tensorParallel: 8 }),
        at: "tensorParallel",
      },
      {
        title: "vocabulary by 5",
        declare: () => llama8b({ model: "Qwen/Qwen3-14B", pool: h100Eight, tensorParallel: 5 }),
        at: "tensorParallel",
      },
      {
        title: "KV heads",
        declare: () => llama8b({ model: "microsoft/phi-4", pool: h100Eight, tensorParallel: 4 }),
        at: "tensorParallel",
      },
    ],
    good: [
      {
        title: "40 heads by 8",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-32B-Instruct", pool: h100Eight, tensorParallel: 8 }),
      },
      {
        title: "28 heads by 4",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-7B-Instruct", pool: l40sFour, tensorParallel: 4 }),
      },
      {
        title: "one KV head a rank, copied",
        declare: () => llama8b({ model: "Qwen/Qwen2.5-7B-Instruct", pool: l40sFour, tensorParallel: 2 }),
      },
    ],
  },
});

export const tooManyStages = vllmRule({
  id: "vllm.parallel.too-many-stages",
  severity: "error",
  acknowledgeable: false,
  reason: "A pipeline stage without a layer has nothing to do, and the engine refuses it.",
  reference: "vLLM distributed/utils.py get_pp_indices",
  check: (service) => {
    const layers = usableFacts(service)?.layers;
    const stages = service.pipelineParallel;
    return layers !== undefined && stages > layers
      ? [
          {
            at: "pipelineParallel",
            message: `${stages} pipeline stages for ${layers} layers of ${service.model.id}`,
            remedy: "leave pipelineParallel out on one node",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "33 stages of 32 layers",
        declare: () => llama8b({ pool: h100Eight, pipelineParallel: 33 }),
        at: "pipelineParallel",
      },
    ],
    good: [{ title: "two", declare: () => llama8b({ pool: h100Eight, pipelineParallel: 2 }) }],
  },
});

function dataParallel(service: ResolvedVllm): number {
  return flagNumber(service, "--data-parallel-size") ?? 1;
}

/** `tensor parallel 4 x pipeline parallel 2`, with what is 1 left out. */
function splitText(service: ResolvedVllm): string {
  const parts = [
    [service.tensorParallel, "tensor parallel"],
    [service.pipelineParallel, "pipeline parallel"],
    [dataParallel(service), "data parallel"],
  ] as const;
  const said = parts.filter(([size]) => size !== 1).map(([size, name]) => `${name} ${size}`);
  return said.length > 0 ? said.join(" x ") : "no parallelism";
}

/** FIT-02 */
export const tooFewGpus = vllmRule({
  id: "vllm.gpus.too-few",
  severity: "error",
  acknowledgeable: false,
  reason: "With fewer GPUs than ranks the engine looks for a Ray cluster and waits for ever.",
  reference: "vLLM parallelism and scaling; case FIT-02",
  check: (service) => {
    const ranks = service.tensorParallel * service.pipelineParallel * dataParallel(service);
    return hasWholeCounts(service) && ranks > service.gpus
      ? [
          {
            at: gpusPath(service),
            message: `${splitText(service)} needs ${ranks} GPUs, the pod has ${service.gpus}`,
            remedy: `use gpus: ${ranks}, or a smaller split`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "TP 4 on two", declare: () => llama8b({ pool: l40sFour, tensorParallel: 4, gpus: 2 }), at: "gpus" },
      {
        title: "TP 4 x PP 2 on four",
        declare: () => llama8b({ pool: h100Eight, tensorParallel: 4, pipelineParallel: 2, gpus: 4 }),
        at: "gpus",
      },
      {
        title: "data parallel beside TP",
        declare: () => llama8b({ pool: l40sFour, gpus: 4, extraArgs: ["--data-parallel-size=2"] }),
        at: "gpus",
      },
    ],
    good: [
      {
        title: "TP 4 x PP 2 on eight",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, tensorParallel: 4, pipelineParallel: 2, gpus: 8 }),
      },
      { title: "TP alone", declare: () => llama8b({ pool: l40sFour, tensorParallel: 4 }) },
      {
        title: "two copies of two",
        declare: () => llama8b({ pool: l40sFour, gpus: 4, tensorParallel: 2, extraArgs: ["--data-parallel-size=2"] }),
      },
    ],
  },
});

/** FIT-02, FIT-12 */
export const moreThanNode = vllmRule({
  id: "vllm.gpus.more-than-node",
  severity: "error",
  acknowledgeable: false,
  reason:
    "A pod is on one node: one that asks for more GPUs than any node has stays pending. Replicas over several nodes are not built yet.",
  reference: "Kubernetes scheduling of extended resources; case FIT-02",
  check: (service) => {
    const { gpus, slot, pool } = service;
    if (slot.sharedBy > 1 || !hasWholeCounts(service) || gpus <= slot.slotsPerNode) return [];
    return [
      {
        at: gpusPath(service),
        message: `${gpus} x ${slot.resource} for one pod; ${pool.instanceTypes[0]} has ${slot.slotsPerNode}`,
        remedy: `use at most ${slot.slotsPerNode}, or a pool with a larger type; several nodes for one replica are not built yet`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "TP 8 on four", declare: () => llama8b({ pool: l40sFour, tensorParallel: 8 }), at: "tensorParallel" },
      {
        title: "two nodes",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, tensorParallel: 8, pipelineParallel: 2 }),
        at: "tensorParallel",
      },
    ],
    good: [{ title: "all of it", declare: () => llama8b({ pool: l40sFour, tensorParallel: 4 }) }],
  },
});

/** FIT-02, MIG-08 */
export const idleGpus = vllmRule({
  id: "vllm.gpus.idle",
  severity: "warning",
  reason: "GPUs that no rank uses are reserved and paid for.",
  reference: "cases FIT-02 and MIG-08",
  check: (service) => {
    const ranks = service.tensorParallel * service.pipelineParallel * dataParallel(service);
    if (!hasWholeCounts(service) || !(ranks < service.gpus)) return [];
    const unused = service.slot.migProfile === null ? "GPUs" : `slices ${service.slot.migProfile}`;
    return [
      {
        at: "gpus",
        message: `${service.gpus - ranks} of ${service.gpus} ${unused} stay idle with ${splitText(service)}`,
        remedy: service.slot.migProfile === null ? "leave tensorParallel out, or lower gpus" : "leave gpus out",
      },
    ];
  },
  examples: {
    bad: [
      { title: "TP 2 of four", declare: () => llama8b({ pool: l40sFour, gpus: 4, tensorParallel: 2 }), at: "gpus" },
      { title: "second slice", declare: () => llama8b({ pool: h100Slices, gpus: 2, tensorParallel: 1 }), at: "gpus" },
    ],
    good: [{ title: "TP follows", declare: () => llama8b({ pool: l40sFour, gpus: 4 }) }],
  },
});

/** MIG-08, MIG-09 */
export const splitOverSlices = vllmRule({
  id: "vllm.mig.parallel",
  severity: "error",
  reason:
    "MIG instances have no peer-to-peer and no NVLink between them: NCCL refuses them, or crawls through host memory.",
  reference: "NVIDIA MIG User Guide, limitations; NCCL release notes",
  check: (service) => {
    const ranks = service.tensorParallel * service.pipelineParallel;
    if (service.slot.migProfile === null || !hasWholeCounts(service) || ranks <= 1) return [];
    return [
      {
        at: gpusPath(service),
        message: `${splitText(service)} over slices ${service.slot.migProfile}: there is no peer-to-peer between MIG instances`,
        remedy: "use one larger slice, or whole GPUs; newer NCCL may run it without P2P, if you acknowledge that",
      },
    ];
  },
  examples: {
    bad: [
      { title: "TP 2", declare: () => llama8b({ pool: h100Slices, tensorParallel: 2 }), at: "tensorParallel" },
      { title: "two slices", declare: () => llama8b({ pool: h100Slices, gpus: 2 }), at: "gpus" },
    ],
    good: [{ title: "one", declare: () => llama8b({ model: LLAMA_1B, pool: h100Slices }) }],
  },
});

export const slowInterconnect = vllmRule({
  id: "vllm.parallel.no-nvlink",
  severity: "info",
  reason: "Tensor parallelism moves activations between GPUs at every layer; over PCIe more ranks bring little speed.",
  reference: "facts/serving.md E: L40S from TP 4 to TP 8 gains about a tenth",
  check: (service) => {
    const { pool, slot, tensorParallel: size } = service;
    const whole = slot.migProfile === null && slot.sharedBy === 1;
    return pool.gpu && !pool.gpu.nvlink && whole && hasWholeCounts(service) && size > 1
      ? [
          {
            at: given(service, "tensorParallel") ? "tensorParallel" : gpusPath(service),
            message: `tensor parallel ${size} over PCIe: the ${deviceName(service)} has no NVLink`,
            remedy: "use as few GPUs as the model needs; further replicas serve more requests than more ranks",
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "four L40S", declare: () => llama8b({ pool: l40sFour, gpus: 4 }), at: "gpus" }],
    good: [
      { title: "H100", declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, gpus: 8 }) },
      {
        title: "one GPU",
        declare: () =>
          llama8b({
            pool: existingPool({
              name: "there",
              instanceType: "g6e.12xlarge",
              nodeSelector: { pool: "there" },
              size: { min: 0, max: 1 },
            }),
          }),
      },
    ],
  },
});
