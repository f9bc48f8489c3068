import { type Pool, podsPerNode, type ResolvedPool, resolvePlatform, resolvePool } from "@capstan/core";
import fc from "fast-check";
import { poolShapes } from "./arbitrary-pools.ts";
import { servicesOn } from "./arbitrary-services.ts";
import { type Blueprint, build, makePool, type PoolShape } from "./blueprint.ts";

/** Valid platforms of one to four pools with up to three services each. */
export const blueprints: fc.Arbitrary<Blueprint> = fc
  .record({
    environment: fc.constantFrom("dev", "staging", "prod"),
    region: fc.constantFrom("us-east-1", "eu-central-1"),
    costTool: fc.boolean(),
    pools: fc.array(poolShapes, { minLength: 1, maxLength: 4 }),
  })
  .map(({ costTool, pools, ...rest }) => ({
    ...rest,
    costTool,
    pools: agreeing(pools, costTool).map(({ make, props }, i) => ({
      make,
      props: { ...props, name: `pool-${i}`, size: { min: 0, max: 1000 } },
    })),
  }))
  .chain((base) =>
    fc
      .tuple(...base.pools.map(({ make, props }, i) => servicesOn(i, offerOf(makePool[make](props)))))
      .map((services) => withRoom({ ...base, services: services.flat() })),
  );

interface Sharing {
  readonly kind: string;
  readonly layout?: unknown;
  readonly replicas?: number;
}

/** Pools that one cluster can have together: the device plugin has one strategy, and MPS does not go with MIG. */
function agreeing(pools: readonly PoolShape[], costTool: boolean): PoolShape[] {
  const sharings = pools.map(({ props }) => props.sharing as Sharing | undefined);
  const mig = sharings.filter((sharing) => sharing?.kind === "mig");
  const single = mig.length === 1 && typeof mig[0]?.layout === "string";
  return pools.map((pool, i) => {
    const sharing = sharings[i];
    const shared = (changes: object): PoolShape => ({
      make: pool.make,
      props: { ...pool.props, sharing: { ...sharing, ...changes } },
    });
    if (sharing?.kind === "mig" && !single) return shared({ strategy: "mixed" });
    // A cost tool takes shared GPUs under the plain name for whole ones.
    if (sharing?.kind === "time-slicing" && costTool) return shared({ rename: true });
    if (sharing?.kind === "mps" && mig.length > 0) return shared({ kind: "time-slicing", rename: true });
    return pool;
  });
}

function offerOf(pool: Pool): ResolvedPool {
  const { pool: resolved, findings } = resolvePool(pool);
  if (resolved === null) throw new Error(findings.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return resolved;
}

/** Pools as large as their services may become. */
function withRoom(blueprint: Blueprint): Blueprint {
  const { services } = resolvePlatform(build(blueprint));
  return {
    ...blueprint,
    pools: blueprint.pools.map(({ make, props }) => {
      const own = services.filter(({ pool }) => pool.name === props.name);
      const most = own.reduce(
        (sum, service) => sum + Math.ceil(service.scaling.max / Math.max(1, podsPerNode(service))),
        0,
      );
      return { make, props: { ...props, size: { min: Math.min(1, own.length), max: Math.max(1, most) } } };
    }),
  };
}
