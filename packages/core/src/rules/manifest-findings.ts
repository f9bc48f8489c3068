import type { Acknowledgements, Finding } from "../finding.ts";
import { ACKNOWLEDGE_ANNOTATION } from "../labels.ts";
import type { Manifest } from "./manifest.ts";
import { fields, reading } from "./manifest-rules/objects.ts";
import { manifestRules } from "./registry.ts";
import { toFinding } from "./rule.ts";

/** What the manifest rules say of an object: one that a construct rendered, after its transforms, or one written by hand. */
export function manifestFindings(manifest: Manifest): Finding[] {
  const acknowledge = acknowledgements(manifest);
  const findings: Finding[] = [];
  reading(manifest, () => {
    for (const rule of manifestRules) {
      for (const hit of rule.check(manifest)) findings.push(toFinding(rule, hit, manifestPath(manifest), acknowledge));
    }
  });
  return findings;
}

export function manifestPath(manifest: Manifest): string {
  // What teams wrote by hand may lack any of these.
  const { name, namespace } = fields(manifest.metadata);
  const parts = [manifest.kind, namespace, name].filter((part): part is string => typeof part === "string");
  return ["manifests", ...parts].join("/");
}

/** `capstan.dev/acknowledge: {"manifest.image.floating": "mirrored by digest at admission"}` */
function acknowledgements(manifest: Manifest): Acknowledgements {
  const text = fields(fields(manifest.metadata).annotations)[ACKNOWLEDGE_ANNOTATION];
  if (typeof text !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}
