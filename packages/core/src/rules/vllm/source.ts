import { findArtefacts } from "@capstan/catalog";
import { nvmeCache } from "../../cache/props.ts";
import { hub, s3, secretKey } from "../../model/source.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { vllmRule } from "../rule.ts";
import { bucket, COMMIT, gatedHub, llama8b } from "./example-services.ts";

const qwen = { model: "Qwen/Qwen3-8B" } as const;
const openHub = hub({ revision: COMMIT });

/** True where something downloads from the hub: the server, or the preloader of its cache. */
function readsHub(service: ResolvedVllm): boolean {
  return service.source.kind === "hub" && service.cache?.kind !== "claim";
}

/** The property that the source was written in. */
function sourcePath(service: ResolvedVllm, below: string): string {
  return `${service.cache?.kind === "nvme" ? "cache.source" : "source"}.${below}`;
}

/** POD-13 */
export const gatedWithoutToken = vllmRule({
  id: "vllm.source.gated",
  severity: "error",
  reason: "The hub answers 401 to whoever has not accepted the licence, and the pod restarts for ever.",
  reference: "Hugging Face gated models; case POD-13",
  check: (service) =>
    service.source.kind === "hub" && readsHub(service) && isGated(service) && service.source.token === null
      ? [
          {
            at: sourcePath(service, "token"),
            message: `${service.model.repository} is gated, and there is no token`,
            remedy: 'give hub({ token: secretKey("hf-token", "token") }), or read the weights from S3',
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "Llama", declare: () => llama8b({ source: hub() }), at: "source.token" },
      { title: "left out", declare: () => llama8b({ source: hub({ revision: COMMIT }) }), at: "source.token" },
      {
        title: "cache that fills itself from the hub",
        declare: () => llama8b({ source: gatedHub, cache: nvmeCache({ source: hub() }) }),
        at: "cache.source.token",
      },
    ],
    good: [
      { title: "token", declare: () => llama8b({ source: hub({ token: secretKey("hf-token", "token") }) }) },
      { title: "S3", declare: () => llama8b({ source: bucket }) },
      { title: "cache from S3", declare: () => llama8b({ source: bucket, cache: nvmeCache({ source: bucket }) }) },
      { title: "open model", declare: () => llama8b({ ...qwen, source: hub() }) },
      { title: "open copy", declare: () => llama8b({ precision: "fp8", source: hub() }) },
      { title: "a copy of one's own", declare: () => llama8b({ source: hub({ repository: "acme/llama-8b" }) }) },
    ],
  },
});

/** Of somebody else's copy nobody knows whether it is. */
function isGated({ model }: ResolvedVllm): boolean {
  const published = findArtefacts({ model: model.id, engine: "vllm" });
  const known =
    model.repository === model.id || published.some((a) => a.repository === model.repository && a.gated !== false);
  return model.gated && known;
}

/** POD-13 */
export const manyPulls = vllmRule({
  id: "vllm.source.rate-limited",
  severity: "warning",
  reason: "Every new replica downloads all of the weights: the hub limits that (429), and each scale-out waits for it.",
  reference: "Hugging Face hub rate limits; case POD-13",
  check: (service) =>
    service.source.kind === "hub" && service.modelPath === null && service.scaling.max > 1
      ? [
          {
            at: "source",
            message: `up to ${service.scaling.max} replicas download ${service.model.repository} from the hub, each for itself`,
            remedy: "give cache: nvmeCache({ source }), or source: s3(...)",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "scaled", declare: () => llama8b({ scaling: onQueue({ min: 1, max: 8 }) }), at: "source" },
      { title: "two", declare: () => llama8b({ ...qwen, source: openHub, scaling: fixed(2) }), at: "source" },
    ],
    good: [
      { title: "one", declare: () => llama8b({}) },
      {
        title: "cached on the node",
        declare: () =>
          llama8b({ source: gatedHub, cache: nvmeCache({ source: gatedHub }), scaling: onQueue({ min: 1, max: 8 }) }),
      },
      { title: "S3", declare: () => llama8b({ source: bucket, scaling: fixed(2) }) },
    ],
  },
});

export const unpinnedRevision = vllmRule({
  id: "vllm.source.unpinned",
  severity: "warning",
  reason:
    "A branch or tag moves: the next replica may serve other weights than the first, and nobody sees it in a diff.",
  reference: "Hugging Face hub, revisions",
  check: (service, { production }) => {
    if (!readsHub(service) || isPinned(service)) return [];
    const { revision } = service.model;
    const what =
      revision === null ? "has no revision, so the newest commit is served" : `is at "${revision}", which is no commit`;
    return [
      {
        at: sourcePath(service, "revision"),
        message: `${service.model.repository} ${what}`,
        remedy: "give hub({ revision }) the commit, 40 hexadecimal digits, or keep a copy in S3",
        ...(production ? {} : { severity: "info" as const }),
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "none, in production",
        declare: () => llama8b({ source: hub({ token: secretKey("hf-token", "token") }) }),
        at: "source.revision",
        context: { production: true },
      },
      {
        title: "branch, in production",
        declare: () => llama8b({ ...qwen, source: hub({ revision: "main" }) }),
        at: "source.revision",
        context: { production: true },
      },
      {
        title: "cache, in development",
        declare: () => llama8b({ ...qwen, source: hub(), cache: nvmeCache({ source: hub() }) }),
        at: "cache.source.revision",
        severity: "info",
      },
    ],
    good: [
      { title: "commit", declare: () => llama8b({}), context: { production: true } },
      { title: "S3", declare: () => llama8b({ source: bucket }), context: { production: true } },
    ],
  },
});

function isPinned(service: ResolvedVllm): boolean {
  return /^[0-9a-f]{40}$/.test(service.model.revision ?? "");
}

export const remoteCode = vllmRule({
  id: "vllm.trust-remote-code",
  severity: "error",
  reason:
    "Whoever can write to the model repository runs code in the pod, beside the weights and the requests of your users.",
  reference: "Hugging Face transformers, trust_remote_code",
  check: (service, { production }) =>
    service.trustRemoteCode
      ? [
          {
            at: "trustRemoteCode",
            message: `code of ${service.model.repository} runs in the engine`,
            remedy:
              "leave it out: vLLM has most architectures itself; else read the code at a pinned revision and acknowledge this rule",
            ...(production ? {} : { severity: "warning" as const }),
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "production",
        declare: () => llama8b({ trustRemoteCode: true }),
        at: "trustRemoteCode",
        context: { production: true },
      },
      {
        title: "development",
        declare: () => llama8b({ trustRemoteCode: true }),
        at: "trustRemoteCode",
        severity: "warning",
      },
    ],
    good: [{ title: "off", declare: () => llama8b({ trustRemoteCode: false }), context: { production: true } }],
  },
});

export const remoteCodeUnpinned = vllmRule({
  id: "vllm.trust-remote-code.unpinned",
  severity: "error",
  reason: "Code that was read today is not the code that a moving branch brings tomorrow.",
  reference: "Hugging Face transformers, code_revision",
  check: (service) =>
    service.trustRemoteCode && readsHub(service) && !isPinned(service)
      ? [
          {
            at: sourcePath(service, "revision"),
            message: `trustRemoteCode runs whatever ${service.model.repository} has at ${service.model.revision ?? "its newest commit"}`,
            remedy: "give hub({ revision }) the commit whose code you read",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "no revision",
        declare: () => llama8b({ ...qwen, source: hub(), trustRemoteCode: true }),
        at: "source.revision",
      },
      {
        title: "branch",
        declare: () => llama8b({ ...qwen, source: hub({ revision: "main" }), trustRemoteCode: true }),
        at: "source.revision",
      },
    ],
    good: [
      { title: "commit", declare: () => llama8b({ ...qwen, source: openHub, trustRemoteCode: true }) },
      {
        title: "a copy of one's own",
        declare: () => llama8b({ ...qwen, source: s3("models-bucket/qwen3-8b"), trustRemoteCode: true }),
      },
    ],
  },
});

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** CACHE-08 */
export const s3Location = vllmRule({
  id: "vllm.source.s3-invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The loader lists what is below the prefix: without one it takes the whole bucket, with a stray slash it finds nothing.",
  reference: "Amazon S3 bucket naming rules; vLLM runai_streamer",
  check: (service) => {
    const { source } = service;
    if (source.kind !== "s3") return [];
    const bad = typeof source.bucket === "string" && !BUCKET.test(source.bucket);
    const slash = source.prefix.startsWith("/") || source.prefix.endsWith("/") || source.prefix.includes("//");
    return [
      ...(bad
        ? [
            {
              at: sourcePath(service, "bucket"),
              message: `"${source.bucket}" is not the name of a bucket`,
              remedy: 'write s3("bucket/prefix"), without arn: or https:',
            },
          ]
        : []),
      ...(source.prefix === ""
        ? [
            {
              at: sourcePath(service, "prefix"),
              message: "no prefix, so all of the bucket is one model",
              remedy: 'write s3("bucket/prefix")',
            },
          ]
        : []),
      ...(slash
        ? [
            {
              at: sourcePath(service, "prefix"),
              message: `prefix "${source.prefix}" has an empty part`,
              remedy: `write "${source.prefix.split("/").filter(Boolean).join("/")}"`,
            },
          ]
        : []),
    ];
  },
  examples: {
    bad: [
      { title: "bucket alone", declare: () => llama8b({ source: s3("models-bucket") }), at: "source.prefix" },
      {
        title: "slash at the end",
        declare: () => llama8b({ source: s3({ bucket: "models-bucket", prefix: "llama/" }) }),
        at: "source.prefix",
      },
      {
        title: "ARN",
        declare: () => llama8b({ source: s3({ bucket: "arn:aws:s3:::models-bucket", prefix: "llama" }) }),
        at: "source.bucket",
      },
      {
        title: "of a cache",
        declare: () => llama8b({ source: gatedHub, cache: nvmeCache({ source: s3("models-bucket") }) }),
        at: "cache.source.prefix",
      },
    ],
    good: [{ title: "bucket and prefix", declare: () => llama8b({ source: bucket }) }],
  },
});
