import type { ResolvedPlatform } from "../../platform/resolved.ts";
import type { ResolvedService } from "../../service/resolved.ts";

export type Unchecked = Omit<ResolvedPlatform, "findings">;

export function servicesByPool({ services }: Unchecked): Map<string, ResolvedService[]> {
  const byPool = new Map<string, ResolvedService[]>();
  for (const service of services) {
    const group = byPool.get(service.pool.name);
    if (group) group.push(service);
    else byPool.set(service.pool.name, [service]);
  }
  return byPool;
}
