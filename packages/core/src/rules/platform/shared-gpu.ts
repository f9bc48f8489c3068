import { gpuPool } from "../../pool/declare.ts";
import { mps } from "../../pool/sharing.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { platformRule } from "../rule.ts";
import { declared, sharedL4, small } from "./examples.ts";
import { servicesByPool } from "./subject.ts";

/** MPS knows no more clients of one card; a larger number of replicas has a rule of its own. */
const MOST_CLIENTS = 48;

/** What the engines of one card may claim together; the rest is contexts, graphs and fragments. */
const CARD_SHARE = 0.9;

const ROUNDING = 1e-6;

/** Part of the card that one pod takes: its fixed KV cache with all that is beside it, or what it may claim. */
function cardShare(service: ResolvedVllm): number {
  const { memory, kvCacheBytes, slot } = service;
  if (kvCacheBytes === null || !memory?.supported || slot.deviceMemoryGib === null) return service.gpuMemoryUtilization;
  const { weightsGib, activationGib, nonTorchGib, samplerTablesGib, cudaGraphGib } = memory.memory;
  return (
    (weightsGib + activationGib + nonTorchGib + samplerTablesGib + cudaGraphGib + kvCacheBytes / 2 ** 30) /
    slot.deviceMemoryGib
  );
}

/** SHARE-09 */
export const sharedCardFull = platformRule({
  id: "gpu.shared.sum",
  severity: "error",
  reason:
    "Nothing divides the memory of a shared GPU: pods that claim more than it has together make the last one die, or all of them.",
  reference: "NVIDIA device plugin, Shared Access to GPUs; case SHARE-09",
  check: (platform) => {
    const byPool = servicesByPool(platform);
    return platform.pools.flatMap((pool) => {
      if (pool.sharing.kind !== "time-slicing" && pool.sharing.kind !== "mps") return [];
      // The scheduler does not know memory, so the largest may meet on one card.
      const largest = (byPool.get(pool.name) ?? [])
        .filter((service): service is ResolvedVllm => service.kind === "vllm")
        .flatMap((service) =>
          Array.from(
            { length: Math.max(0, Math.min(service.scaling.max, service.slot.sharedBy, MOST_CLIENTS)) },
            () => ({ service, share: cardShare(service) }),
          ),
        )
        .sort((a, b) => b.share - a.share)
        .slice(0, pool.sharing.replicas);
      const sum = largest.reduce((total, { share }) => total + share, 0);
      const names = new Set(largest.map(({ service }) => service.name));
      if (names.size < 2 || sum <= CARD_SHARE + ROUNDING) return [];
      return [
        {
          at: `pools.${pool.name}.sharing`,
          message: `${largest.map(({ service, share }) => `${service.name} ${share.toFixed(2)}`).join(" + ")} of one ${pool.gpu?.model} are ${sum.toFixed(2)}; together they may take ${CARD_SHARE}`,
          remedy:
            "leave gpuMemoryUtilization and kvCacheGib out, or lower them so that the largest that can meet stay under it",
        },
      ];
    });
  },
  examples: {
    bad: [
      {
        title: "0.5 and 0.6",
        declare: () =>
          declared({
            pools: [sharedL4],
            services: [small({ gpuMemoryUtilization: 0.5 }), small({ name: "b", gpuMemoryUtilization: 0.6 })],
          }),
        at: "pools.l4.sharing",
      },
      {
        title: "MPS",
        declare: () => {
          const pool = gpuPool({
            name: "l4-mps",
            instanceType: "g6.4xlarge",
            size: { min: 0, max: 2 },
            sharing: mps(2),
          });
          return declared({
            pools: [pool],
            services: [
              small({ pool, gpuMemoryUtilization: 0.6 }),
              small({ name: "b", pool, gpuMemoryUtilization: 0.45 }),
            ],
          });
        },
        at: "pools.l4-mps.sharing",
      },
      {
        title: "by a fixed KV cache",
        declare: () => declared({ pools: [sharedL4], services: [small({ kvCacheGib: 14 }), small({ name: "b" })] }),
        at: "pools.l4.sharing",
      },
    ],
    good: [
      { title: "derived", declare: () => declared({ pools: [sharedL4], services: [small(), small({ name: "b" })] }) },
      {
        title: "unequal parts",
        declare: () =>
          declared({
            pools: [sharedL4],
            services: [small({ gpuMemoryUtilization: 0.5 }), small({ name: "b", gpuMemoryUtilization: 0.35 })],
          }),
      },
      {
        title: "three on cards for two: any two fit",
        declare: () => declared({ pools: [sharedL4], services: ["a", "b", "c"].map((name) => small({ name })) }),
      },
    ],
  },
});
