import { frozenCopy } from "../freeze.ts";
import type { ModelSource } from "../model/source.ts";

/**
 * Weights on the node's own NVMe array, filled once per node by one preloader of the pool and mounted read-only by the
 * services. Needs a pool with `localStorage: "raid0"`.
 */
export interface NvmeCache {
  readonly kind: "nvme-cache";
  readonly source: ModelSource;
}

/** Weights on a claim that the user brings; several pods need `ReadWriteMany`. */
export interface ClaimCache {
  readonly kind: "claim-cache";
  readonly claimName: string;
  readonly accessMode: "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany";
  /** Directory inside the volume that holds the model. */
  readonly path: string;
}

export type Cache = NvmeCache | ClaimCache;

export function nvmeCache(options: { readonly source: ModelSource }): NvmeCache {
  return frozenCopy({ kind: "nvme-cache", ...options });
}

export function claimCache(options: Omit<ClaimCache, "kind">): ClaimCache {
  return frozenCopy({ kind: "claim-cache", ...options });
}
