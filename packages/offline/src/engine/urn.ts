const STACK_TYPE = "pulumi:pulumi:Stack";

export function isStackUrn(urn: string): boolean {
  return urn.split("::")[2] === STACK_TYPE;
}

/** The engine's own rule: a URN carries the types of all ancestors except the stack's. */
export function resourceUrn(
  at: { stack: string; project: string },
  parent: string,
  type: string,
  name: string,
): string {
  const ancestors = parent.split("::")[2];
  const qualified = ancestors === undefined || ancestors === STACK_TYPE ? type : `${ancestors}$${type}`;
  return `urn:pulumi:${at.stack}::${at.project}::${qualified}::${name}`;
}

/** A provider is referred to as `URN::id`; the URN has three more `::` of its own and names may hold further ones. */
export function urnOfProviderReference(reference: string): string {
  return reference.slice(0, reference.lastIndexOf("::"));
}
