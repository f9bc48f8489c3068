import { nvmeCache } from "../../cache/props.ts";
import { hub, s3, secretKey } from "../../model/source.ts";
import { gpuPool } from "../../pool/declare.ts";
import { isRef, showIdentity } from "../../ref.ts";
import { EVICTION_WINDOW_SECONDS, SPOT_NOTICE_SECONDS } from "../../service/lifecycle.ts";
import type { ResolvedServiceBase } from "../../service/resolved.ts";
import { bge, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const spotL4 = gpuPool({
  name: "spot",
  instanceType: "g6.2xlarge",
  alternativeInstanceTypes: ["g6.4xlarge"],
  size: { min: 0, max: 2 },
  capacity: "spot",
});
const small = { model: "Qwen/Qwen2.5-1.5B-Instruct", maxModelLen: 4096 } as const;

/** NODE-21, NODE-23 */
export const longDrain = serviceRule({
  id: "service.drain.too-long",
  severity: "warning",
  reason:
    "Whoever takes the node away does not wait longer: EC2 gives a spot node two minutes, an EKS node group update about fifteen a node, and what still runs then is cut.",
  reference: "EC2 Spot interruption notices; EKS managed node update behaviour",
  check: ({ drain, pool }) => {
    const spot = pool.capacity.kind === "spot";
    const longest = spot ? SPOT_NOTICE_SECONDS : EVICTION_WINDOW_SECONDS;
    if (drain.graceSeconds <= longest) return [];
    const around = drain.graceSeconds - drain.drainSeconds;
    return [
      {
        at: "drainSeconds",
        message: `the pod takes up to ${drain.graceSeconds} s to stop (${drain.drainSeconds} s of drain); ${spot ? "a spot node is gone after" : "a drain of its node ends after"} ${longest} s`,
        remedy: `use drainSeconds: ${longest - around} or less${spot ? ", or leave it out" : ""}`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "half an hour", declare: () => llama({ drainSeconds: 1800 }), at: "drainSeconds" },
      {
        title: "five minutes on spot",
        declare: () => llama({ ...small, pool: spotL4, drainSeconds: 300 }),
        at: "drainSeconds",
      },
    ],
    good: [
      { title: "five minutes", declare: () => llama({ drainSeconds: 300 }) },
      { title: "derived on spot", declare: () => llama({ ...small, pool: spotL4 }) },
    ],
  },
});

/** POD-09 */
export const noDrain = serviceRule({
  id: "service.drain.none",
  severity: "warning",
  reason: "Without a drain every scale-in and roll-out cuts the answers that are being written.",
  reference: "vLLM, --shutdown-timeout; Kubernetes pod termination",
  check: ({ drain }) =>
    drain.drainSeconds === 0
      ? [
          {
            at: "drainSeconds",
            message: "running requests get no time to end",
            remedy: "leave drainSeconds out for two minutes",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "zero", declare: () => llama({ drainSeconds: 0 }), at: "drainSeconds" }],
    good: [{ title: "ten seconds for embeddings", declare: () => bge({ drainSeconds: 10 }) }],
  },
});

export const ignoredSource = serviceRule({
  id: "service.source.ignored",
  severity: "error",
  acknowledgeable: false,
  reason:
    "An NVMe cache has a source of its own and a claim has the files already, so the other one is written down and never read.",
  reference: "packages/core/src/cache/props.ts",
  check: (service) => {
    const { cache, givenSource } = service;
    if (cache === null || givenSource === null) return [];
    if (cache.kind === "claim") {
      return givenSource.kind === "s3"
        ? [
            {
              at: "source",
              message: `claim ${cache.claimName} has the model; nothing is read from S3`,
              remedy: "remove source, or cache",
            },
          ]
        : [];
    }
    return saysSame(givenSource, service.source)
      ? []
      : [
          {
            at: "source",
            message: `the cache is filled from ${describe(service.source)}, not from source`,
            remedy: "give one source, to nvmeCache({ source })",
          },
        ];
  },
  examples: {
    bad: [
      {
        title: "hub beside a cache from S3",
        declare: () =>
          llama({
            source: hub({ token: secretKey("hf-token", "token") }),
            cache: nvmeCache({ source: s3("models/llama") }),
          }),
        at: "source",
      },
      {
        title: "two prefixes",
        declare: () => llama({ source: s3("models/llama-3"), cache: nvmeCache({ source: s3("models/llama-3.1") }) }),
        at: "source",
      },
      {
        title: "S3 beside a claim",
        declare: () =>
          phi({
            source: s3("models/phi"),
            cache: { kind: "claim-cache", claimName: "models", accessMode: "ReadWriteMany", path: "phi" },
          }),
        at: "source",
      },
    ],
    good: [
      { title: "one", declare: () => llama({ source: s3("models/llama") }) },
      {
        title: "the same in both",
        declare: () => llama({ source: s3("models/llama"), cache: nvmeCache({ source: s3("models/llama") }) }),
      },
    ],
  },
});

function saysSame(
  given: NonNullable<ResolvedServiceBase["givenSource"]>,
  read: ResolvedServiceBase["source"],
): boolean {
  if (given.kind === "s3")
    return (
      read.kind === "s3" &&
      showIdentity(given.bucket) === showIdentity(read.bucket) &&
      isRef(given.bucket) === isRef(read.bucket) &&
      given.prefix === read.prefix
    );
  if (read.kind !== "hub") return false;
  const token =
    given.token === undefined ||
    (read.token?.secretName === given.token.secretName && read.token.key === given.token.key);
  return (
    token &&
    (given.repository ?? read.repository) === read.repository &&
    (given.revision ?? read.revision) === read.revision
  );
}

function describe(source: ResolvedServiceBase["source"]): string {
  return source.kind === "s3"
    ? `s3://${showIdentity(source.bucket)}/${source.prefix}`
    : `the hub (${source.repository}${source.revision === null ? "" : ` at ${source.revision}`})`;
}
