import { asManifest } from "@capstan/core";
import { stringify } from "yaml";
import { type JsonValue, type RecordedResource, type Recording, SECRET_TEXT, UNKNOWN_TEXT } from "../recording.ts";

export interface RenderedFile {
  /** Below the tree's root, with forward slashes. */
  readonly path: string;
  readonly content: string;
}

export interface RenderedTree {
  /** Sorted by path. */
  readonly files: readonly RenderedFile[];
  /** Objects left out because they hold secrets, and fields that only a deployment knows. */
  readonly notes: readonly string[];
}

const HELM_RELEASE = "kubernetes:helm.sh/v3:Release";
const CLUSTER_SCOPED = "_cluster";

/**
 * The Kubernetes objects of a program as files, one an object: `<namespace>/<kind>-<name>.yaml`, objects of the cluster
 * under `_cluster/`, Helm releases with their values under `helm/`. Secrets are never written.
 */
export function renderTree(recording: Recording): RenderedTree {
  const files = new Map<string, string>();
  const notes: string[] = [];
  for (const resource of recording.resources) {
    const file = resource.type === HELM_RELEASE ? releaseFile(resource) : objectFile(resource, notes);
    if (!file) continue;
    if (files.has(file.path)) notes.push(`${file.path}: two objects of that name; the later one is in the tree`);
    files.set(file.path, file.content);
    for (const at of pathsOf(resource.inputs, UNKNOWN_TEXT))
      notes.push(`${file.path}: ${at} is known only at deployment`);
  }
  return {
    files: [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => ({ path, content })),
    notes,
  };
}

function objectFile(resource: RecordedResource, notes: string[]): RenderedFile | null {
  if (!resource.custom || !resource.type.startsWith("kubernetes:")) return null;
  const manifest = asManifest(resource.inputs);
  if (!manifest) return null;
  const { name, namespace } = manifest.metadata;
  const path = `${safe(namespace ?? CLUSTER_SCOPED)}/${manifest.kind.toLowerCase()}-${safe(name)}.yaml`;
  const secret = pathsOf(resource.inputs, SECRET_TEXT);
  if (manifest.kind === "Secret" || secret.length > 0) {
    notes.push(`${path}: left out, it holds ${secret.length > 0 ? secret.join(", ") : "a Secret"}`);
    return null;
  }
  return { path, content: document(resource.inputs) };
}

function releaseFile(resource: RecordedResource): RenderedFile {
  const { name, namespace, chart, version, repositoryOpts, values, skipCrds } = resource.inputs;
  const release = {
    name: name ?? resource.name,
    namespace: namespace ?? "default",
    chart: chart ?? "",
    version: version ?? "",
    repository: (repositoryOpts as { readonly repo?: string } | undefined)?.repo ?? "",
    skipCrds: skipCrds ?? false,
    values: values ?? {},
  };
  return { path: `helm/${safe(String(release.name))}.yaml`, content: stringify(release, { lineWidth: 0 }) };
}

/** Type and name first, as people read them. */
function document(inputs: Readonly<Record<string, JsonValue>>): string {
  const { apiVersion, kind, metadata, ...rest } = inputs;
  const { name, namespace, ...meta } = metadata as Record<string, JsonValue>;
  const ordered = {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...meta },
    ...rest,
  };
  return stringify(ordered, { lineWidth: 0 });
}

function pathsOf(value: JsonValue, wanted: string, at = ""): string[] {
  if (typeof value === "string") return value.includes(wanted) ? [at] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    pathsOf(child as JsonValue, wanted, at === "" ? key : `${at}.${key}`),
  );
}

/** Names of objects are file names already, but a foreign program may hand over anything. */
function safe(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^\.+/, "");
}
