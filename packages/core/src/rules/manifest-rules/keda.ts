import type { Manifest } from "../manifest.ts";
import { type Fields, fields, items, number, text } from "./objects.ts";

/** KEDA's own. */
const DEFAULT_MIN = 0;

const DEFAULT_MAX = 100;

export interface TriggerPart {
  readonly at: string;
  readonly type: string;
  readonly metricType: unknown;
  readonly name: unknown;
  readonly metadata: Fields;
}

export function isScaledObject(manifest: Manifest): boolean {
  return (
    manifest.kind === "ScaledObject" &&
    typeof manifest.apiVersion === "string" &&
    manifest.apiVersion.startsWith("keda.sh/")
  );
}

export function triggers(manifest: Manifest): readonly TriggerPart[] {
  if (!isScaledObject(manifest)) return [];
  return items(fields(manifest.spec).triggers).map((value, i) => {
    const { type, metadata, metricType, name } = fields(value);
    return { at: `spec.triggers.${i}`, type: text(type) ?? "", metricType, name, metadata: fields(metadata) };
  });
}

export function prometheus(manifest: Manifest): readonly (TriggerPart & { readonly query: string })[] {
  return triggers(manifest).flatMap((part) =>
    part.type === "prometheus" && typeof part.metadata.query === "string"
      ? [{ ...part, query: part.metadata.query }]
      : [],
  );
}

/** Smallest number of replicas; null: known only at deployment. */
export function minimum(manifest: Manifest): number | null {
  const given = fields(manifest.spec).minReplicaCount;
  return given === undefined ? DEFAULT_MIN : number(given);
}

export function maximum(manifest: Manifest): number | null {
  const given = fields(manifest.spec).maxReplicaCount;
  return given === undefined ? DEFAULT_MAX : number(given);
}

/** Null: known only at deployment; NaN: not a number, or missing. */
export function amount(value: unknown): number | null {
  if (value === undefined) return Number.NaN;
  if (typeof value === "number") return value;
  return typeof value === "string" ? (value.trim() === "" ? Number.NaN : Number(value)) : null;
}
