import { GIB } from "../../plan/memory/units.ts";
import { gpuPool } from "../../pool/declare.ts";
import { mps, timeSlicing } from "../../pool/sharing.ts";
import { gib } from "../numbers.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { l4Halves, l40s, llama1bShared } from "./example-services.ts";
import { deviceName, given, gpusPath, hasWholeCounts, isWhole } from "./subject.ts";

/** What the engines of one card may claim together; contexts, graphs and NCCL of all of them take the rest. */
const SHARED_CARD_SHARE = 0.9;
/** Shares are written in hundredths. */
const ROUNDING = 0.005;

const l4Quarters = gpuPool({
  name: "l4-quarters",
  instanceType: "g6.4xlarge",
  size: { min: 0, max: 2 },
  sharing: timeSlicing(4),
});
const l40sMps = gpuPool({ name: "l40s-mps", instanceType: "g6e.4xlarge", size: { min: 0, max: 2 }, sharing: mps(2) });

/** SHARE-05 */
export const combinedShares = vllmRule({
  id: "gpu.shared.combined",
  severity: "error",
  acknowledgeable: false,
  reason:
    "A shared replica is access to a GPU, not a part of one: two of them may be the same card, and the device plugin refuses more than one.",
  reference: "NVIDIA/k8s-device-plugin, failRequestsGreaterThanOne",
  check: (service) => {
    const { slot, gpus, tensorParallel, pipelineParallel } = service;
    const asked = Math.max(gpus, tensorParallel * pipelineParallel);
    if (slot.sharedBy <= 1 || !hasWholeCounts(service) || asked <= 1) return [];
    return [
      {
        at: gpusPath(service),
        message: `${asked} x ${slot.resource}: shares of a GPU (${deviceName(service)}) cannot be combined`,
        remedy: "use one, or a pool of whole GPUs",
      },
    ];
  },
  examples: {
    bad: [
      { title: "two shares", declare: () => llama1bShared({ gpus: 2 }), at: "gpus" },
      { title: "tensor parallel", declare: () => llama1bShared({ tensorParallel: 2 }), at: "tensorParallel" },
      { title: "MPS", declare: () => llama1bShared({ pool: l40sMps, gpus: 2 }), at: "gpus" },
    ],
    good: [{ title: "one share", declare: () => llama1bShared({}) }],
  },
});

/** SHARE-09 */
export const utilisationOfShare = vllmRule({
  id: "gpu.shared.over-claimed",
  severity: "error",
  reason:
    "Utilisation counts the whole card in every pod and nothing isolates them, so the second engine finds no memory.",
  reference: "vLLM v1/worker/utils.py request_memory; case SHARE-09",
  check: (service): Hit[] => {
    const { slot, gpuMemoryUtilization: share } = service;
    if (slot.sharedBy <= 1) return [];
    const most = Math.floor((SHARED_CARD_SHARE / slot.sharedBy) * 100) / 100;
    const hits: Hit[] = [];
    if (given(service, "gpuMemoryUtilization") && share <= 1 && share * slot.sharedBy > SHARED_CARD_SHARE + ROUNDING) {
      hits.push({
        at: "gpuMemoryUtilization",
        message: `gpuMemoryUtilization ${share} x ${slot.sharedBy} pods claims ${Math.round(share * slot.sharedBy * 100)} % of the card; at most ${SHARED_CARD_SHARE * 100} % is safe`,
        remedy: `use ${most}, or leave it out`,
      });
    }
    const kv = service.kvCacheBytes;
    const memory = service.memory?.supported ? service.memory.memory : null;
    if (kv !== null && kv > 0 && memory && slot.memoryGib !== null && given(service, "kvCacheBytes")) {
      const all =
        memory.weightsGib +
        memory.activationGib +
        memory.nonTorchGib +
        memory.samplerTablesGib +
        memory.cudaGraphGib +
        kv / GIB;
      if (all > slot.memoryGib) {
        hits.push({
          at: "kvCacheGib",
          message: `weights, activations and a KV cache of ${gib(kv / GIB)} take ${gib(all)}; the share of the ${deviceName(service)} is ${gib(slot.memoryGib)}`,
          remedy:
            all - kv / GIB < slot.memoryGib
              ? `use ${Math.floor((slot.memoryGib - (all - kv / GIB)) * 10) / 10} or less, or leave it out`
              : "take a smaller model, or fewer pods a GPU",
        });
      }
    }
    return hits;
  },
  examples: {
    bad: [
      {
        title: "0.9 on a quarter",
        declare: () => llama1bShared({ pool: l4Quarters, gpuMemoryUtilization: 0.9 }),
        at: "gpuMemoryUtilization",
      },
      {
        title: "half on a half",
        declare: () => llama1bShared({ gpuMemoryUtilization: 0.5 }),
        at: "gpuMemoryUtilization",
      },
      { title: "KV cache of the whole card", declare: () => llama1bShared({ kvCacheGib: 12 }), at: "kvCacheGib" },
    ],
    good: [
      { title: "derived", declare: () => llama1bShared({}) },
      { title: "its share", declare: () => llama1bShared({ gpuMemoryUtilization: 0.45, kvCacheGib: 4 }) },
    ],
  },
});

export const planMissing = vllmRule({
  id: "gpu.shared.kv-not-fixed",
  severity: "warning",
  reason:
    "Engines that start together on one card measure each other's memory; only a fixed KV cache keeps them apart.",
  reference: "cases.md correction to SHARE-09",
  check: (service) => {
    const { slot, kvCacheBytes, memory } = service;
    const loads = memory === null || !memory.supported || memory.verdict !== "does-not-load";
    return slot.sharedBy > 1 && kvCacheBytes === null && loads && isWhole(service.gpus)
      ? [
          {
            at: "kvCacheGib",
            message: `no KV cache size is known for ${service.model.id} on the ${deviceName(service)}`,
            remedy: "give kvCacheGib: what the share leaves after weights and about 2 GiB",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "a model that the plan does not cover",
        declare: () => llama1bShared({ model: "openai/whisper-large-v3" }),
        at: "kvCacheGib",
      },
    ],
    good: [
      { title: "from the plan", declare: () => llama1bShared({}) },
      { title: "whole GPU", declare: () => llama1bShared({ pool: l40s }) },
      { title: "given", declare: () => llama1bShared({ kvCacheGib: 3, pool: l4Halves }) },
    ],
  },
});
