import { downloadImage } from "@capstan/catalog";
import { CACHE_ROOT, cacheDirectory, preloaderName } from "../cache/resolve.ts";
import type { ResolveContext } from "../context.ts";
import { ENVIRONMENT_LABEL, MANAGED_BY, POOL_LABEL } from "../labels.ts";
import type { ResolvedService } from "../service/resolved.ts";
import type { PreloadedModel, ResolvedPreloader } from "./resolved.ts";

/** Privileged namespace of the node agents that write to nodes. */
export const SYSTEM_NAMESPACE = "capstan-system";

/** One preloader a pool, with every model that its services read from the node. */
export function resolvePreloaders(services: readonly ResolvedService[], context: ResolveContext): ResolvedPreloader[] {
  const byPool = new Map<string, ResolvedService[]>();
  for (const service of services) {
    if (service.cache?.kind !== "nvme") continue;
    const group = byPool.get(service.pool.name);
    if (group) group.push(service);
    else byPool.set(service.pool.name, [service]);
  }
  return [...byPool.values()].flatMap((group) => {
    const first = group[0];
    if (!first) return [];
    const name = preloaderName(first.pool.name);
    return [
      {
        name,
        namespace: SYSTEM_NAMESPACE,
        serviceAccount: name,
        pool: first.pool,
        images: { s3: downloadImage("s3"), hub: downloadImage("hub") },
        hostRoot: CACHE_ROOT,
        models: modelsOf(group),
        labels: {
          "app.kubernetes.io/name": "model-preloader",
          "app.kubernetes.io/instance": name,
          "app.kubernetes.io/component": "model-cache",
          "app.kubernetes.io/part-of": "inference-platform",
          "app.kubernetes.io/managed-by": MANAGED_BY,
          [POOL_LABEL]: first.pool.name,
          [ENVIRONMENT_LABEL]: context.environment,
        },
      },
    ];
  });
}

/** Services with the same weights share a directory. */
function modelsOf(services: readonly ResolvedService[]): PreloadedModel[] {
  const byPath = new Map<string, PreloadedModel>();
  for (const { cache } of services) {
    if (cache?.kind !== "nvme" || byPath.has(cache.hostPath)) continue;
    byPath.set(cache.hostPath, {
      slug: cacheDirectory(cache.source, cache.path),
      source: cache.source,
      path: cache.path,
      hostPath: cache.hostPath,
      bytes: cache.bytes,
    });
  }
  return [...byPath.values()];
}
