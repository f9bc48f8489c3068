import type {
  PlatformJson,
  PoolJson,
  ResolveContext,
  ResolvedPool,
  ResolvedService,
  ServicesJson,
} from "@capstan/core";
import { readVersioned } from "@capstan/core";
import type { RecordedResource } from "../recording.ts";

/** What the components of a program registered about themselves. */
export interface Declarations {
  readonly platforms: readonly PlatformJson["platform"][];
  readonly pools: readonly ResolvedPool[];
  readonly services: readonly { readonly service: ResolvedService; readonly context: ResolveContext }[];
}

const COMPONENT = /^capstan:/;

/**
 * Collects pools, services and platforms from the inputs of capstan components: `pool`, `platform` and `declarations`.
 * The same pool may be written by a node group and by the charts on it; its node group knows it best.
 */
export function declarationsOf(resources: readonly RecordedResource[]): Declarations {
  const platforms: PlatformJson["platform"][] = [];
  const pools = new Map<string, ResolvedPool>();
  const services: ServicesJson[] = [];
  const components = new Map(resources.filter((r) => COMPONENT.test(r.type)).map((r) => [r.urn, r]));
  for (const { component, document } of [...components.values()].flatMap(documents)) {
    switch (document.kind) {
      case "platform": {
        const { platform } = readVersioned(document, "platform") as unknown as PlatformJson;
        // InferencePlatform has its PlatformServices in it, which says the same again.
        if (!isPlatform(components.get(component.parent ?? ""))) platforms.push(platform);
        for (const pool of platform.pools) if (!pools.get(pool.name)?.managed) pools.set(pool.name, pool);
        break;
      }
      case "pool": {
        const { pool } = readVersioned(document, "pool") as unknown as PoolJson;
        if (!pools.get(pool.name)?.managed) pools.set(pool.name, pool);
        break;
      }
      case "services": {
        const json = readVersioned(document, "services") as unknown as ServicesJson;
        services.push(json);
        for (const pool of json.pools) if (!pools.get(pool.name)?.managed) pools.set(pool.name, pool);
        break;
      }
      default:
        break;
    }
  }
  return { platforms, pools: [...pools.values()], services: services.flatMap((json) => withPools(json, pools)) };
}

interface Registered {
  readonly component: RecordedResource;
  readonly document: { readonly kind?: unknown };
}

function documents(component: RecordedResource): Registered[] {
  const { pool, platform, declarations } = component.inputs;
  return [pool, platform, ...(Array.isArray(declarations) ? declarations : [])]
    .filter((value): value is Registered["document"] => typeof value === "object" && value !== null && "kind" in value)
    .map((document) => ({ component, document }));
}

function isPlatform(component: RecordedResource | undefined): boolean {
  return component !== undefined && documents(component).some(({ document }) => document.kind === "platform");
}

function withPools(json: ServicesJson, pools: ReadonlyMap<string, ResolvedPool>): Declarations["services"] {
  return json.services.map((service) => {
    const pool = pools.get(service.pool);
    if (!pool)
      throw new TypeError(
        `service ${service.name} is on pool "${service.pool}", which no component of the program declares`,
      );
    return { context: json.context, service: { ...service, pool } as ResolvedService };
  });
}
