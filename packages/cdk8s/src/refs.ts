import { type Identity, isRef, type Ref } from "@capstan/core";
import type { IConstruct } from "constructs";

/** Type of the construct metadata that holds a `Ref` used by its objects. */
const REF_METADATA = "capstan:ref";

/**
 * Remembers the identities that a construct's manifests name as `${ref:name}` tokens. A manifest is plain data, so the
 * value itself cannot be in it.
 */
export function attachRefs(construct: IConstruct, identities: readonly Identity[]): void {
  for (const identity of new Set(identities)) if (isRef(identity)) construct.node.addMetadata(REF_METADATA, identity);
}

/**
 * The identities behind the `${ref:name}` tokens below a construct, by name. What deploys the objects replaces each
 * token (`REF_TOKEN` of core) by the value; plain `cdk8s synth` leaves the token visible, for a later tool to fill in.
 */
export function refsOf(scope: IConstruct): ReadonlyMap<string, Ref> {
  const refs = new Map<string, Ref>();
  for (const construct of scope.node.findAll()) {
    for (const entry of construct.node.metadata) {
      if (entry.type !== REF_METADATA) continue;
      const found = entry.data as Ref;
      const known = refs.get(found.name);
      if (known !== undefined && known.value !== found.value) {
        throw new Error(
          `two different values are called ref "${found.name}" (the second in ${construct.node.path}); a token names one value, so give each its own name`,
        );
      }
      refs.set(found.name, found);
    }
  }
  return refs;
}
