import {
  isBlocking,
  type Manifest,
  manifestFindings,
  nodesFor,
  plan,
  podsPerNode,
  type ResolvedService,
  resolvePlatform,
} from "@capstan/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { blueprints } from "./arbitrary-platform.ts";
import { type Blueprint, build, reversed } from "./blueprint.ts";
import { fitsOn, needOfPod, podsOnNode, roomOfNode } from "./packing.ts";
import { podOf, renderPlatform, renderService, validate } from "./rendered.ts";

const FAST = { numRuns: 60 };
/** With manifests. */
const SLOW = { numRuns: 30 };

test("it has no blocking finding, and the plan stays inside what its pools and services allow", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      const platform = resolvePlatform(build(blueprint));
      expect(platform.findings.filter(isBlocking)).toEqual([]);
      expect(platform.services).toHaveLength(blueprint.services.length);
      const { pools, services, cost } = plan(platform);
      for (const { name, nodes } of pools) {
        const { size } = platform.pools.find((pool) => pool.name === name) ?? {};
        expect(nodes.min).toBeGreaterThanOrEqual(size?.min ?? Number.NaN);
        expect(nodes.max).toBeLessThanOrEqual(size?.max ?? Number.NaN);
      }
      for (const { min, expected, peak, max } of [...pools.map((p) => p.nodes), ...services.map((s) => s.replicas)]) {
        expect([min, expected, peak, max]).toEqual([min, expected, peak, max].sort((a, b) => a - b));
      }
      const { min, expected, max } = cost.usdPerMonth;
      if (min !== null && expected !== null && max !== null) {
        expect([min, expected, max]).toEqual([min, expected, max].sort((a, b) => a - b));
      }
    }),
    FAST,
  );
});

test("every object validates against its schema, and the rules for objects find nothing in it", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      for (const object of renderPlatform(resolvePlatform(build(blueprint)))) {
        const name = `${object.kind} ${object.metadata.name}`;
        expect(() => validate(object), name).not.toThrow();
        expect(manifestFindings(object as Manifest).filter(isBlocking), name).toEqual([]);
      }
    }),
    SLOW,
  );
});

test("a pod is Guaranteed, tolerates what its pool has, selects its nodes and asks for what they offer", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      const platform = resolvePlatform(build(blueprint));
      for (const service of platform.services) {
        const { pool } = service;
        const pod = podOf(renderService(service, platform));
        for (const { name, image, resources } of [...pod.containers, ...(pod.initContainers ?? [])]) {
          expect(resources?.requests, name).toEqual(resources?.limits);
          expect(Object.keys(resources?.requests ?? {}), name).toEqual(expect.arrayContaining(["cpu", "memory"]));
          expect(image).toMatch(/[^/]+(:(?!latest$)[\w][\w.-]*|@sha256:[0-9a-f]{64})$/);
        }
        for (const taint of pool.taints.filter(({ effect }) => effect !== "PreferNoSchedule")) {
          expect(pod.tolerations).toContainEqual(
            expect.objectContaining({
              key: taint.key,
              effect: taint.effect,
              ...(taint.value === "" ? {} : { value: taint.value }),
            }),
          );
        }
        expect(pod.nodeSelector).toEqual(pool.nodeSelector);
        const asked = pod.containers
          .flatMap(({ resources }) => Object.keys(resources?.limits ?? {}))
          .filter((key) => key.includes("/"));
        const offered = pool.slots.map(({ resource }) => resource);
        expect(asked).toHaveLength(pool.kind === "gpu" ? 1 : 0);
        expect(offered).toEqual(expect.arrayContaining(asked));
      }
    }),
    SLOW,
  );
});

test("the nodes that the plan counts hold the pods; for a service alone they are not one too many", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      const platform = resolvePlatform(build(blueprint));
      for (const pool of platform.pools) {
        const own = platform.services.filter((service) => service.pool.name === pool.name);
        const node = roomOfNode(pool);
        for (const service of own) {
          const pods = podsPerNode(service);
          expect(pods, service.name).toBe(podsOnNode(pool, needOfPod(service)));
          const { accelerator } = service.resources;
          const slots = pool.slots.find(({ resource }) => resource === accelerator?.resource)?.slotsPerNode;
          if (accelerator) expect(pods * accelerator.count).toBeLessThanOrEqual(slots ?? 0);
          // Alone, the number of nodes is exact.
          const nodes = nodesFor(pool, [{ service, replicas: service.scaling.max }]);
          expect(nodes).toBe(Math.ceil(service.scaling.max / pods));
        }
        const replicas = own.flatMap((service) =>
          Array.from({ length: service.scaling.max }, () => needOfPod(service)),
        );
        const nodes = nodesFor(
          pool,
          own.map((service) => ({ service, replicas: service.scaling.max })),
        );
        expect(
          fitsOn(nodes, node, replicas),
          `${replicas.length} pods on ${nodes} nodes of ${pool.instanceTypes[0]}`,
        ).toBe(true);
        expect(nodes).toBeLessThanOrEqual(pool.size.max);
      }
    }),
    FAST,
  );
});

/** Everything that is rendered and planned, as text. */
function everything(blueprint: Blueprint): string {
  const platform = resolvePlatform(build(blueprint));
  return JSON.stringify([renderPlatform(platform), plan(platform)]);
}

test("a second run is identical, byte by byte", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      expect(everything(blueprint)).toBe(everything(blueprint));
    }),
    SLOW,
  );
});

test("the order of keys and of pools changes no service's manifests", () => {
  fc.assert(
    fc.property(blueprints, (blueprint) => {
      const platform = resolvePlatform(build(blueprint));
      const other = resolvePlatform(build(blueprint, reversed));
      expect(other.services.map(({ name }) => name)).toEqual(platform.services.map(({ name }) => name));
      const manifests = (service: ResolvedService, of: typeof platform) => canonical(renderService(service, of));
      for (const [i, service] of platform.services.entries()) {
        expect(manifests(other.services[i] as ResolvedService, other)).toBe(manifests(service, platform));
      }
    }),
    SLOW,
  );
});

/** As Pulumi and the API server compare them: the order of a map's keys says nothing, the order of a list does. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === "object" && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
