import { createHash } from "node:crypto";

/**
 * A name that changes with the content. The GPU Operator does not watch the ConfigMaps that its operands read: only a
 * new name makes it roll them.
 */
export function contentName(prefix: string, content: unknown): string {
  return `${prefix}-${createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 10)}`;
}
