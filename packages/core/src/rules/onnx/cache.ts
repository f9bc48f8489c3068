import { claimCache, nvmeCache } from "../../cache/props.ts";
import { s3 } from "../../model/source.ts";
import { cpuPool } from "../../pool/declare.ts";
import { fixed, onCpu } from "../../scaling/props.ts";
import { onnxRule } from "../rule.ts";
import { bge, phi } from "./examples.ts";

const nvme = nvmeCache({ source: s3("models-bucket/phi-3-mini-int4-ov") });
const size = { min: 1, max: 4 };
const withDisks = cpuPool({ name: "i7ie", instanceTypes: ["i7ie.2xlarge"], localStorage: "raid0", size });
const rawDisks = cpuPool({ name: "i7ie", instanceTypes: ["i7ie.2xlarge"], size });
const once = claimCache({ claimName: "models", accessMode: "ReadWriteOnce", path: "phi" });
const many = claimCache({ claimName: "models", accessMode: "ReadWriteMany", path: "phi" });

/** CACHE-05 */
export const noLocalStorage = onnxRule({
  id: "onnx.cache.no-local-storage",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Instance store is raw until the node is told to build an array of it, and c7i, m7i and r7i have none: the cache would have no place, and pods would wait for it for ever.",
  reference: "awslabs/amazon-eks-ami nodeadm localStorage; EC2 instance store",
  check: ({ cache, pool }) =>
    cache?.kind === "nvme" && (pool.localStorage !== "raid0" || pool.nvmeGib === 0)
      ? [
          {
            at: "cache",
            message: `pool ${pool.name} (${pool.instanceTypes[0]}) has no array of local NVMe disks`,
            remedy:
              'use types with instance store (i7ie, i7i, i4i) and localStorage: "raid0", or leave cache out: a model of a few GiB is read from S3 in seconds',
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "c7i has no disks", declare: () => phi({ cache: nvme }), at: "cache" },
      { title: "disks left raw", declare: () => phi({ pool: rawDisks, cache: nvme }), at: "cache" },
    ],
    good: [
      { title: "array", declare: () => phi({ pool: withDisks, cache: nvme }) },
      { title: "none", declare: () => phi({}) },
    ],
  },
});

/** CACHE-01 */
export const readWriteOnce = onnxRule({
  id: "onnx.cache.read-write-once",
  severity: "error",
  reason: "A ReadWriteOnce volume attaches to one node: the second replica on another node hangs with Multi-Attach.",
  reference: "Kubernetes persistent volumes, access modes",
  check: ({ cache, scaling }) =>
    cache?.kind === "claim" && cache.accessMode === "ReadWriteOnce" && scaling.max > 1
      ? [
          {
            at: "cache.accessMode",
            message: `claim ${cache.claimName} is ReadWriteOnce and there can be ${scaling.max} replicas`,
            remedy: "use ReadOnlyMany or ReadWriteMany (EFS, FSx), or read from S3 or the hub",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "two replicas", declare: () => phi({ cache: once, scaling: fixed(2) }), at: "cache.accessMode" },
      {
        title: "scaled to four",
        declare: () => phi({ cache: once, scaling: onCpu({ min: 1, max: 4 }) }),
        at: "cache.accessMode",
      },
    ],
    good: [
      { title: "ReadWriteMany", declare: () => phi({ cache: many, scaling: fixed(2) }) },
      { title: "one replica", declare: () => phi({ cache: once }) },
    ],
  },
});

/** CACHE-01, at a roll-out */
export const surgeOnOneNode = onnxRule({
  id: "onnx.cache.rollout-multi-attach",
  severity: "warning",
  reason:
    "A CPU service starts the new pod before the old one stops; with a ReadWriteOnce volume the new one hangs unless it lands on the same node.",
  reference: "Kubernetes persistent volumes, access modes; Deployment maxSurge",
  check: ({ cache, scaling, rollout }) =>
    cache?.kind === "claim" && cache.accessMode === "ReadWriteOnce" && scaling.max === 1 && rollout.maxSurge !== 0
      ? [
          {
            at: "cache.accessMode",
            message: `claim ${cache.claimName} is ReadWriteOnce, and a roll-out runs two pods for a moment`,
            remedy: "use ReadOnlyMany or ReadWriteMany (EFS, FSx), or read from S3 or the hub",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "one replica", declare: () => bge({ cache: once }), at: "cache.accessMode" }],
    good: [{ title: "ReadWriteMany", declare: () => bge({ cache: many }) }],
  },
});
