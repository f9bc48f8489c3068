import { findInstance, vcpuQuotas } from "@capstan/catalog";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { PlannedQuota } from "./document.ts";

/** vCPU quotas of EC2 that the pools need at their largest. Capacity blocks and reservations of others do not count. */
export function requiredQuotas(pools: readonly ResolvedPool[], region: string | null): PlannedQuota[] {
  const need = new Map<string, PlannedQuota>();
  for (const pool of pools) {
    if (!pool.managed || pool.capacity.kind === "capacity-block") continue;
    const family = findInstance(pool.instanceTypes[0] ?? "")?.family ?? "";
    const market = pool.capacity.kind === "spot" ? "spot" : "on-demand";
    const quota = vcpuQuotas().find((q) => q.market === market && q.families.test(family));
    if (!quota) continue;
    const vcpus = (need.get(quota.code)?.vcpus ?? 0) + pool.size.max * pool.vcpus;
    need.set(quota.code, { code: quota.code, name: quota.name, region: region ?? "", vcpus });
  }
  return [...need.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
