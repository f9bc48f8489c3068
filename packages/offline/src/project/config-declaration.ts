import type { Document } from "yaml";
import { isAlias, isMap, isScalar } from "yaml";
import { UserError } from "../errors.ts";
import type { ConfigValue } from "./config-value.ts";
import { configValueOf } from "./config-value.ts";
import { TO_JS } from "./yaml-file.ts";

/** Declared type of a value or of a list's items. */
export interface ItemType {
  readonly type: string;
  readonly items?: ItemType;
}

/** One entry of `config` in a Pulumi.yaml: what a stack must or may set. */
export interface ConfigDeclaration {
  /** With the namespace: `project:replicas`, `aws:region`. */
  readonly key: string;
  /** Undefined: any type. */
  readonly type: ItemType | undefined;
  /** Stands in where the stack says nothing; undefined: the stack must say something. */
  readonly fallback: ConfigValue | undefined;
  readonly secret: boolean;
}

const TYPES = ["string", "integer", "boolean", "array", "object"];

export function configDeclarations(file: string, project: string, document: Document): ConfigDeclaration[] {
  const config = document.get("config", true);
  if (!isMap(config)) return [];
  return config.items.map(({ key, value: written }) => {
    const value = isAlias(written) ? written.resolve(document) : written;
    const name = String(isScalar(key) ? key.value : key);
    const qualified = name.includes(":") ? name : `${project}:${name}`;
    if (!isMap(value))
      return { key: qualified, type: undefined, fallback: configValueOf(value, document), secret: false };

    const { type, items, secret = false } = value.toJS(document, TO_JS) as Record<string, unknown>;
    const own = qualified.startsWith(`${project}:`);
    const fallback = value.get(own ? "default" : "value", true) ?? value.get("value", true);
    if (!own && fallback === undefined) {
      throw new UserError(`${file}: "config.${name}" is of another namespace than the project and needs a "value"`);
    }
    return {
      key: qualified,
      type: type === undefined ? undefined : itemType(file, `config.${name}`, { type, items }),
      fallback: fallback === undefined ? undefined : configValueOf(fallback, document),
      secret: secret === true,
    };
  });
}

function itemType(file: string, path: string, { type, items }: { type?: unknown; items?: unknown }): ItemType {
  if (typeof type !== "string" || !TYPES.includes(type)) {
    throw new UserError(`${file}: "${path}.type" is ${JSON.stringify(type)}; valid are ${TYPES.join(", ")}`);
  }
  if (type !== "array") return { type };
  if (typeof items !== "object" || items === null)
    throw new UserError(`${file}: "${path}" is an array and needs "items"`);
  return { type, items: itemType(file, `${path}.items`, items) };
}

/** Null when the value is of the declared type, else what it should have been. */
export function typeMismatch(value: ConfigValue, type: ItemType): string | null {
  // What is encrypted cannot be judged: only a placeholder stands here.
  if (value.secret) return null;
  return isOfType(value.structure ? parsed(value.text) : value.text, type) ? null : typeName(type);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isOfType(value: unknown, { type, items }: ItemType): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value) || (typeof value === "string" && /^[+-]?\d+$/.test(value));
    case "boolean":
      return typeof value === "boolean" || value === "true" || value === "false";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return Array.isArray(value) && items !== undefined && value.every((item) => isOfType(item, items));
  }
}

function typeName({ type, items }: ItemType): string {
  return items === undefined ? type : `${type}<${typeName(items)}>`;
}
