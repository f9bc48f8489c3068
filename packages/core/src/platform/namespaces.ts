import type { ResolveContext } from "../context.ts";
import { ENVIRONMENT_LABEL, MANAGED_BY, TEAM_LABEL } from "../labels.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { ResolvedService } from "../service/resolved.ts";
import type { ResolvedNamespace } from "./resolved.ts";

/**
 * Namespaces of the services. The quota holds what the declared services may need at their largest, and zero of every
 * other resource that the pools offer: nobody takes GPUs that nobody planned.
 */
export function resolveNamespaces(
  pools: readonly ResolvedPool[],
  services: readonly ResolvedService[],
  context: ResolveContext,
): ResolvedNamespace[] {
  const offered = new Set(pools.flatMap((pool) => pool.slots.map((slot) => slot.resource)));
  const byName = new Map<string, ResolvedService[]>();
  for (const service of services) {
    const group = byName.get(service.namespace);
    if (group) group.push(service);
    else byName.set(service.namespace, [service]);
  }
  return [...byName].map(([name, group]) => {
    const teams = [...new Set(group.map((s) => s.team))].sort();
    return {
      name,
      teams,
      labels: {
        "app.kubernetes.io/managed-by": MANAGED_BY,
        "app.kubernetes.io/part-of": "inference-platform",
        [ENVIRONMENT_LABEL]: context.environment,
        ...(teams.length === 1 ? { [TEAM_LABEL]: teams[0] ?? "" } : {}),
        "pod-security.kubernetes.io/enforce": group.every((s) => s.identity.nonRoot) ? "restricted" : "baseline",
      },
      quota: quotaOf(group, offered),
    };
  });
}

function quotaOf(services: readonly ResolvedService[], offered: ReadonlySet<string>): Record<string, string> {
  const need = new Map([...offered].sort().map((resource) => [resource, 0]));
  for (const { resources, scaling, rollout } of services) {
    if (!resources.accelerator) continue;
    const { resource, count } = resources.accelerator;
    const surge = typeof rollout.maxSurge === "number" ? rollout.maxSurge : 0;
    need.set(resource, (need.get(resource) ?? 0) + (scaling.max + surge) * count);
  }
  return Object.fromEntries([...need].map(([resource, count]) => [`requests.${resource}`, String(count)]));
}
