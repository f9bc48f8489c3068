import { type ArtefactEngine, findArtefacts } from "@capstan/catalog";
import { hub, s3 } from "../../model/source.ts";
import type { ResolvedOnnx } from "../../service/resolved.ts";
import { onnxRule } from "../rule.ts";
import { bge, classifier, phi } from "./examples.ts";

const TEI_FILES = ["model.onnx", "onnx/model.onnx"];

/** facts/serving.md D2 */
export const teiFileName = onnxRule({
  id: "onnx.artefact.tei-file",
  severity: "error",
  acknowledgeable: false,
  reason:
    "TEI opens model.onnx or onnx/model.onnx and no other name; without one it falls back to a slower backend or ends.",
  reference: "huggingface/text-embeddings-inference backends/ort/src/lib.rs",
  check: ({ engine, model }) =>
    engine === "tei" && model.path !== null && !TEI_FILES.includes(model.path)
      ? [
          {
            at: "artefact.path",
            message: `TEI does not open ${model.path}; valid are ${TEI_FILES.join(" and ")}`,
            remedy:
              'copy the file to that name in a prefix of your own and use source: s3(...), or use engine: "triton"',
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "quantised export under its own name",
        declare: () =>
          bge({
            artefact: { repository: "Xenova/bge-small-en-v1.5", path: "onnx/model_quantized.onnx", bytes: 34_000_000 },
          }),
        at: "artefact.path",
      },
    ],
    good: [
      { title: "the catalog's", declare: () => bge({}) },
      {
        title: "at the top",
        declare: () => bge({ artefact: { repository: "acme/bge-small", path: "model.onnx", bytes: 133_000_000 } }),
      },
    ],
  },
});

type Format = "safetensors" | "pytorch" | "gguf" | "onnx" | "onnx-genai" | "openvino-ir";

/** What each server reads. TEI falls back to safetensors where there is no ONNX file. */
const READS: ReadonlyMap<string, readonly Format[]> = new Map(
  Object.entries({
    ovms: ["openvino-ir", "onnx"],
    triton: ["onnx"],
    tei: ["onnx", "safetensors", "pytorch"],
  }),
);

const ENGINES: readonly ArtefactEngine[] = ["ovms", "triton", "tei", "vllm", "vllm-cpu", "onnxruntime-genai"];

const EXTENSIONS: readonly (readonly [RegExp, Format])[] = [
  [/\.gguf$/i, "gguf"],
  [/\.safetensors$/i, "safetensors"],
  [/\.(bin|pt|pth)$/i, "pytorch"],
  [/\.onnx$/i, "onnx"],
  [/\.xml$/i, "openvino-ir"],
];

/** How publishers name their conversions. */
const NAMES: readonly (readonly [RegExp, Format])[] = [
  [/gguf/i, "gguf"],
  [/(^OpenVINO\/|-ov$|openvino)/i, "openvino-ir"],
  [/(-awq|-gptq|w4a16|w8a8|-fp8|nvfp4|bnb-4bit)/i, "safetensors"],
];

/** By file name, then by what the catalog read of the repository, then by how such repositories are named; null: not known. */
function formatOf({ engine, model, source }: ResolvedOnnx): Format | null {
  const byFile = EXTENSIONS.find(([pattern]) => pattern.test(model.path ?? ""));
  if (byFile) return byFile[1];
  if (source.kind !== "hub") return null;
  const published = ENGINES.flatMap((name) => findArtefacts({ model: model.id, engine: name })).filter(
    (a) => a.repository === model.repository,
  );
  // A repository may hold several formats, of which the server takes its own.
  const own = published.find((a) => a.engine === engine) ?? published[0];
  if (own) return own.format;
  return NAMES.find(([pattern]) => pattern.test(model.repository))?.[1] ?? null;
}

/** facts/serving.md D2 to D5 */
export const wrongFormat = onnxRule({
  id: "onnx.artefact.format",
  severity: "error",
  reason:
    "A server opens the formats that it was built for; weights in another end it at start, after the whole download.",
  reference:
    "openvinotoolkit/model_server docs/models_repository.md; triton-inference-server/onnxruntime_backend README",
  check: (service) => {
    const format = formatOf(service);
    const reads = READS.get(service.engine);
    if (format === null || reads === undefined || reads.includes(format)) return [];
    const { model, engine } = service;
    return [
      {
        at: service.origins.artefact ? "artefact" : "source",
        message: `${model.repository}${model.path === null ? "" : `/${model.path}`} is ${format}; ${engine} reads ${reads.join(", ")}`,
        remedy:
          format === "safetensors" || format === "pytorch"
            ? "convert it, name a converted repository, or use vllm()"
            : "name a repository in one of these formats",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "vLLM's checkpoint for OpenVINO",
        declare: () => phi({ source: hub({ repository: "microsoft/Phi-3-mini-4k-instruct" }) }),
        at: "source",
      },
      { title: "GGUF", declare: () => phi({ source: hub({ repository: "acme/Phi-3-mini-GGUF" }) }), at: "source" },
      {
        title: "PyTorch file on Triton",
        declare: () =>
          classifier({ artefact: { repository: "acme/fraud", path: "pytorch_model.bin", bytes: 420_000_000 } }),
        at: "artefact",
      },
      {
        title: "OpenVINO repository on Triton",
        declare: () =>
          bge({
            engine: "triton",
            precision: "int8",
            source: hub({ repository: "OpenVINO/bge-base-en-v1.5-int8-ov" }),
            artefact: {
              repository: "OpenVINO/bge-base-en-v1.5-int8-ov",
              path: "openvino_model.xml",
              bytes: 109_482_240,
            },
          }),
        at: "artefact",
      },
    ],
    good: [
      { title: "the catalog's export", declare: () => phi({}) },
      { title: "an export of one's own", declare: () => phi({ source: s3("models-bucket/phi-3-mini-int4-ov") }) },
      {
        title: "ONNX file on Triton",
        declare: () => classifier({ artefact: { repository: "acme/fraud", path: "model.onnx", bytes: 420_000_000 } }),
      },
    ],
  },
});
