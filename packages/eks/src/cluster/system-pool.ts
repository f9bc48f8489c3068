import { cpuPool, type Finding, type ResolveContext, type ResolvedPool, resolvePool } from "@capstan/core";
import type { SystemPool } from "./props.ts";

/** The system pool as any other pool of CPU nodes, so that one set of functions makes all nodes. */
export function resolveSystemPool(
  props: SystemPool,
  context: ResolveContext,
): { readonly pool: ResolvedPool | null; readonly findings: readonly Finding[] } {
  return resolvePool(
    cpuPool({
      name: "system",
      instanceTypes: props.instanceTypes ?? ["m7i.large"],
      size: props.size ?? { min: 2, max: 4 },
      amiFamily: props.amiFamily ?? "al2023",
      capacity: "on-demand",
      // No taint: this is where everything goes that does not ask for another pool.
      dedicated: false,
    }),
    context,
  );
}
