import { planFile } from "@capstan/offline";
import { describe, expect, test } from "vitest";
import { programs, recordingOf } from "./programs.ts";
import { type RenderedObject, renderedObjects } from "./rendered.ts";

interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
}

interface Toleration {
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

function tolerates(
  { key, operator, value, effect }: Toleration,
  taint: { key: string; value: string; effect: string },
) {
  const sameKey = key === undefined ? operator === "Exists" : key === taint.key;
  return (
    sameKey && (operator === "Exists" || value === taint.value) && (effect === undefined || effect === taint.effect)
  );
}

describe.each(programs)("$name", (program) => {
  test("serving pods fit what their pool offers: requests equal limits, taints tolerated, resource known", async () => {
    const recording = await recordingOf(program);
    const { pools, services } = planFile(recording).resolved;
    const deployments = renderedObjects(recording).filter(({ object }) => object.kind === "Deployment");
    expect(services.length).toBeGreaterThan(0);
    for (const service of services) {
      const deployment = deployments.find(
        ({ object: { metadata } }) => metadata.name === service.name && metadata.namespace === service.namespace,
      );
      const pod = deployment && podOf(deployment);
      const pool = pools.find(({ name }) => name === service.pool);
      if (!pod || !pool) throw new Error(`${service.name} has no Deployment or no pool`);
      for (const { name, resources } of pod.containers) {
        expect(Object.keys(resources?.requests ?? {}), name).toEqual(expect.arrayContaining(["cpu", "memory"]));
        expect(resources?.requests, `${service.name}/${name}`).toEqual(resources?.limits);
      }
      const asked = pod.containers.flatMap(({ resources }) =>
        Object.keys(resources?.limits ?? {}).filter((resource) => resource.startsWith("nvidia.com/")),
      );
      const offered = pool.slots.map(({ resource }) => resource);
      expect(asked).toHaveLength(pool.kind === "gpu" ? 1 : 0);
      expect(asked.filter((resource) => !offered.includes(resource))).toEqual([]);
      expect(pod.nodeSelector).toMatchObject(pool.nodeSelector);
      const open = pool.taints.filter((taint) => !pod.tolerations?.some((toleration) => tolerates(toleration, taint)));
      expect(open).toEqual([]);
    }
  });

  test("every image is pinned by a version or a digest", async () => {
    const images = renderedObjects(await recordingOf(program)).flatMap((each) => {
      const pod = podOf(each);
      const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];
      return containers.map(({ image }) => ({ path: each.path, image }));
    });
    expect(images.length).toBeGreaterThan(0);
    // A tag with a digit in it that is not only a channel: v0.33.0, 2026.2, cpu-1.9; never latest, stable or nothing.
    const pinned = /@sha256:[0-9a-f]{64}$|:[\w.-]*\d[\w.-]*$/;
    expect(images.filter(({ image }) => !pinned.test(image))).toEqual([]);
  });
});

test("tolerations are read as the scheduler reads them", () => {
  const taint = { key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" };
  expect(tolerates({ key: "nvidia.com/gpu", operator: "Exists" }, taint)).toBe(true);
  expect(tolerates({ operator: "Exists" }, taint)).toBe(true);
  expect(tolerates({ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }, taint)).toBe(true);
  expect(tolerates({ key: "nvidia.com/gpu", value: "absent" }, taint)).toBe(false);
  expect(tolerates({ key: "other", operator: "Exists" }, taint)).toBe(false);
  expect(tolerates({ key: "nvidia.com/gpu", operator: "Exists", effect: "NoExecute" }, taint)).toBe(false);
});
