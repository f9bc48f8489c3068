import { createHash } from "node:crypto";

/** For a pod template's annotations: other content is another pod, where a running one would not notice the change. */
export function checksum(contents: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(contents)).digest("hex").slice(0, 16);
}
