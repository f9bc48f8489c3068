import type { Addon } from "@capstan/addons";
import { ENVIRONMENT_LABEL, MANAGED_BY, type ResolvedNamespace, type ResolvedPlatform } from "@capstan/core";

/** The namespaces of the teams, and the one of the preloaders. Those of the add-ons are theirs. */
export function namespacesOf(platform: ResolvedPlatform, addons: readonly Addon[]): ResolvedNamespace[] {
  const system = [...new Set(platform.preloaders.map(({ namespace }) => namespace))].map((name) =>
    systemNamespace(name, platform.context.environment),
  );
  const taken = new Map([
    ...addons.map(({ name, namespace }) => [namespace.name, `add-on ${name}`] as const),
    ...system.map(({ name }) => [name, "the model preloaders"] as const),
  ]);
  for (const { name, teams } of platform.namespaces) {
    const owner = taken.get(name);
    if (owner !== undefined) {
      throw new Error(
        `namespace ${name} of team ${teams.join(", ")} belongs to ${owner}; give the team's services another namespace`,
      );
    }
  }
  return [...platform.namespaces, ...system];
}

/** Preloaders write to the node, which only a privileged namespace admits. */
function systemNamespace(name: string, environment: string): ResolvedNamespace {
  return {
    name,
    teams: [],
    labels: {
      "app.kubernetes.io/managed-by": MANAGED_BY,
      "app.kubernetes.io/part-of": "inference-platform",
      [ENVIRONMENT_LABEL]: environment,
      "pod-security.kubernetes.io/enforce": "privileged",
    },
    quota: {},
  };
}
