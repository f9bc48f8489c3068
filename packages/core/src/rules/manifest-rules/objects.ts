import type { Manifest } from "../manifest.ts";

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = Object.freeze({});

/** The fields of an object; none for anything else, also for a value that is known only at deployment. */
export function fields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return NONE;
  return (value as { readonly __pulumiOutput?: unknown }).__pulumiOutput === true ? NONE : (value as Fields);
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Entries whose value is a string: what a label, annotation or trigger can be checked by. */
export function strings(value: unknown): [string, string][] {
  return Object.entries(fields(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

export interface PodPart {
  /** Path of the pod's spec. */
  readonly at: string;
  readonly spec: Fields;
  readonly labels: Fields;
  readonly containers: readonly ContainerPart[];
}

export interface ContainerPart {
  readonly at: string;
  readonly container: Fields;
  readonly init: boolean;
  /** Extended resources of NVIDIA that it asks for, in requests or limits. */
  readonly gpus: readonly string[];
}

/** Where kinds keep the template of their pods; Pods are their own. */
const TEMPLATES = [
  ["spec", "template"],
  ["spec", "jobTemplate", "spec", "template"],
  ["spec", "leaderWorkerTemplate", "leaderTemplate"],
  ["spec", "leaderWorkerTemplate", "workerTemplate"],
  ["template"],
] as const;

/** The object that all rules are asked about now: its pods are looked for once. */
let current: { readonly manifest: Manifest; readonly pods: readonly PodPart[] } | null = null;

/** Runs several rules on one object, which must not change meanwhile. */
export function reading<T>(manifest: Manifest, run: () => T): T {
  const before = current;
  current = { manifest, pods: findPods(manifest) };
  try {
    return run();
  } finally {
    current = before;
  }
}

/** The pods that an object starts, whatever its kind. */
export function pods(manifest: Manifest): readonly PodPart[] {
  return current?.manifest === manifest ? current.pods : findPods(manifest);
}

function findPods(manifest: Manifest): readonly PodPart[] {
  if (manifest.kind === "Pod") return podAt(manifest, "");
  return TEMPLATES.flatMap((path) => {
    let current: unknown = manifest;
    for (const key of path) current = fields(current)[key];
    return podAt(current, path.join("."));
  });
}

function podAt(template: unknown, path: string): PodPart[] {
  const spec = fields(fields(template).spec);
  if (!Array.isArray(spec.containers)) return [];
  const at = path === "" ? "spec" : `${path}.spec`;
  const labels = fields(fields(fields(template).metadata).labels);
  return [
    {
      at,
      spec,
      labels,
      containers: [...containersAt(spec, at, "containers"), ...containersAt(spec, at, "initContainers")],
    },
  ];
}

function containersAt(spec: Fields, at: string, key: "containers" | "initContainers"): ContainerPart[] {
  return items(spec[key]).map((value, i) => {
    const container = fields(value);
    const { limits, requests } = fields(container.resources);
    const names = [...Object.keys(fields(limits)), ...Object.keys(fields(requests))];
    return {
      at: `${at}.${key}.${i}`,
      container,
      init: key === "initContainers",
      gpus: [...new Set(names.filter((name) => name.startsWith("nvidia.com/")))],
    };
  });
}

/** Main containers of all pods that ask for a GPU. */
export function gpuContainers(manifest: Manifest): readonly ContainerPart[] {
  return pods(manifest).flatMap((pod) => pod.containers.filter((part) => !part.init && part.gpus.length > 0));
}

export function gpuPods(manifest: Manifest): readonly PodPart[] {
  return pods(manifest).filter((pod) => pod.containers.some((part) => part.gpus.length > 0));
}

/** Entries of `env` with their value in plain text. */
export function variables(
  part: ContainerPart,
): readonly { readonly at: string; readonly name: string; readonly value: string }[] {
  return items(part.container.env).flatMap((entry, i) => {
    const { name, value } = fields(entry);
    return typeof name === "string" && typeof value === "string" ? [{ at: `${part.at}.env.${i}`, name, value }] : [];
  });
}

export function args(part: ContainerPart): readonly { readonly at: string; readonly text: string }[] {
  return (["command", "args"] as const).flatMap((key) =>
    items(part.container[key]).flatMap((value, i) =>
      typeof value === "string" ? [{ at: `${part.at}.${key}.${i}`, text: value }] : [],
    ),
  );
}

/** Namespaces of Kubernetes, node agents and add-ons, whose pods may do what a team's may not. */
const SYSTEM_NAMESPACES = new Set([
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "capstan-system",
  "gpu-operator",
  "monitoring",
  "keda",
  "kubecost",
  "cluster-autoscaler",
]);

export function isSystem(manifest: Manifest): boolean {
  const { namespace } = fields(manifest.metadata);
  return typeof namespace === "string" && SYSTEM_NAMESPACES.has(namespace);
}

/** Our own constructs take tolerations, probes and roll-out from the pool and the plan, which know more than one object shows. */
export function isOurs(manifest: Manifest): boolean {
  return fields(fields(manifest.metadata).labels)["app.kubernetes.io/managed-by"] === "capstan";
}
