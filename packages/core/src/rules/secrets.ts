/** Flags whose value is a credential. */
const SECRET_FLAGS = new Set(["--api-key", "--hf-token"]);
const SECRET_NAME = /(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)$/;
/** What issuers' keys look like: Hugging Face, AWS, OpenAI and its like, GitHub, PEM. */
const SECRET_VALUE =
  /(^|[^A-Za-z0-9])(hf_[A-Za-z0-9]{20,}|A(KI|SI)A[A-Z0-9]{16}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,})|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

export function isSecretFlag(name: string): boolean {
  return SECRET_FLAGS.has(name);
}

/** True for names that hold a credential: `HF_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `VLLM_API_KEY`. Paths to files are none. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toUpperCase());
}

export function looksLikeSecret(value: string): boolean {
  return SECRET_VALUE.test(value);
}

/** An argument in a message: short, and without the value of a credential. */
export function showArgument(text: string, before?: string): string {
  const [, flag = "", gap = ""] = /^(--[^\s=]+)([\s=])/.exec(text) ?? [];
  if (isSecretFlag(flag.replaceAll("_", "-"))) return `${flag}${gap}***`;
  if (looksLikeSecret(text) || (before !== undefined && isSecretFlag(before.replaceAll("_", "-")))) return "***";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A value in a message: short, and never a credential that was put into the wrong place. */
export function showValue(value: string): string {
  if (looksLikeSecret(value)) return "***";
  return value.length > 60 ? `${value.slice(0, 57)}...` : value;
}

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
