import {
  type ArtefactFacts,
  artefactModelIds,
  findArtefacts,
  findModel,
  type ModelFacts,
  modelIds,
  nearest,
  type Precision,
  type ServingEngine,
} from "@capstan/catalog";
import type { Finding } from "../finding.ts";
import { showIdentity } from "../ref.ts";
import type { ResolvedModel, ResolvedSource } from "../service/resolved.ts";
import { slug } from "../slug.ts";
import { type ModelRef, modelId } from "./model.ts";
import type { ModelSource } from "./source.ts";

export interface ModelRequest {
  readonly model: ModelRef;
  readonly engine: ServingEngine | null;
  readonly precision: Precision;
  readonly source: ModelSource;
  /** Artefact that the declaration names itself. */
  readonly artefact?: { readonly repository: string; readonly path?: string; readonly bytes: number } | undefined;
  /** Path of the finding: `services.x`. */
  readonly path: string;
}

export interface ModelValues {
  readonly model: ResolvedModel | null;
  readonly source: ResolvedSource | null;
  readonly artefact: ArtefactFacts | null;
  readonly findings: readonly Finding[];
}

/** What the catalog knows of a model, in any of the ways a declaration can name it. */
export function modelFacts(model: ModelRef): ModelFacts | null {
  return typeof model === "string" ? (findModel(model) ?? null) : (model.facts ?? null);
}

export function resolveModel(request: ModelRequest): ModelValues {
  const id = modelId(request.model);
  const unknown = unknownModel(request);
  if (unknown) return { model: null, source: null, artefact: null, findings: [unknown] };
  const artefact = pickArtefact(request);
  const { source } = request;
  const repository =
    request.artefact?.repository ?? (source.kind === "hub" ? source.repository : undefined) ?? artefact?.repository;
  if (source.kind === "hub" && repository === undefined) {
    return { model: null, source: null, artefact: null, findings: [noArtefact(request)] };
  }
  const model: ResolvedModel = {
    id,
    slug: slug(id),
    facts: modelFacts(request.model),
    repository: source.kind === "hub" ? (repository ?? "") : `${showIdentity(source.bucket)}/${source.prefix}`,
    path: request.artefact?.path ?? artefact?.path ?? null,
    revision: source.kind === "hub" ? (source.revision ?? null) : null,
    weightsBytes: weightsBytes(request, artefact),
    gated: source.kind === "hub" && (artefact?.gated ?? modelFacts(request.model)?.gated ?? false),
  };
  return { model, source: resolveSource(source, repository), artefact, findings: [] };
}

function resolveSource(source: ModelSource, repository: string | undefined): ResolvedSource {
  if (source.kind === "s3") return { kind: "s3", bucket: source.bucket, prefix: source.prefix };
  return {
    kind: "hub",
    repository: repository ?? "",
    revision: source.revision ?? null,
    token: source.token ?? null,
  };
}

function unknownModel(request: ModelRequest): Finding | null {
  if (typeof request.model !== "string") return null;
  const id: string = request.model;
  const known = [...modelIds, ...artefactModelIds] as readonly string[];
  if (findModel(id) || known.includes(id)) return null;
  const near = nearest(id, known);
  return {
    id: "model.unknown",
    severity: "error",
    path: `${request.path}.model`,
    message: `"${id}" is not a model of the catalog${near ? `; did you mean "${near}"?` : ""}`,
    remedy: `write ${near ? `"${near}"` : "a known id"}, or describe it with customModel({ id, weightsBytes, facts })`,
    reference: null,
    acknowledged: null,
  };
}

function noArtefact(request: ModelRequest): Finding {
  const id = modelId(request.model);
  const others = request.engine
    ? [...new Set(findArtefacts({ model: id, engine: request.engine }).map((a) => a.precision))]
    : [];
  return {
    id: "model.artefact.unknown",
    severity: "error",
    path: `${request.path}.precision`,
    message: `no published repository of ${id} in ${request.precision} is known for ${request.engine ?? "this server"}${others.length ? `; known: ${others.join(", ")}` : ""}`,
    remedy: others.length
      ? `use precision "${others[0]}", or name the repository with source: hub({ repository: "owner/name" }) or s3("bucket/prefix")`
      : `name it with source: hub({ repository: "owner/name" }), artefact: { repository, path, bytes }, or s3("bucket/prefix")`,
    reference: null,
    acknowledged: null,
  };
}

/** What was seen in a source before what was remembered; for TEI the ONNX file before the fallback that needs none. */
function pickArtefact(request: ModelRequest): ArtefactFacts | null {
  if (request.engine === null) return null;
  const found = findArtefacts({ model: modelId(request.model), engine: request.engine, precision: request.precision });
  const rank = (a: ArtefactFacts) =>
    (a.confidence === "read" ? 0 : 8) +
    (request.engine === "tei" && a.format !== "onnx" ? 4 : 0) +
    // The model's own repository before a conversion of somebody else.
    (a.repository === modelId(request.model) ? 0 : 1);
  return [...found].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

function weightsBytes(request: ModelRequest, artefact: ArtefactFacts | null): number | null {
  if (request.artefact) return request.artefact.bytes;
  if (request.source.kind === "s3" && request.source.bytes !== undefined) return request.source.bytes;
  if (typeof request.model !== "string") return request.model.weightsBytes;
  return artefact?.bytes ?? null;
}
