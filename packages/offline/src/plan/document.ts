import {
  asManifest,
  type MoneyRange,
  manifestFindings,
  type Origins,
  type PlatformPlan,
  plan,
  type ResolvedPlatform,
  type ResolvedPool,
  type ServiceJson,
  sortFindings,
} from "@capstan/core";
import type { JsonValue, RecordedOptions, RecordedResource, Recording } from "../recording.ts";
import { type Curves, curvesOf } from "./curves.ts";
import { declarationsOf } from "./declarations.ts";
import { rebuildPlatform } from "./rebuild.ts";

export const PLAN_SCHEMA_VERSION = 1;

export interface PlannedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly options: RecordedOptions;
}

/** What `capstan plan --json` prints: the plan of the platform and the resources that would be registered. */
export interface PlanDocument extends PlatformPlan {
  readonly schemaVersion: typeof PLAN_SCHEMA_VERSION;
  readonly project: string;
  readonly stack: string;
  readonly resources: readonly PlannedResource[];
}

/** What `capstan plan --out` writes: also every resolved value with its origin, and curves to draw. */
export interface PlanFile extends PlanDocument {
  readonly resolved: {
    readonly pools: readonly ResolvedPool[];
    readonly services: readonly ServiceJson[];
    readonly platform: Origins;
  };
  readonly curves: Curves;
}

const NO_MONEY: MoneyRange = { min: 0, expected: 0, max: 0 };

/** The plan of a recorded program. A program without any of the constructs has resources and nothing else. */
export function planDocument(recording: Recording): PlanDocument {
  return documentOf(recording, rebuildPlatform(declarationsOf(recording.resources)));
}

export function planFile(recording: Recording): PlanFile {
  const platform = rebuildPlatform(declarationsOf(recording.resources));
  return {
    ...documentOf(recording, platform),
    resolved: {
      pools: platform?.pools ?? [],
      services: (platform?.services ?? []).map((service) => ({ ...service, pool: service.pool.name })),
      platform: platform?.origins ?? {},
    },
    curves: platform ? curvesOf(platform) : { costByTraffic: [], throughputByConcurrency: [] },
  };
}

function documentOf(recording: Recording, platform: ResolvedPlatform | null): PlanDocument {
  const base: PlatformPlan = platform ? plan(platform) : emptyPlan();
  return {
    schemaVersion: PLAN_SCHEMA_VERSION,
    project: recording.project,
    stack: recording.stack,
    ...base,
    findings: sortFindings([...base.findings, ...recording.resources.flatMap(resourceFindings)]),
    resources: recording.resources.map(plannedResource),
  };
}

/** A program without a platform costs what its own resources cost, which is not ours to say. */
function emptyPlan(): PlatformPlan {
  return {
    pools: [],
    services: [],
    findings: [],
    cost: { usdPerMonth: NO_MONEY, byTeam: {}, pricesAsOf: "", region: null, assumptions: [] },
    quota: [],
  };
}

/** What the manifest rules say of a Kubernetes object, after every transform. */
function resourceFindings(resource: RecordedResource) {
  if (!resource.custom || !resource.type.startsWith("kubernetes:")) return [];
  const manifest = asManifest(resource.inputs);
  return manifest ? manifestFindings(manifest) : [];
}

/** Declarations are the pools and services of the plan; beside the resources they would stand twice. */
function plannedResource({ urn, type, name, parent, inputs, options }: RecordedResource): PlannedResource {
  return { urn, type, name, parent, inputs: type.startsWith("capstan:") ? named(inputs) : inputs, options };
}

function named(inputs: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const { pool, platform, declarations, ...rest } = inputs as Record<string, JsonValue>;
  return {
    ...rest,
    ...(pool === undefined ? {} : { pool: nameOf(pool) }),
    ...(platform === undefined ? {} : { platform: nameOf(platform) }),
    ...(Array.isArray(declarations) ? { declarations: declarations.map(nameOf) } : {}),
  };
}

function nameOf(document: JsonValue): JsonValue {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document;
  const { kind, ...parts } = document as Record<string, JsonValue>;
  if (kind === "services" && Array.isArray(parts.services)) {
    return parts.services.map((service) => `service ${(service as { readonly name?: string }).name ?? ""}`);
  }
  const body = typeof kind === "string" ? parts[kind] : undefined;
  const name =
    typeof body === "object" && body !== null && !Array.isArray(body)
      ? (body as Record<string, JsonValue>).name
      : undefined;
  return typeof name === "string" && typeof kind === "string" ? `${kind} ${name}` : document;
}
