import { isSecretName, looksLikeSecret } from "./vllm/secret.ts";

/** Wider than the engines' own names: whatever ends in KEY is a key until somebody acknowledges that it is not. */
const KEY_NAME = /(^|_)KEY$/i;
const SECRET_FLAG = /^--[a-z0-9_-]*(token|key|password|passwd|secret|credentials?)=(.+)$/i;
/** `$(NAME)` of Kubernetes and `${ref:name}` of ours stand for a value that comes later; a path names where it is. */
const REFERENCE = /^(\$\(|\$\{|\/)/;
/** Settings with such a name that hold no secret: numbers and switches. */
const HARMLESS = /^(\d+(\.\d+)?|true|false|yes|no|on|off|none|auto)?$/i;

/** A variable that holds a secret in plain text: by its name, or by how the value looks. */
export function holdsSecret({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (looksLikeSecret(value)) return true;
  return (isSecretName(name) || KEY_NAME.test(name)) && !HARMLESS.test(value) && !REFERENCE.test(value);
}

/** An argument that holds a secret in plain text: `--api-key=...`. */
export function secretArgument(arg: string): boolean {
  if (looksLikeSecret(arg)) return true;
  const value = SECRET_FLAG.exec(arg)?.[2];
  return value !== undefined && !HARMLESS.test(value) && !REFERENCE.test(value);
}
