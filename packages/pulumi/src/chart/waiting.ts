import type { Manifest } from "../kubernetes-object.ts";
import { podTemplate } from "./references.ts";
import { type Autoscaled, workloadKey } from "./scaling.ts";
import { isLoadBalancer } from "./selection.ts";

/** Pulumi's Kubernetes provider reads it and leaves the object as ready as soon as it exists. */
const SKIP_AWAIT = "pulumi.com/skipAwait";

/** Kinds that the provider waits for. */
const AWAITED = new Set([
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Pod",
  "Ingress",
  "Service",
  "PersistentVolumeClaim",
]);

/**
 * Annotations that keep the provider from waiting: for everything where the program asks for it, and for two kinds that
 * would wait for pods, which themselves wait for them. A Service without a pod behind it counts as not ready (also while
 * it is scaled to zero), and so does a claim whose volume is made for the first pod that uses it.
 */
export function awaitAnnotations(manifest: Manifest, skipAwait: boolean): Record<string, string> {
  if (manifest.metadata.annotations?.[SKIP_AWAIT] !== undefined) return {};
  const waits = skipAwait ? !AWAITED.has(manifest.kind) : !waitsForPods(manifest);
  return waits ? {} : { [SKIP_AWAIT]: "true" };
}

function waitsForPods(manifest: Manifest): boolean {
  if (manifest.kind === "Service") return !isLoadBalancer(manifest);
  const bound = (manifest.spec as { volumeName?: unknown } | undefined)?.volumeName !== undefined;
  return manifest.kind === "PersistentVolumeClaim" && !bound;
}

export interface Timeouts {
  readonly create: string;
  readonly update: string;
}

/** Kubernetes' default for a Deployment. */
const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;
/** A first pull on a node that came up late; the deadline starts again with every pod that becomes ready. */
const IMAGE_PULL_MARGIN_SECONDS = 600;

/**
 * How long the provider may wait for a workload; null: its own ten minutes do, or it does not wait. A model takes longer
 * to load than that. An update goes pod by pod, each within the deadline, so it may take as many times as long; a
 * rollout that is stuck still ends at the deadline, by the Deployment's own condition.
 */
export function timeouts(manifest: Manifest, scaled: Autoscaled): Timeouts | null {
  if (!["Deployment", "StatefulSet", "DaemonSet"].includes(manifest.kind)) return null;
  const spec = (manifest.spec ?? {}) as WorkloadSpec;
  const deadline = Math.max(
    spec.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS,
    startupSeconds(manifest),
  );
  const waves = manifest.kind === "Deployment" ? updateWaves(spec, replicas(manifest, spec, scaled)) : 1;
  return {
    create: `${deadline + IMAGE_PULL_MARGIN_SECONDS}s`,
    update: `${deadline * waves + IMAGE_PULL_MARGIN_SECONDS}s`,
  };
}

interface WorkloadSpec {
  readonly replicas?: number;
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
  };
}

function replicas(manifest: Manifest, spec: WorkloadSpec, scaled: Autoscaled): number {
  return scaled.get(workloadKey(manifest)) ?? spec.replicas ?? 1;
}

function updateWaves(spec: WorkloadSpec, count: number): number {
  if (spec.strategy?.type === "Recreate") return 1;
  const { maxSurge = "25%", maxUnavailable = "25%" } = spec.strategy?.rollingUpdate ?? {};
  // Kubernetes rounds the surge up and the unavailable down.
  const atOnce = share(maxSurge, count, Math.ceil) + share(maxUnavailable, count, Math.floor);
  return Math.max(1, Math.ceil(count / Math.max(1, atOnce)));
}

function share(value: number | string, count: number, round: (n: number) => number): number {
  return typeof value === "number" ? value : round((Number.parseFloat(value) / 100) * count);
}

/** The longest that a container of the pod may take until it has started. */
function startupSeconds(manifest: Manifest): number {
  const containers = podTemplate(manifest)?.spec.containers ?? [];
  return Math.max(
    0,
    ...containers.map(({ startupProbe: probe }) =>
      probe === undefined
        ? 0
        : (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * (probe.failureThreshold ?? 3),
    ),
  );
}
