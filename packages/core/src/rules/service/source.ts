import { findArtefacts } from "@capstan/catalog";
import { claimCache, nvmeCache } from "../../cache/props.ts";
import { hub, s3, secretKey } from "../../model/source.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { show } from "../../shape.ts";
import { bge, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { bucket, COMMIT, gatedHub, llama8b } from "../vllm/example-services.ts";
import { isPinned, readsHub, sourcePath } from "./weights-source.ts";

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** One part of a key: what a shell, a URL and a YAML reader leave alone. */
const PREFIX_PART = /^[A-Za-z0-9._=+@-]+$/;
/** Owner and name as the hub allows them. */
const REPOSITORY = /^[A-Za-z0-9_][A-Za-z0-9._-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Commits, branches, tags and refs/pr/1: part for part what Git allows, without what a shell would read. */
const REVISION_PART = /^[A-Za-z0-9_](?:[A-Za-z0-9._+@-]*[A-Za-z0-9_+@-])?$/;
const commit = COMMIT;
const qwen = { model: "Qwen/Qwen3-8B" } as const;
const gemma = { name: "gemma-7b", model: "google/gemma-7b" } as const;

/** The model's own repository, or a copy that the catalog knows to be gated too. Of another copy nobody knows. */
function isGated(service: ResolvedService): boolean {
  const { model } = service;
  if (model.repository === model.id) return model.facts?.gated === true || model.gated;
  const engine = service.kind === "vllm" ? "vllm" : service.engine;
  if (engine === "custom") return false;
  return findArtefacts({ model: model.id, engine }).some((a) => a.repository === model.repository && a.gated === true);
}

/** POD-13 */
export const gatedWithoutToken = serviceRule({
  id: "service.source.gated",
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
      {
        title: "the gated model's own repository",
        declare: () => phi({ ...gemma, source: hub({ repository: "google/gemma-7b" }) }),
        at: "source.token",
      },
    ],
    good: [
      { title: "token", declare: () => llama8b({ source: hub({ token: secretKey("hf-token", "token") }) }) },
      { title: "S3", declare: () => llama8b({ source: bucket }) },
      { title: "cache from S3", declare: () => llama8b({ source: bucket, cache: nvmeCache({ source: bucket }) }) },
      { title: "open model", declare: () => llama8b({ ...qwen, source: hub() }) },
      { title: "open copy", declare: () => llama8b({ precision: "fp8", source: hub() }) },
      { title: "a copy of one's own", declare: () => llama8b({ source: hub({ repository: "acme/llama-8b" }) }) },
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
export const unpinnedRevision = serviceRule({
  id: "service.source.unpinned",
  severity: "warning",
  reason:
    "A branch or tag moves: the next replica may serve other weights than the first, and nobody sees it in a diff.",
  reference: "Hugging Face hub, revisions",
  check: (service, { production }) => {
    if (!readsHub(service) || isPinned(service)) return [];
    const { revision, repository } = service.model;
    const what =
      revision === null ? "has no revision, so the newest commit is served" : `is at "${revision}", which is no commit`;
    const pulls = service.kind === "onnx" && service.engine === "ovms" && service.modelPath === null;
    return [
      {
        at: sourcePath(service, "revision"),
        message: `${repository} ${what}`,
        remedy: pulls
          ? "keep a copy in S3 (source: s3(...)): the server pulls the newest and takes no revision"
          : "give hub({ revision }) the commit, 40 hexadecimal digits, or keep a copy in S3",
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
      { title: "commit", declare: () => llama8b({}), context: { production: true } },
      { title: "S3", declare: () => llama8b({ source: bucket }), context: { production: true } },
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

function isRevision(revision: string): boolean {
  return (
    !revision.includes("..") && revision.split("/").every((part) => REVISION_PART.test(part) && !part.endsWith(".lock"))
  );
}

export const invalidHub = serviceRule({
  id: "service.source.hub-invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Both become arguments of a download and a directory's name: with white space or characters of a shell it fails on every node, or does something else.",
  reference: "Hugging Face hub, repository ids; git check-ref-format",
  check: (service) => {
    const { source } = service;
    if (source.kind !== "hub") return [];
    const hits = [];
    if (!REPOSITORY.test(source.repository))
      hits.push({
        at: sourcePath(service, "repository"),
        message: `${show(source.repository)} is not a repository`,
        remedy: 'write exactly "owner/name", without https: and without a path behind it',
      });
    if (source.revision !== null && !isRevision(source.revision))
      hits.push({
        at: sourcePath(service, "revision"),
        message: `${show(source.revision)} is not a commit, tag or branch`,
        remedy: "give the commit, 40 hexadecimal digits, or leave revision out",
      });
    return hits;
  },
  examples: {
    bad: [
      ...["", "main\n", "a b", "v1\t", "main;id", "$(id)", "-x", "a..b", "a//b", "main/", "main.lock", ".x"].map(
        (revision) => ({
          title: `revision ${JSON.stringify(revision)}`,
          declare: () => llama8b({ ...qwen, source: hub({ revision }) }),
          at: "source.revision",
        }),
      ),
      ...[
        "llama-8b",
        "acme/llama/8b",
        "acme/llama 8b",
        "acme/llama\n",
        "https://huggingface.co/acme/x",
        "acme/`id`",
      ].map((repository) => ({
        title: `repository ${JSON.stringify(repository)}`,
        declare: () => llama8b({ source: hub({ repository, revision: commit }) }),
        at: "source.repository",
      })),
      {
        title: "of a cache",
        declare: () => llama8b({ ...qwen, cache: nvmeCache({ source: hub({ revision: "main branch" }) }) }),
        at: "cache.source.revision",
      },
      { title: "tab", declare: () => bge({ source: hub({ revision: "ma\tin" }) }), at: "source.revision" },
    ],
    good: [
      ...["main", commit, "v1.0", "refs/pr/12", "release-2026_01", "a@b"].map((revision) => ({
        title: `revision ${revision}`,
        declare: () => llama8b({ ...qwen, source: hub({ revision }) }),
      })),
      { title: "the catalog's repository", declare: () => bge({}) },
      {
        title: "a copy",
        declare: () => llama8b({ source: hub({ repository: "acme/llama_8b.v2-fp8", revision: commit }) }),
      },
      { title: "S3", declare: () => phi({ source: s3("models-bucket/phi") }) },
    ],
  },
});

/** CACHE-08 kind */
export const invalidS3 = serviceRule({
  id: "service.source.s3-invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "What is below the prefix is read: without one that is the whole bucket, with a stray slash it is nothing.",
  reference: "Amazon S3 bucket naming rules; aws s3 sync; vLLM runai_streamer",
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
    } else if (!parts.every((part) => PREFIX_PART.test(part) && part !== "." && part !== "..")) {
      hits.push({
        at: sourcePath(service, "prefix"),
        message: `prefix ${show(source.prefix)} has characters that a path or a shell reads as something else`,
        remedy: "use letters, digits, dashes, dots, underscores, =, + and @ between the slashes",
      });
    }
    return hits;
  },
  examples: {
    bad: [
      ...["a b", "a\tb", "a\n", "$(id)/a", "a;b", "a/../b", "./a", "a*", "a'b"].map((prefix) => ({
        title: `prefix ${JSON.stringify(prefix)}`,
        declare: () => llama8b({ source: s3({ bucket: "models-bucket", prefix }) }),
        at: "source.prefix",
      })),
      {
        title: "prefix of a cache",
        declare: () => llama8b({ cache: nvmeCache({ source: s3("models-bucket/llama 8b") }) }),
        at: "cache.source.prefix",
      },
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
      { title: "bucket and prefix", declare: () => llama8b({ source: bucket }) },
      { title: "prefix", declare: () => phi({ source: s3("models-bucket/phi-3-mini-int4-ov") }) },
      { title: "partition", declare: () => phi({ source: s3("models-bucket/v=1/Phi_3.5+mini@2") }) },
      {
        title: "scheme and slash at the end, which s3() takes off",
        declare: () => phi({ source: s3("s3://models-bucket/phi/") }),
      },
    ],
  },
});
