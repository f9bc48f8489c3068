import { asManifest } from "@capstan/core";
import { UserError } from "../errors.ts";
import { type JsonValue, type RecordedResource, type Recording, SECRET_TEXT, UNKNOWN_TEXT } from "../recording.ts";
import { yamlText } from "./yaml-text.ts";

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

/** Annotations that Pulumi acts on; nothing else reads them. */
const PULUMI_ANNOTATION = /^pulumi\.com\//;

/** One object on its way to a file. */
interface Entry {
  readonly resource: RecordedResource;
  /** How people call it: `Deployment team-a/llama`. */
  readonly title: string;
  readonly path: string;
  /** Taken where another object claims `path`: with the API group of an object, the namespace of a release. */
  readonly longPath: string;
  /** Null: left out. */
  readonly value: Readonly<Record<string, unknown>> | null;
  /** Each begins with a colon, behind the path. */
  readonly notes: readonly string[];
}

/**
 * The Kubernetes objects of a program as files, one an object: `<namespace>/<kind>-<name>.yaml`, objects of the cluster
 * under `_cluster/`, Helm releases with their values under `helm/`. Secrets are never written. A tree is that of one
 * cluster: two resources for one object are an error.
 */
export function renderTree(recording: Recording): RenderedTree {
  const entries = recording.resources.flatMap((resource) => entryOf(resource) ?? []);
  const claims = new Map<string, number>();
  for (const { path } of entries) claims.set(path, (claims.get(path) ?? 0) + 1);
  const byPath = new Map<string, Entry>();
  for (const entry of entries) {
    const path = (claims.get(entry.path) ?? 0) > 1 ? entry.longPath : entry.path;
    const other = byPath.get(path);
    if (other) throw twice(path, other, entry);
    byPath.set(path, entry);
  }
  const sorted = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    files: sorted.flatMap(([path, { value }]) => (value === null ? [] : [{ path, content: yamlText(value) }])),
    notes: [...byPath].flatMap(([path, { notes }]) => notes.map((note) => `${path}${note}`)),
  };
}

function twice(path: string, a: Entry, b: Entry): UserError {
  const what = a.title === b.title ? `both are ${a.title}` : `they are ${a.title} and ${b.title}`;
  return new UserError(
    `two resources would be ${path}: ${a.resource.urn} and ${b.resource.urn}; ${what}. A tree is for one cluster: ` +
      "give one of them another name, or declare each cluster in a stack of its own",
  );
}

function entryOf(resource: RecordedResource): Entry | null {
  return resource.type === HELM_RELEASE ? releaseEntry(resource) : objectEntry(resource);
}

function objectEntry(resource: RecordedResource): Entry | null {
  if (!resource.custom || !resource.type.startsWith("kubernetes:")) return null;
  const manifest = asManifest(resource.inputs);
  if (!manifest) return null;
  const { name, namespace } = manifest.metadata;
  const directory = safe(namespace ?? CLUSTER_SCOPED);
  const kind = manifest.kind.toLowerCase();
  const group = /^(.+)\//.exec(manifest.apiVersion)?.[1];
  const secret = pathsOf(resource.inputs, SECRET_TEXT);
  const leftOut = manifest.kind === "Secret" || secret.length > 0;
  return {
    resource,
    title: `${manifest.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
    path: `${directory}/${kind}-${safe(name)}.yaml`,
    longPath: `${directory}/${group === undefined ? kind : `${kind}.${safe(group)}`}-${safe(name)}.yaml`,
    value: leftOut ? null : ordered(resource.inputs),
    notes: leftOut
      ? [`: left out, it holds ${secret.length > 0 ? secret.join(", ") : "a Secret"}`]
      : unknownNotes(resource),
  };
}

function releaseEntry(resource: RecordedResource): Entry {
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
  const secret = pathsOf(release, SECRET_TEXT);
  const [file, space] = [safe(String(release.name)), safe(String(release.namespace))];
  return {
    resource,
    title: `Helm release ${release.namespace}/${release.name}`,
    path: `helm/${file}.yaml`,
    longPath: `helm/${space}-${file}.yaml`,
    value: withoutSecrets(release) as Record<string, JsonValue>,
    notes: [
      ...secret.map((at) => `: ${at} is a secret and left out; give it to Helm another way`),
      ...unknownNotes(resource),
    ],
  };
}

function unknownNotes({ inputs }: RecordedResource): string[] {
  return pathsOf(inputs, UNKNOWN_TEXT).map((at) => `: ${at} is known only at deployment`);
}

/** A list loses the whole list where an item is a secret: the others would move up. */
function withoutSecrets(value: JsonValue): JsonValue | undefined {
  if (typeof value === "string") return value.includes(SECRET_TEXT) ? undefined : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutSecrets);
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  const kept = Object.entries(value).map(([key, child]) => [key, withoutSecrets(child)] as const);
  return Object.fromEntries(kept.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Type and name first, as people read them. */
function ordered(inputs: Readonly<Record<string, JsonValue>>): Record<string, JsonValue | undefined> {
  const { apiVersion, kind, metadata, ...rest } = inputs;
  const { name, namespace, annotations, ...meta } = metadata as Record<string, JsonValue>;
  const own = withoutPulumi(annotations);
  return {
    apiVersion,
    kind,
    metadata: {
      name: name as JsonValue,
      ...(namespace === undefined ? {} : { namespace }),
      ...(own === undefined ? {} : { annotations: own }),
      ...meta,
    },
    ...rest,
  };
}

function withoutPulumi(annotations: JsonValue | undefined): JsonValue | undefined {
  if (typeof annotations !== "object" || annotations === null || Array.isArray(annotations)) return annotations;
  const all = Object.entries(annotations);
  const own = all.filter(([key]) => !PULUMI_ANNOTATION.test(key));
  return own.length === 0 && all.length > 0 ? undefined : Object.fromEntries(own);
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
