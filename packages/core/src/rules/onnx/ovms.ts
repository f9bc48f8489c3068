import { nvmeCache } from "../../cache/props.ts";
import { hub, s3 } from "../../model/source.ts";
import { cpuPool } from "../../pool/declare.ts";
import { onnxRule } from "../rule.ts";
import { bge, phi } from "./examples.ts";

const size = { min: 1, max: 2 };

const withDisks = cpuPool({ name: "i7ie", instanceTypes: ["i7ie.3xlarge"], localStorage: "raid0", size });

/** OpenVINO Model Server pulls it itself: no cache, no S3, and a task that it configures. */
function isPulled(service: { readonly engine: string; readonly modelPath: string | null }): boolean {
  return service.engine === "ovms" && service.modelPath === null;
}

/** facts/serving.md D4 */
export const localEmbeddings = onnxRule({
  id: "onnx.engine.ovms-local-encoder",
  severity: "error",
  acknowledgeable: false,
  reason:
    "For weights that are there already only the graph of text generation is written; embeddings and rerank are configured by the server's own pull from the hub.",
  reference: "openvinotoolkit/model_server docs/parameters.md, --task embeddings and rerank",
  check: (service) =>
    service.engine === "ovms" && (service.task === "embeddings" || service.task === "rerank") && !isPulled(service)
      ? [
          {
            at: service.cache === null ? "source" : "cache",
            message: `OpenVINO Model Server with task ${service.task} takes its model from the hub, not from ${service.cache === null ? "S3" : "a cache"}`,
            remedy: `use engine: "tei", or leave ${service.cache === null ? "source" : "cache"} out`,
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "embeddings from S3",
        declare: () => bge({ engine: "ovms", source: s3("models-bucket/bge-small-ov"), precision: "int8" }),
        at: "source",
      },
      {
        title: "rerank from a claim",
        declare: () =>
          bge({
            engine: "ovms",
            task: "rerank",
            precision: "int8",
            cache: { kind: "claim-cache", claimName: "models", accessMode: "ReadOnlyMany", path: "bge" },
          }),
        at: "cache",
      },
    ],
    good: [
      { title: "embeddings pulled from the hub", declare: () => bge({ engine: "ovms", precision: "int8" }) },
      { title: "text generation from S3", declare: () => phi({ source: s3("models-bucket/phi-3-mini-int4-ov") }) },
    ],
  },
});

export const pulledFile = onnxRule({
  id: "onnx.engine.ovms-pulls-repository",
  severity: "error",
  acknowledgeable: false,
  reason:
    "OpenVINO Model Server pulls a whole repository and looks for the model and its tokenizer at the top; a file below is not found.",
  reference: "openvinotoolkit/model_server docs/pull_hf_models.md",
  check: (service) =>
    isPulled(service) && service.model.path !== null
      ? [
          {
            at: service.origins.artefact ? "artefact" : "engine",
            message: `the model is ${service.model.path} inside ${service.model.repository}, which the server cannot pick out`,
            remedy: 'name a repository that is an OpenVINO export (hub({ repository })), or use engine: "tei"',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "a file of a PyTorch repository",
        declare: () => bge({ model: "sentence-transformers/all-MiniLM-L6-v2", engine: "ovms", precision: "int8" }),
        at: "engine",
      },
    ],
    good: [{ title: "an export", declare: () => bge({ engine: "ovms", precision: "int8" }) }],
  },
});

export const revisionIgnored = onnxRule({
  id: "onnx.revision.ignored",
  severity: "error",
  reason:
    "OpenVINO Model Server pulls the newest commit and has no option for another: the pinned one would be written down and not used.",
  reference: "openvinotoolkit/model_server docs/parameters.md, --source_model",
  check: (service) =>
    isPulled(service) && service.source.kind === "hub" && service.source.revision !== null
      ? [
          {
            at: "source.revision",
            message: `revision ${service.source.revision} is not used: the server pulls the newest of ${service.model.repository}`,
            remedy: "put that revision into a cache (nvmeCache) or S3, or remove revision",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "pinned", declare: () => phi({ source: hub({ revision: "a1b2c3d" }) }), at: "source.revision" }],
    good: [
      { title: "newest", declare: () => phi({ source: hub() }) },
      { title: "TEI takes one", declare: () => bge({ source: hub({ revision: "a1b2c3d" }) }) },
      {
        title: "pinned in a cache",
        declare: () => phi({ pool: withDisks, cache: nvmeCache({ source: hub({ revision: "a1b2c3d" }) }) }),
      },
    ],
  },
});
