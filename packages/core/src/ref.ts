/**
 * An identity that may be unknown until deployment: an ARN, a bucket name, a secret. Core carries it and never looks
 * inside; a renderer turns it into a `pulumi.Input` or into a named value of a GitOps tree.
 */
export interface Ref {
  readonly kind: "ref";
  /** Names the value where it cannot be shown: `hf-token`, `models-bucket`. */
  readonly name: string;
  /** The renderer's own object (a `pulumi.Output`), opaque here. Never serialised. */
  readonly value: unknown;
}

/** A known string, or an identity that becomes known at deployment. */
export type Identity = string | Ref;

/** Passes unchanged through a token, JSON inside of strings, YAML and the messages that show it. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9._/-]*[A-Za-z0-9])?$/;

/** @throws TypeError where the name is not letters, digits, dashes, dots, underscores and slashes. */
export function ref(name: string, value: unknown): Ref {
  if (typeof name !== "string" || !NAME.test(name))
    throw new TypeError(
      `${typeof name === "string" ? JSON.stringify(name) : `a ${typeof name}`} cannot name a ref: use letters and digits, ` +
        'with dashes, dots, underscores or slashes between them, as in ref("models-bucket", value)',
    );
  const result = { kind: "ref" as const, name };
  // Not enumerable: a declaration that is printed, compared or serialised shows the name only.
  Object.defineProperty(result, "value", { value, enumerable: false });
  return Object.freeze(result) as Ref;
}

export function isRef(value: unknown): value is Ref {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "ref" && "name" in value;
}

/** How an identity is shown to people: the string itself, or the name in angle brackets. */
export function showIdentity(identity: Identity): string {
  return isRef(identity) ? `<${identity.name}>` : identity;
}

/** Stands for an identity inside a longer string; a renderer that knows the value replaces it. */
export const REF_TOKEN = /\$\{ref:([^}]+)\}/g;

/** An identity as part of a string: itself where it is known, else its token. */
export function inString(identity: Identity): string {
  return isRef(identity) ? `\${ref:${identity.name}}` : identity;
}
