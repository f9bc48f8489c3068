import type { RawArtefact } from "./raw.ts";

export function artefactsDocument(raw: readonly RawArtefact[]): object {
  const ranked = raw.map((artefact, position) => ({
    record: artefactRecord(artefact),
    rank: rank(artefact),
    position,
  }));
  ranked.sort(
    (a, b) =>
      compare(a.record.model, b.record.model) ||
      compare(a.record.engine, b.record.engine) ||
      compare(a.record.precision, b.record.precision) ||
      a.rank - b.rank ||
      a.position - b.position,
  );
  return {
    asOf: "2026-11-30",
    sources: [
      "Hugging Face model pages and file lists, and the catalogues and documentation of the serving projects: each record names its own",
    ],
    notes: [
      "model is the model whose weights the repository holds. Within one model, engine and precision the one to take comes first: read before doubtful before recalled, made for this hardware, by the model's author or the engine's, and for Text Embeddings Inference the ONNX file.",
      "revision is null throughout: none was read. Pin one when deploying.",
      "minComputeCapability is the lowest of the engine's fast path; null where the engine runs on CPU or the artefact is for AMD.",
    ],
    artefacts: ranked.map(({ record }) => record),
  };
}

function artefactRecord(artefact: RawArtefact) {
  return {
    model: artefact.alias ?? artefact.model,
    engine: artefact.engine,
    precision: artefact.precision,
    repository: artefact.repository,
    revision: null,
    path: artefact.path,
    format: artefact.format,
    bytes: artefact.bytes,
    bytesBasis: bytesBasis(artefact),
    gated: artefact.gated,
    licence: artefact.licence,
    minComputeCapability: artefact.minGpu,
    confidence: doubtful(artefact) ? "doubtful" : artefact.confidence,
    source: artefact.source,
    note: artefact.note ?? null,
  };
}

function doubtful(artefact: RawArtefact): boolean {
  return /^(doubtful|weaker evidence)/.test(artefact.note ?? "") || /file names not recorded/.test(artefact.source);
}

/** Lowest first: weak evidence counts most, then hardware that our pools do not have, then who made the conversion. */
function rank(artefact: RawArtefact): number {
  const note = artefact.note ?? "";
  const otherHardware =
    /for Intel NPU|for AMD|graph for GPU/.test(note) || /arm64|(^|\/)(cuda|gpu)[-/]/.test(artefact.path ?? "");
  // The CPU image of Text Embeddings Inference runs the ONNX file and falls back to a slower path without one.
  const slowPath = artefact.engine === "tei" && artefact.format !== "onnx";
  return (
    (artefact.confidence === "recalled" ? 40 : doubtful(artefact) ? 30 : 0) +
    (otherHardware ? 20 : 0) +
    (note.startsWith("community") ? 10 : 0) +
    (slowPath ? 5 : 0) +
    (artefact.repository === (artefact.alias ?? artefact.model) ? 0 : 1)
  );
}

function bytesBasis(artefact: RawArtefact): "read" | "computed" | "recalled" | null {
  if (artefact.bytes === null) return null;
  const basis = artefact.bytesBasis ?? "";
  if (basis.startsWith("read")) return "read";
  if (basis.startsWith("recalled")) return "recalled";
  if (/^(computed|from the model configuration|same as)/.test(basis)) return "computed";
  throw new Error(`${artefact.repository}: bytes basis "${basis}" is new`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
