import type { Identity } from "../ref.ts";

/** A key of a Kubernetes Secret in the service's own namespace. Never the value itself. */
export interface SecretKey {
  readonly secretName: string;
  readonly key: string;
}

/** Weights from the Hugging Face hub. */
export interface HubSource {
  readonly kind: "hub";
  /** @default - the repository that the catalog knows for model, engine and precision */
  readonly repository?: string;
  /** Commit, tag or branch. A commit is the only one that cannot change under a running platform. */
  readonly revision?: string;
  /** Secret with the access token; needed for gated models. */
  readonly token?: SecretKey;
}

/** Weights in an S3 prefix, read with the pod's own identity. */
export interface S3Source {
  readonly kind: "s3";
  readonly bucket: Identity;
  /** Without leading or trailing slash. */
  readonly prefix: string;
  /** Bytes under the prefix, where the catalog's figure for the model does not hold. */
  readonly bytes?: number;
}

export type ModelSource = HubSource | S3Source;

export function hub(options: Omit<HubSource, "kind"> = {}): HubSource {
  return Object.freeze({ kind: "hub", ...options });
}

/** `s3("models-bucket/llama-3.1-8b")`, or the bucket and prefix apart when the bucket is made in the same program. */
export function s3(
  location: string | { readonly bucket: Identity; readonly prefix: string },
  options: { readonly bytes?: number } = {},
): S3Source {
  if (typeof location !== "string") return Object.freeze({ kind: "s3", ...location, ...options });
  const path = location.replace(/^s3:\/\//, "").replace(/\/+$/, "");
  const slash = path.indexOf("/");
  return Object.freeze({
    kind: "s3",
    bucket: slash < 0 ? path : path.slice(0, slash),
    prefix: slash < 0 ? "" : path.slice(slash + 1),
    ...options,
  });
}

export function secretKey(secretName: string, key: string): SecretKey {
  return Object.freeze({ secretName, key });
}
