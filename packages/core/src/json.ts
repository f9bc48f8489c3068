import type { ResolveContext } from "./context.ts";
import { deepFreeze } from "./freeze.ts";
import type { ResolvedPlatform } from "./platform/resolved.ts";
import type { ImportedPool, Pool } from "./pool/props.ts";
import type { ResolvedPool } from "./pool/resolved.ts";
import { isRef } from "./ref.ts";
import type { ResolvedOnnx, ResolvedService, ResolvedVllm } from "./service/resolved.ts";

/** Raised when the written form changes so that an older reader would misread it. */
export const JSON_SCHEMA_VERSION = 1;

/** Key under which constructs keep their declaration in cdk8s metadata. */
export const DECLARATION_METADATA = "capstan:declaration";

export interface PoolJson {
  readonly schemaVersion: typeof JSON_SCHEMA_VERSION;
  readonly kind: "pool";
  readonly pool: ResolvedPool;
}

/** What a construct keeps in cdk8s metadata under `DECLARATION_METADATA`: objects, written down only where they are registered. */
export interface DeclaredService {
  readonly service: ResolvedService;
  readonly context: ResolveContext;
}

/** A service with the name of its pool. */
export type ServiceJson = WithPoolName<ResolvedVllm> | WithPoolName<ResolvedOnnx>;

type WithPoolName<S> = Omit<S, "pool"> & { readonly pool: string };

/** Services of one context. Pools are written once, however many services are on them. */
export interface ServicesJson {
  readonly schemaVersion: typeof JSON_SCHEMA_VERSION;
  readonly kind: "services";
  readonly context: ResolveContext;
  readonly pools: readonly ResolvedPool[];
  readonly services: readonly ServiceJson[];
}

export interface PlatformJson {
  readonly schemaVersion: typeof JSON_SCHEMA_VERSION;
  readonly kind: "platform";
  readonly platform: Pick<
    ResolvedPlatform,
    "name" | "context" | "pools" | "addons" | "scaleDownDelaySeconds" | "acknowledge" | "origins"
  >;
}

/** Every field is written, with null where nothing is known. */
const POOL_FIELDS = Object.keys({
  kind: true,
  name: true,
  managed: true,
  instanceTypes: true,
  arch: true,
  vcpus: true,
  memoryMib: true,
  gpu: true,
  sharing: true,
  slots: true,
  cpu: true,
  capacity: true,
  size: true,
  zones: true,
  ami: true,
  localStorage: true,
  nvmeGib: true,
  nvmeDisks: true,
  networkGbps: true,
  rootVolumeGib: true,
  labels: true,
  givenLabels: true,
  nodeSelector: true,
  taints: true,
  efaAsked: true,
  efaInterfaces: true,
  placement: true,
  allocatable: true,
  price: true,
  acknowledge: true,
  origins: true,
} satisfies Readonly<Record<keyof ResolvedPool, true>>) as (keyof ResolvedPool)[];

/** A resolved pool as another stack or repository can read it. No secret, no identity that is not known yet. */
export function poolToJson(pool: ResolvedPool): PoolJson {
  return { schemaVersion: JSON_SCHEMA_VERSION, kind: "pool", pool: plain(pool) };
}

/**
 * The pool that `poolToJson` wrote. Its nodes are described as they were made, whatever this version's defaults are.
 *
 * @throws TypeError naming what is wrong with the document
 */
export function poolFromJson(document: unknown): Pool {
  const json = readVersioned(document, "pool") as Partial<PoolJson>;
  const pool = json.pool;
  const missing = POOL_FIELDS.filter((field) => pool?.[field] === undefined);
  if (pool === undefined || missing.length > 0) {
    throw new TypeError(`pool document: the pool has no ${missing.join(", ")}; write it with poolToJson`);
  }
  const imported: ImportedPool = {
    kind: "imported-pool",
    name: pool.name,
    props: { pool: { ...pool, managed: false } },
  };
  return deepFreeze(imported);
}

/** Services as a component registers them: one document a context, usually one. */
export function servicesToJson(declared: readonly DeclaredService[]): ServicesJson[] {
  const groups: { readonly context: ResolveContext; readonly services: ResolvedService[] }[] = [];
  for (const { service, context } of declared) {
    const group = groups.find((g) => g.context === context);
    if (group) group.services.push(service);
    else groups.push({ context, services: [service] });
  }
  return groups.map(({ context, services }) => ({
    schemaVersion: JSON_SCHEMA_VERSION,
    kind: "services",
    context: plain(context),
    pools: plain([...new Map(services.map((s) => [s.pool.name, s.pool])).values()]),
    services: services.map((service) => plain({ ...service, pool: service.pool.name })),
  }));
}

export function platformToJson(platform: ResolvedPlatform): PlatformJson {
  const { name, context, pools, addons, scaleDownDelaySeconds, acknowledge, origins } = platform;
  return {
    schemaVersion: JSON_SCHEMA_VERSION,
    kind: "platform",
    platform: plain({ name, context, pools, addons, scaleDownDelaySeconds, acknowledge, origins }),
  };
}

/** A document of ours of that kind and version, or an error that says what it is instead. */
export function readVersioned(document: unknown, kind: string): Record<string, unknown> {
  if (typeof document !== "object" || document === null)
    throw new TypeError(`${kind} document: expected an object, got ${document === null ? "null" : typeof document}`);
  const { schemaVersion, kind: found } = document as Record<string, unknown>;
  if (found !== kind) throw new TypeError(`${kind} document: its kind is ${JSON.stringify(found)}, expected "${kind}"`);
  if (schemaVersion !== JSON_SCHEMA_VERSION) {
    throw new TypeError(
      `${kind} document: schemaVersion is ${JSON.stringify(schemaVersion)}, this version reads ${JSON_SCHEMA_VERSION}; use the same @capstan version on both sides`,
    );
  }
  return document as Record<string, unknown>;
}

/** Plain JSON: refs become their name. */
function plain<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (isRef(value)) return { kind: "ref", name: value.name };
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) if (child !== undefined) result[key] = copy(child);
  return result;
}
