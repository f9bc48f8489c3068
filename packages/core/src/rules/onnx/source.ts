import { findArtefacts } from "@capstan/catalog";
import { claimCache } from "../../cache/props.ts";
import { hub, s3, secretKey } from "../../model/source.ts";
import type { ResolvedOnnx } from "../../service/resolved.ts";
import { onnxRule } from "../rule.ts";
import { bge, phi } from "./examples.ts";

const COMMIT = /^[0-9a-f]{40}$/;
const commit = "0123456789abcdef0123456789abcdef01234567";
const gemma = { name: "gemma-7b", model: "google/gemma-7b" } as const;

/** True where something downloads from the hub: the server, the pod's own download, or the preloader of its cache. */
function readsHub({ source, cache }: ResolvedOnnx): boolean {
  return source.kind === "hub" && cache?.kind !== "claim";
}

/** The property that the source was written in. */
function sourcePath({ cache }: ResolvedOnnx, below: string): string {
  return `${cache?.kind === "nvme" ? "cache.source" : "source"}.${below}`;
}

/** Of somebody else's copy nobody knows whether it is. */
function isGated({ model, engine }: ResolvedOnnx): boolean {
  if (model.repository === model.id) return model.facts?.gated === true;
  if (engine === "custom") return false;
  return findArtefacts({ model: model.id, engine }).some((a) => a.repository === model.repository && a.gated === true);
}

/** POD-13 */
export const gatedWithoutToken = onnxRule({
  id: "onnx.source.gated",
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
      {
        title: "the gated model's own repository",
        declare: () => phi({ ...gemma, source: hub({ repository: "google/gemma-7b" }) }),
        at: "source.token",
      },
    ],
    good: [
      {
        title: "token",
        declare: () =>
          phi({ ...gemma, source: hub({ repository: "google/gemma-7b", token: secretKey("hf-token", "token") }) }),
      },
      { title: "an open conversion", declare: () => phi({}) },
      { title: "S3", declare: () => phi({ ...gemma, source: s3("models-bucket/gemma-7b-int4-ov") }) },
    ],
  },
});

/** PUL-09 kind: what runs must not change without a change of the program. */
export const unpinnedRevision = onnxRule({
  id: "onnx.source.unpinned",
  severity: "warning",
  reason:
    "A branch or tag moves: the next replica may serve other weights than the first, and nobody sees it in a diff.",
  reference: "Hugging Face hub, revisions",
  check: (service, { production }) => {
    const { source, model, engine, modelPath } = service;
    if (source.kind !== "hub" || !readsHub(service) || COMMIT.test(source.revision ?? "")) return [];
    const pulls = engine === "ovms" && modelPath === null;
    return [
      {
        at: sourcePath(service, "revision"),
        message: `${model.repository} ${source.revision === null ? "has no revision, so the newest commit is served" : `is at "${source.revision}", which is no commit`}`,
        remedy: pulls
          ? "keep a copy in S3 (source: s3(...)): the server pulls the newest and takes no revision"
          : "give hub({ revision }) the commit, 40 hexadecimal digits, or keep a copy in S3",
        ...(production ? {} : { severity: "info" as const }),
      },
    ];
  },
  examples: {
    bad: [
      { title: "none, in production", declare: () => bge({}), context: { production: true }, at: "source.revision" },
      {
        title: "branch, in production",
        declare: () => bge({ source: hub({ revision: "main" }) }),
        context: { production: true },
        at: "source.revision",
      },
      { title: "in development", declare: () => phi({}), severity: "info", at: "source.revision" },
    ],
    good: [
      { title: "commit", declare: () => bge({ source: hub({ revision: commit }) }), context: { production: true } },
      { title: "S3", declare: () => phi({ source: s3("models-bucket/phi") }), context: { production: true } },
      {
        title: "claim",
        declare: () => bge({ cache: claimCache({ claimName: "models", accessMode: "ReadOnlyMany", path: "bge" }) }),
        context: { production: true },
      },
    ],
  },
});

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** CACHE-08 kind */
export const invalidS3 = onnxRule({
  id: "onnx.source.s3-invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "What is below the prefix is downloaded: without one that is the whole bucket, with a stray slash it is nothing.",
  reference: "Amazon S3 bucket naming rules; aws s3 sync",
  check: (service) => {
    const { source } = service;
    if (source.kind !== "s3" || service.cache?.kind === "claim") return [];
    const hits = [];
    if (typeof source.bucket === "string" && !BUCKET.test(source.bucket)) {
      hits.push({
        at: sourcePath(service, "bucket"),
        message: `"${source.bucket}" is not the name of a bucket`,
        remedy: 'write s3("bucket/prefix"), without arn: or https:',
      });
    }
    const parts = source.prefix.split("/");
    if (parts.includes("")) {
      hits.push({
        at: sourcePath(service, "prefix"),
        message:
          source.prefix === ""
            ? "no prefix, so all of the bucket is one model"
            : `prefix "${source.prefix}" has an empty part`,
        remedy: `write ${source.prefix === "" ? 's3("bucket/prefix")' : `"${parts.filter((part) => part !== "").join("/")}"`}`,
      });
    }
    return hits;
  },
  examples: {
    bad: [
      { title: "bucket alone", declare: () => phi({ source: s3("models-bucket") }), at: "source.prefix" },
      {
        title: "doubled slash",
        declare: () => phi({ source: s3({ bucket: "models-bucket", prefix: "phi//int4" }) }),
        at: "source.prefix",
      },
      {
        title: "ARN",
        declare: () => phi({ source: s3({ bucket: "arn:aws:s3:::models", prefix: "phi" }) }),
        at: "source.bucket",
      },
    ],
    good: [
      { title: "prefix", declare: () => phi({ source: s3("models-bucket/phi-3-mini-int4-ov") }) },
      {
        title: "scheme and slash at the end, which s3() takes off",
        declare: () => phi({ source: s3("s3://models-bucket/phi/") }),
      },
    ],
  },
});
