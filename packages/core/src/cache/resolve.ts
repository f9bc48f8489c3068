import { isRef, showIdentity } from "../ref.ts";
import type { ResolvedCache, ResolvedSource } from "../service/resolved.ts";
import { slug } from "../slug.ts";
import type { Cache } from "./props.ts";

/** Below nodeadm's RAID0 mount. Lives and dies with the node. */
export const CACHE_ROOT = "/mnt/k8s-disks/0/capstan-models";
/** Where a service's container sees its model. */
export const MODEL_MOUNT = "/models";

export function preloaderName(pool: string): string {
  return `preload-${pool}`;
}

/** One directory a source: two services with the same weights share it, two revisions never do. */
export function cacheDirectory(source: ResolvedSource, path: string | null): string {
  const part = path === null ? "" : `/${path}`;
  if (source.kind === "hub") {
    return slug(`${source.repository}${source.revision === null ? "" : `/${source.revision}`}${part}`);
  }
  const bucket = isRef(source.bucket) ? source.bucket.name : showIdentity(source.bucket);
  return slug(`s3/${bucket}/${source.prefix}${part}`);
}

export function resolveCache(
  cache: Cache | undefined,
  service: { readonly name: string; readonly namespace: string; readonly pool: string },
  source: ResolvedSource,
  files: { readonly path: string | null; readonly bytes: number | null },
): ResolvedCache | null {
  if (!cache) return null;
  switch (cache.kind) {
    case "claim-cache":
      return { kind: "claim", claimName: cache.claimName, accessMode: cache.accessMode, path: cache.path };
    case "nvme-cache":
      return {
        kind: "nvme",
        preloader: preloaderName(service.pool),
        hostPath: `${CACHE_ROOT}/${cacheDirectory(source, files.path)}`,
        source,
        path: files.path,
        bytes: files.bytes,
        claimName: `${service.name}-model`,
        // Volumes belong to the cluster, so the namespace is part of the name.
        volumeName: `${service.namespace}-${service.name}-model`,
      };
  }
}
