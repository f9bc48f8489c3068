import type { Document } from "yaml";
import { isAlias, isNode, isScalar } from "yaml";
import { SECRET_TEXT } from "../recording.ts";
import { TO_JS } from "./yaml-file.ts";

/** A value of stack configuration as the program gets it. */
export interface ConfigValue {
  /** The text, JSON when `structure`. */
  readonly text: string;
  /** The file has a mapping or a list here. */
  readonly structure: boolean;
  /** Some or all of it is encrypted in the file: `[secret]` stands for that, since only a deployment can decrypt it. */
  readonly secret: boolean;
}

/** Scalars keep their spelling (`1.10` stays `1.10`), as they do with Pulumi. */
export function configValueOf(written: unknown, document: Document): ConfigValue {
  const node = isAlias(written) ? written.resolve(document) : written;
  if (isScalar(node)) {
    const text =
      node.value === null ? "" : typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
    return { text, structure: false, secret: false };
  }
  const value: unknown = isNode(node) ? node.toJS(document, TO_JS) : node;
  if (isEncrypted(value)) return { text: SECRET_TEXT, structure: false, secret: true };
  if (typeof value !== "object" || value === null)
    return { text: String(value ?? ""), structure: false, secret: false };
  const found = { secret: false };
  const text = JSON.stringify(withoutEncrypted(value, found));
  return { text, structure: true, secret: found.secret };
}

/** How Pulumi writes an encrypted value: `secure: v1:...`, alone in its mapping. */
function isEncrypted(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const [only, ...others] = Object.entries(value);
  return only?.[0] === "secure" && typeof only[1] === "string" && others.length === 0;
}

function withoutEncrypted(value: unknown, found: { secret: boolean }): unknown {
  if (isEncrypted(value)) {
    found.secret = true;
    return SECRET_TEXT;
  }
  if (Array.isArray(value)) return value.map((item) => withoutEncrypted(item, found));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutEncrypted(item, found)]));
}
