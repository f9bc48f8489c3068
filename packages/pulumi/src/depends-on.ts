import * as pulumi from "@pulumi/pulumi";

export type DependsOn = NonNullable<pulumi.ResourceOptions["dependsOn"]>;

/** `dependsOn` of a component says nothing about its children to the engine: each of them repeats it. */
export function withInherited(own: readonly pulumi.Resource[], inherited: DependsOn | undefined): DependsOn {
  if (inherited === undefined) return [...own];
  if (pulumi.Resource.isInstance(inherited)) return [...own, inherited];
  if (Array.isArray(inherited)) return [...own, ...(inherited as pulumi.Input<pulumi.Resource>[])];
  return pulumi.output(inherited as pulumi.Input<pulumi.Resource[]>).apply((list) => [...own, ...[list].flat()]);
}
