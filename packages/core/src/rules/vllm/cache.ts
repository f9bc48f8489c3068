import { claimCache, nvmeCache } from "../../cache/props.ts";
import { s3 } from "../../model/source.ts";
import { GIB } from "../../plan/memory/units.ts";
import { existingPool, gpuPool } from "../../pool/declare.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { gib } from "../numbers.ts";
import { vllmRule } from "../rule.ts";
import { showValue } from "../secrets.ts";
import { flagValue } from "./argument.ts";
import { bucket, h100Eight, LLAMA_70B, l40s, llama8b } from "./example-services.ts";

/** Room for a second copy's beginning while one is replaced, and for the file system. */
const CACHE_MARGIN = 1.2;
/** Above this a network volume takes tens of minutes. */
const SLOW_FROM_GIB = 100;

const size = { min: 0, max: 2 };
const once = claimCache({ claimName: "models", accessMode: "ReadWriteOnce", path: "llama-8b" });
const many = claimCache({ claimName: "models", accessMode: "ReadWriteMany", path: "llama-8b" });
const nvme = nvmeCache({ source: bucket });
const noArray = gpuPool({ name: "l40s-raw", instanceType: "g6e.2xlarge", size });
const theirs = existingPool({ name: "theirs", instanceType: "g6e.2xlarge", nodeSelector: { pool: "theirs" }, size });
const theirsWithArray = existingPool({
  name: "theirs",
  instanceType: "g6e.2xlarge",
  nodeSelector: { pool: "theirs" },
  size,
  localStorage: "raid0",
});
const smallArray = gpuPool({ name: "t4-array", instanceType: "g4dn.2xlarge", size, localStorage: "raid0" });

/** CACHE-01 */
export const readWriteOnce = vllmRule({
  id: "vllm.cache.read-write-once",
  severity: "error",
  reason: "A ReadWriteOnce volume attaches to one node: the next pod on another node hangs with Multi-Attach.",
  reference: "Kubernetes persistent volumes, access modes; case CACHE-01",
  check: ({ cache, scaling, rollout }) => {
    if (cache?.kind !== "claim" || cache.accessMode !== "ReadWriteOnce") return [];
    const surge = scaling.max <= 1 && rollout.maxSurge !== 0 && rollout.maxSurge !== null;
    if (scaling.max <= 1 && !surge) return [];
    return [
      {
        at: "cache.accessMode",
        message: surge
          ? `claim ${cache.claimName} is ReadWriteOnce, and with spareGpu a roll-out runs two pods at once`
          : `claim ${cache.claimName} is ReadWriteOnce, and up to ${scaling.max} replicas mount it`,
        remedy: surge
          ? "leave spareGpu out, or use nvmeCache(...) or a ReadOnlyMany or ReadWriteMany claim"
          : "use nvmeCache(...), or a ReadOnlyMany or ReadWriteMany claim (EFS, FSx)",
      },
    ];
  },
  examples: {
    bad: [
      { title: "two replicas", declare: () => llama8b({ cache: once, scaling: fixed(2) }), at: "cache.accessMode" },
      {
        title: "scaled to four",
        declare: () => llama8b({ cache: once, scaling: onQueue({ min: 1, max: 4 }) }),
        at: "cache.accessMode",
      },
      { title: "surge at a roll-out", declare: () => llama8b({ cache: once, spareGpu: true }), at: "cache.accessMode" },
    ],
    good: [
      { title: "ReadWriteMany", declare: () => llama8b({ cache: many, scaling: fixed(2) }) },
      { title: "one replica", declare: () => llama8b({ cache: once }) },
      { title: "node-local", declare: () => llama8b({ source: bucket, cache: nvme, scaling: fixed(2) }) },
    ],
  },
});

/** CACHE-05 */
export const noLocalStorage = vllmRule({
  id: "vllm.cache.no-local-storage",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Instance store is raw until the node builds an array of it; without one the cache has no place, and pods wait for it for ever.",
  reference: "awslabs/amazon-eks-ami nodeadm localStorage; case CACHE-05",
  check: ({ cache, pool }) =>
    cache?.kind === "nvme" && (pool.localStorage !== "raid0" || pool.nvmeGib === 0)
      ? [
          {
            at: "cache",
            message: `pool ${pool.name} (${pool.instanceTypes[0]}) has no array of local NVMe disks`,
            remedy: pool.managed
              ? 'give the pool localStorage: "raid0"'
              : 'say localStorage: "raid0" on the existing pool where its nodes have the array, else leave cache out',
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "raw disks", declare: () => llama8b({ source: bucket, pool: noArray, cache: nvme }), at: "cache" },
      { title: "nodes of others", declare: () => llama8b({ source: bucket, pool: theirs, cache: nvme }), at: "cache" },
    ],
    good: [
      { title: "array", declare: () => llama8b({ source: bucket, pool: l40s, cache: nvme }) },
      {
        title: "nodes of others with one",
        declare: () => llama8b({ source: bucket, pool: theirsWithArray, cache: nvme }),
      },
    ],
  },
});

export const cacheTooSmall = vllmRule({
  id: "vllm.cache.too-small",
  severity: "error",
  reason: "The array holds the weights, container images and pod logs; a full one stops the preloader and evicts pods.",
  reference: "facts/platform.md section 16, check 24",
  check: ({ cache, pool, model }) => {
    if (cache?.kind !== "nvme" || cache.bytes === null || pool.nvmeGib === 0) return [];
    const needed = (cache.bytes / GIB) * CACHE_MARGIN;
    return needed > pool.nvmeGib
      ? [
          {
            at: "cache",
            message: `${model.id} needs ${gib(needed)} with a margin of a fifth; the array of ${pool.instanceTypes[0]} has ${gib(pool.nvmeGib)}`,
            remedy: "take a type with more instance store, or a quantised checkpoint",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "200 GiB on a T4's disk",
        declare: () =>
          llama8b({ pool: smallArray, dtype: "float16", source: large(), cache: nvmeCache({ source: large() }) }),
        at: "cache",
      },
    ],
    good: [{ title: "8B", declare: () => llama8b({ source: bucket, cache: nvme }) }],
  },
});

function large() {
  return s3("models-bucket/large", { bytes: 200 * GIB });
}

/** CACHE-04 */
export const slowVolume = vllmRule({
  id: "vllm.cache.slow-volume",
  severity: "warning",
  reason: "Weights are read over the network at every start, which takes tens of minutes for a large model.",
  reference: "vLLM docs, safetensors-load-strategy; case CACHE-04",
  check: (service) => {
    const weightsGib = (service.model.weightsBytes ?? 0) / GIB;
    if (service.cache?.kind !== "claim" || weightsGib <= SLOW_FROM_GIB) return [];
    const minutes = Math.round(service.coldStart.weightsSeconds / 60);
    const eager =
      flagValue(service, "--safetensors-load-strategy") === undefined
        ? ', or add "--safetensors-load-strategy=eager" to extraArgs'
        : "";
    return [
      {
        at: "cache",
        message: `${gib(weightsGib)} from claim ${service.cache.claimName} takes about ${minutes} minutes a start`,
        remedy: `use nvmeCache(...), or source: s3(...), which streams${eager}`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "70B in 16 bits",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100Eight, gpus: 4, cache: many }),
        at: "cache",
      },
    ],
    good: [
      { title: "8B", declare: () => llama8b({ cache: many }) },
      {
        title: "70B on NVMe",
        declare: () =>
          llama8b({
            model: LLAMA_70B,
            pool: gpuPool({ name: "h100-8", instanceType: "p5.48xlarge", size, localStorage: "raid0" }),
            gpus: 4,
            source: bucket,
            cache: nvme,
          }),
      },
    ],
  },
});

/** CACHE-08 */
export const streamerOnDisk = vllmRule({
  id: "vllm.cache.streamer",
  severity: "warning",
  reason: "The streaming loaders are made for object stores; from a local disk the default loader is faster.",
  reference: "vLLM docs/models/extensions/runai_model_streamer.md; case CACHE-08",
  check: (service) => {
    const format = flagValue(service, "--load-format");
    return service.modelPath !== null && typeof format === "string" && /^runai_streamer/.test(format)
      ? [
          {
            at: "extraArgs",
            message: `--load-format=${showValue(format)} with weights on a volume`,
            remedy: "remove it: the default loader reads local files faster",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "NVMe",
        declare: () => llama8b({ source: bucket, cache: nvme, extraArgs: ["--load-format=runai_streamer"] }),
        at: "extraArgs",
      },
      {
        title: "claim",
        declare: () => llama8b({ cache: many, extraArgs: ["--load_format=runai_streamer_sharded"] }),
        at: "extraArgs",
      },
    ],
    good: [
      { title: "default", declare: () => llama8b({ source: bucket, cache: nvme }) },
      { title: "straight from S3", declare: () => llama8b({ source: bucket }) },
    ],
  },
});
