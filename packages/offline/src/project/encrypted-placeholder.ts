import { SECRET_TEXT } from "../recording.ts";
import type { ItemType } from "./config-declaration.ts";
import type { ConfigValue } from "./config-value.ts";

/** Smallest values of each type, as JSON. A text stays the placeholder that it is. */
const PLACEHOLDERS: Readonly<Record<string, unknown>> = { integer: 0, boolean: false, object: {}, array: [] };

/**
 * Where the type of an encrypted value is declared, a value of that type stands for it: a program that reads a number
 * gets one, and it is secret still. Other values stay as they are.
 */
export function withTypedPlaceholder(value: ConfigValue, type: ItemType | undefined): ConfigValue {
  if (!value.secret || type === undefined) return value;
  const before: unknown = value.structure ? JSON.parse(value.text) : value.text;
  const after = placed(before, type);
  if (after === before) return value;
  return { text: JSON.stringify(after), structure: typeof after === "object", secret: true };
}

function placed(value: unknown, type: ItemType): unknown {
  if (value === SECRET_TEXT) return PLACEHOLDERS[type.type] ?? value;
  const { items } = type;
  return Array.isArray(value) && items !== undefined ? value.map((item) => placed(item, items)) : value;
}
