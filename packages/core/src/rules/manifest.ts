/** A Kubernetes object as it is sent to the API server. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** The value as an object of Kubernetes; null where it is none, such as the inputs of a Helm release. */
export function asManifest(value: unknown): Manifest | null {
  if (typeof value !== "object" || value === null) return null;
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return null;
  if (typeof metadata !== "object" || metadata === null) return null;
  return typeof (metadata as { name?: unknown }).name === "string" ? (value as Manifest) : null;
}
