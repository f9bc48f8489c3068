import type { Manifest } from "../kubernetes-object.ts";
import { podTemplate } from "./references.ts";

type Labels = Readonly<Record<string, unknown>>;

/**
 * Objects that select pods by label. The first four have to be there when a pod starts: its name resolves, and no packet
 * reaches it before its policy. The others come after it.
 */
const BEFORE_PODS = new Set(["Service", "NetworkPolicy", "ResourceQuota", "LimitRange"]);
const AFTER_PODS = new Set(["PodDisruptionBudget", "PodMonitor"]);

/** Pairs of indices: the first object comes after the second. */
export function selectionOrder(manifests: readonly Manifest[]): [later: number, earlier: number][] {
  const workloads = workloadsByLabel(manifests);
  const pairs: [number, number][] = [];
  manifests.forEach((manifest, selector) => {
    const after = AFTER_PODS.has(manifest.kind) || isLoadBalancer(manifest);
    if (!after && !BEFORE_PODS.has(manifest.kind)) return;
    for (const workload of selected(manifest, workloads)) {
      pairs.push(after ? [selector, workload] : [workload, selector]);
    }
  });
  return pairs;
}

/** Its address is worth waiting for, and it only has one once pods answer: so it comes after them. */
export function isLoadBalancer(manifest: Manifest): boolean {
  return manifest.kind === "Service" && (manifest.spec as { type?: unknown } | undefined)?.type === "LoadBalancer";
}

interface Workload {
  readonly index: number;
  readonly labels: Labels;
}

interface Workloads {
  readonly byLabel: ReadonlyMap<string, readonly Workload[]>;
  readonly byNamespace: ReadonlyMap<string, readonly Workload[]>;
}

/** By every label of theirs: a chart of a thousand services must not compare all with all. */
function workloadsByLabel(manifests: readonly Manifest[]): Workloads {
  const byLabel = new Map<string, Workload[]>();
  const byNamespace = new Map<string, Workload[]>();
  const push = (map: Map<string, Workload[]>, at: string, workload: Workload) => {
    const list = map.get(at);
    if (list) list.push(workload);
    else map.set(at, [workload]);
  };
  manifests.forEach((manifest, index) => {
    const pod = podTemplate(manifest);
    if (pod === null) return;
    const namespace = manifest.metadata.namespace ?? "";
    push(byNamespace, namespace, { index, labels: pod.labels });
    for (const [name, value] of Object.entries(pod.labels)) {
      push(byLabel, `${namespace} ${name}=${String(value)}`, { index, labels: pod.labels });
    }
  });
  return { byLabel, byNamespace };
}

function selected(manifest: Manifest, workloads: Workloads): number[] {
  const namespace = manifest.metadata.namespace ?? "";
  if (manifest.kind === "ResourceQuota" || manifest.kind === "LimitRange") {
    return (workloads.byNamespace.get(namespace) ?? []).map(({ index }) => index);
  }
  const wanted = Object.entries(selectorOf(manifest));
  const candidates = wanted
    .map(([name, value]) => workloads.byLabel.get(`${namespace} ${name}=${String(value)}`) ?? [])
    .sort((a, b) => a.length - b.length)[0];
  return (candidates ?? [])
    .filter(({ labels }) => wanted.every(([name, value]) => labels[name] === value))
    .map(({ index }) => index);
}

function selectorOf(manifest: Manifest): Labels {
  const spec = (manifest.spec ?? {}) as {
    selector?: Labels & { matchLabels?: Labels };
    podSelector?: { matchLabels?: Labels };
  };
  switch (manifest.kind) {
    case "Service":
      return spec.selector ?? {};
    case "NetworkPolicy":
      return spec.podSelector?.matchLabels ?? {};
    default:
      return spec.selector?.matchLabels ?? {};
  }
}
