import type { ResolvedPool } from "@capstan/core";
import { planFile, type Recording } from "@capstan/offline";
import { type RenderedObject, renderedObjects } from "./rendered.ts";

interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
}

/** Pod templates of everything that has one. */
function podOf({ object }: RenderedObject): PodSpec | null {
  const { template } = (object.spec ?? {}) as { readonly template?: { readonly spec?: PodSpec } };
  return template?.spec ?? null;
}

/** As the scheduler reads it. */
export function tolerates(
  { key, operator, value, effect }: Toleration,
  taint: { key: string; value: string; effect: string },
) {
  const sameKey = key === undefined ? operator === "Exists" : key === taint.key;
  return (
    sameKey && (operator === "Exists" || value === taint.value) && (effect === undefined || effect === taint.effect)
  );
}

/**
 * What is wrong with the serving pods of a program: all of them have to ask for no more than is kept for them, for a
 * resource that their pool offers, and for its nodes.
 */
export function servingPodProblems(recording: Recording): string[] {
  const { pools, services } = planFile(recording).resolved;
  const deployments = renderedObjects(recording).filter(({ object }) => object.kind === "Deployment");
  return services.flatMap((service) => {
    const deployment = deployments.find(
      ({ object: { metadata } }) => metadata.name === service.name && metadata.namespace === service.namespace,
    );
    const pod = deployment && podOf(deployment);
    const pool = pools.find(({ name }) => name === service.pool);
    const problems = pod && pool ? podProblems(pod, pool) : ["has no Deployment or no pool"];
    return problems.map((problem) => `${service.namespace}/${service.name} ${problem}`);
  });
}

function podProblems(pod: PodSpec, pool: ResolvedPool): string[] {
  const uneven = pod.containers.filter(
    ({ resources }) =>
      !resources?.requests?.cpu ||
      !resources.requests.memory ||
      JSON.stringify(resources.requests) !== JSON.stringify(resources.limits),
  );
  const asked = pod.containers.flatMap(({ resources }) =>
    Object.keys(resources?.limits ?? {}).filter((resource) => resource.startsWith("nvidia.com/")),
  );
  const offered = pool.slots.map(({ resource }) => resource);
  const selectors = Object.entries(pool.nodeSelector).filter(([key, value]) => pod.nodeSelector?.[key] !== value);
  const taints = pool.taints.filter((taint) => !pod.tolerations?.some((each) => tolerates(each, taint)));
  return [
    ...uneven.map(({ name }) => `container ${name}: requests are not limits, or lack cpu or memory`),
    ...asked.filter((resource) => !offered.includes(resource)).map((resource) => `asks for ${resource}: no such slot`),
    ...(asked.length === (pool.kind === "gpu" ? 1 : 0) ? [] : [`asks for ${asked.length} kinds of GPU`]),
    ...selectors.map(([key]) => `does not select ${key} of its pool`),
    ...taints.map(({ key }) => `does not tolerate ${key} of its pool`),
  ];
}

/** Images that may be another one tomorrow: no digest, and no tag that names a version. */
export function unpinnedImages(recording: Recording): string[] {
  return renderedObjects(recording).flatMap((each) => {
    const pod = podOf(each);
    const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];
    return containers.filter(({ image }) => !isPinned(image)).map(({ image }) => `${each.path}: ${image}`);
  });
}

/** A tag with a digit in it (v0.33.0, cpu-1.9) names a version; latest, stable or none does not. */
export function isPinned(image: string): boolean {
  return /@sha256:[0-9a-f]{64}$|:[\w.-]*\d[\w.-]*$/.test(image);
}
