import { engine as engineFacts } from "@capstan/catalog";
import { gpuPool } from "../../pool/declare.ts";
import { onnxRule } from "../rule.ts";
import { bge, classifier, graviton, phi } from "./examples.ts";

const size = { min: 1, max: 2 };

const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size });

const phiFiles = { repository: "acme/phi-3-mini-onnx", path: "model.onnx", bytes: 2_720_000_000 };

export const gpuUnused = onnxRule({
  id: "onnx.pool.gpu",
  severity: "error",
  reason:
    "None of the ONNX servers here is started with a GPU: the pod would pay for one and compute on the host's CPU, which has neither AMX nor AVX-512.",
  reference: "EC2 accelerated computing instance types",
  check: ({ pool }) =>
    pool.kind === "gpu"
      ? [
          {
            at: "pool",
            message: `pool ${pool.name} (${pool.instanceTypes[0]}) has GPUs that nothing in this service uses`,
            remedy: "use a cpuPool, or declare the service with vllm()",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "L4", declare: () => phi({ pool: l4 }), at: "pool" }],
    good: [{ title: "c7i", declare: () => phi({}) }],
  },
});

/** facts/serving.md D5 */
export const generativeOnTriton = onnxRule({
  id: "onnx.engine.generative-on-triton",
  severity: "error",
  acknowledgeable: false,
  reason:
    "A generative ONNX model is not one call of a session: it needs a KV cache and a sampling loop, which the ONNX Runtime backend does not have.",
  reference: "microsoft/onnxruntime-genai README; triton-inference-server/onnxruntime_backend",
  check: ({ engine, task, model }) => {
    if (engine !== "triton") return [];
    const generates =
      task === "text-generation" || (model.facts?.generative === true && task !== "embeddings" && task !== "rerank");
    return generates
      ? [
          {
            at: "engine",
            message: `Triton with ONNX Runtime cannot generate text with ${model.id}`,
            remedy: 'leave engine out for OpenVINO Model Server (engine: "ovms"), or use vllm()',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "Phi-3", declare: () => phi({ engine: "triton", artefact: phiFiles }), at: "engine" },
      {
        title: "called a tensor model",
        declare: () => phi({ engine: "triton", task: "tensor", artefact: phiFiles }),
        at: "engine",
      },
    ],
    good: [
      { title: "OpenVINO Model Server", declare: () => phi({ engine: "ovms" }) },
      { title: "classifier", declare: () => classifier({}) },
    ],
  },
});

/** facts/serving.md D1 */
export const generativeOnTei = onnxRule({
  id: "onnx.engine.generative-on-tei",
  severity: "error",
  acknowledgeable: false,
  reason: "Text Embeddings Inference has embeddings, rerank and classification, and no endpoint that generates text.",
  reference: "huggingface/text-embeddings-inference README",
  check: ({ engine, task, model }) =>
    engine === "tei" && (task === "text-generation" || task === "tensor")
      ? [
          {
            at: "engine",
            message: `TEI cannot do ${task} with ${model.id}; it does embeddings, rerank and classification`,
            remedy: `leave engine out for ${task === "tensor" ? "Triton" : "OpenVINO Model Server"}`,
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "text generation", declare: () => phi({ engine: "tei", artefact: phiFiles }), at: "engine" },
      { title: "tensors", declare: () => classifier({ engine: "tei", task: "tensor" }), at: "engine" },
    ],
    good: [{ title: "embeddings", declare: () => bge({ engine: "tei" }) }],
  },
});

export const encoderGenerates = onnxRule({
  id: "onnx.task.encoder-generates",
  severity: "error",
  acknowledgeable: false,
  reason: "An encoder has no output head and keeps no KV cache: it cannot continue a text.",
  reference: "architecture of the model's config.json",
  check: ({ task, model }) =>
    task === "text-generation" && model.facts?.generative === false
      ? [
          {
            at: "task",
            message: `${model.id} (${model.facts.architecture}) is an encoder and generates no text`,
            remedy: 'leave task out, or use "embeddings", "rerank" or "classification"',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "BGE",
        declare: () => bge({ task: "text-generation", artefact: { repository: "acme/bge-ov", bytes: 130_000_000 } }),
        at: "task",
      },
    ],
    good: [{ title: "embeddings", declare: () => bge({ task: "embeddings" }) }],
  },
});

/** facts/serving.md D2 */
export const teiPrecision = onnxRule({
  id: "onnx.precision.tei",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The ONNX backend of TEI takes float32 only; another --dtype ends at start, and a smaller export is loaded as float32 from a file of the right name.",
  reference: "huggingface/text-embeddings-inference backends/ort/src/lib.rs",
  check: ({ engine, precision }) =>
    engine === "tei" && precision !== "fp32"
      ? [
          {
            at: "precision",
            message: `TEI on CPU serves fp32, not ${precision}`,
            remedy: `leave precision out, or use engine: "ovms" for ${precision}`,
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "int8",
        declare: () =>
          bge({
            precision: "int8",
            artefact: { repository: "acme/bge-int8", path: "onnx/model.onnx", bytes: 34_000_000 },
          }),
        at: "precision",
      },
    ],
    good: [{ title: "fp32", declare: () => bge({ precision: "fp32" }) }],
  },
});

export const noArmImage = onnxRule({
  id: "onnx.engine.no-arm-image",
  severity: "error",
  acknowledgeable: false,
  reason: "The image is published for x86-64 only: on Graviton its first process ends with exec format error.",
  reference: "Docker Hub, tags of openvino/model_server",
  check: ({ engine, pool, origins }) =>
    engine !== "custom" &&
    pool.arch === "arm64" &&
    engineFacts(engine).image.tags.arm64 === undefined &&
    origins["image.repository"]?.from !== "given"
      ? [
          {
            at: "engine",
            message: `${engineFacts(engine).title} has no arm64 image; pool ${pool.name} is ${pool.instanceTypes[0]}`,
            remedy: "use a pool of x86-64 types, another engine, or an image of your own",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "OpenVINO on Graviton", declare: () => phi({ pool: graviton }), at: "engine" }],
    good: [
      { title: "TEI on Graviton", declare: () => bge({ pool: graviton }) },
      {
        title: "own build",
        declare: () => phi({ pool: graviton, image: { repository: "acme/model_server", tag: "2026.2-arm64" } }),
      },
    ],
  },
});

export const contextBeyondModel = onnxRule({
  id: "onnx.context.beyond-model",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Positions that the model was not made for give nonsense or an error, and their KV cache is paid for all the same.",
  reference: "max_position_embeddings of the model's config.json",
  check: ({ contextTokens, model }) => {
    const longest = model.facts?.maxPositionEmbeddings;
    return contextTokens !== null && longest !== undefined && contextTokens > longest
      ? [
          {
            at: "contextTokens",
            message: `${contextTokens} tokens; ${model.id} has ${longest}`,
            remedy: `use contextTokens: ${longest} or less, or a model with a longer context`,
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "128 thousand on a 4k model", declare: () => phi({ contextTokens: 131_072 }), at: "contextTokens" }],
    good: [{ title: "the model's own", declare: () => phi({ contextTokens: 4096, concurrency: 4 }) }],
  },
});

/** Sequences that OpenVINO Model Server batches unless told otherwise. */
const DEFAULT_SEQUENCES = 256;

export const absurdConcurrency = onnxRule({
  id: "onnx.concurrency.absurd",
  severity: "warning",
  reason:
    "Decoding on a CPU is bound by memory bandwidth: past a few dozen sequences each gets slower by as much as there are more, and every one reserves KV cache.",
  reference: "openvinotoolkit/model_server docs/parameters.md, max_num_seqs 256",
  check: ({ concurrency, task }) =>
    task === "text-generation" && concurrency > DEFAULT_SEQUENCES
      ? [
          {
            at: "concurrency",
            message: `${concurrency} sequences at once on one CPU pod; the server's own default is ${DEFAULT_SEQUENCES}`,
            remedy: "use a few dozen and more replicas",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "a thousand", declare: () => phi({ concurrency: 1000, contextTokens: 128 }), at: "concurrency" }],
    good: [{ title: "sixteen", declare: () => phi({ concurrency: 16, contextTokens: 2048 }) }],
  },
});
