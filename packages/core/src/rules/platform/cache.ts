import { nvmeCache } from "../../cache/props.ts";
import { s3 } from "../../model/source.ts";
import { GIB } from "../../plan/memory/units.ts";
import { count, gib } from "../numbers.ts";
import { platformRule } from "../rule.ts";
import { cachedLlama, declared, raid } from "./examples.ts";

/** Room for a file that is replaced while the old one is still there, and for what the file system keeps. */
const CACHE_MARGIN = 1.2;

/** facts/platform.md 16.24 */
export const cacheTooSmall = platformRule({
  id: "cache.too-small",
  severity: "error",
  reason:
    "The models of a pool lie together on every node's NVMe, beside images and logs; a full disk evicts the pods that serve from it.",
  reference: "awslabs/amazon-eks-ami nodeadm localStorage; kubelet eviction at 10 % free",
  check: ({ preloaders }) =>
    preloaders.flatMap(({ pool, models }) => {
      const bytes = models.reduce((sum, model) => sum + (model.bytes ?? 0), 0);
      const needed = (bytes / GIB) * CACHE_MARGIN;
      if (pool.nvmeGib === 0 || needed <= pool.nvmeGib) return [];
      const unknown = models.filter((model) => model.bytes === null).length;
      return [
        {
          at: `pools.${pool.name}.localStorage`,
          message: `${count(models.length, "model")} of ${gib(bytes / GIB)}${unknown > 0 ? ` (${unknown} of unknown size not counted)` : ""} need ${gib(needed)} with a fifth to spare; a ${pool.instanceTypes[0]} has ${gib(pool.nvmeGib)}`,
          remedy: "take a type with more instance store, or split the services over two pools",
        },
      ];
    }),
  examples: {
    // 2 x 112 GiB, 268 GiB with a fifth to spare.
    bad: [
      {
        title: "two large models on 233 GiB",
        declare: () => declared({ pools: [raid], services: [large("a"), large("b")] }),
        at: "pools.raid.localStorage",
      },
    ],
    good: [
      {
        title: "one of them, served twice",
        declare: () => declared({ pools: [raid], services: [large("a"), large("b", "a")] }),
      },
      { title: "small ones", declare: () => declared({ pools: [raid], services: [cachedLlama()] }) },
    ],
  },
});

function large(name: string, weights = name) {
  return cachedLlama({ name, cache: nvmeCache({ source: s3(`models/${weights}`, { bytes: 120_000_000_000 }) }) });
}
