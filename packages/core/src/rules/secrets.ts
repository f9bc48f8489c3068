const SECRET_NAME = /(^|_)(TOKEN|KEY|PASSWORD|PASSWD|SECRET|CREDENTIALS?)$/i;
/** Prefixes that issuers give their tokens: Hugging Face, AWS, NVIDIA, OpenAI and lookalikes, GitHub, Slack. */
const SECRET_VALUE = /\b(hf_[A-Za-z0-9]{20,}|(AKIA|ASIA)[A-Z0-9]{16}|nvapi-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,})/;
const SECRET_FLAG = /^--[a-z0-9_-]*(token|key|password|passwd|secret|credentials?)=(.+)$/i;
/** `$(NAME)` of Kubernetes and `${ref:name}` of ours stand for a value that comes later; a path names where it is. */
const REFERENCE = /^(\$\(|\$\{|\/)/;
/** Settings with such a name that hold no secret: numbers and switches. */
const HARMLESS = /^(\d+(\.\d+)?|true|false|yes|no|on|off|none|auto)?$/i;

/** A variable that holds a secret in plain text: by its name, or by how the value looks. */
export function holdsSecret({ name, value }: { readonly name: string; readonly value: string }): boolean {
  if (SECRET_VALUE.test(value)) return true;
  return SECRET_NAME.test(name) && !HARMLESS.test(value) && !REFERENCE.test(value);
}

/** An argument that holds a secret in plain text: `--api-key=...`. */
export function secretArgument(arg: string): boolean {
  if (SECRET_VALUE.test(arg)) return true;
  const value = SECRET_FLAG.exec(arg)?.[2];
  return value !== undefined && !HARMLESS.test(value) && !REFERENCE.test(value);
}
