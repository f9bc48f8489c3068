import type { Acknowledgements, Finding } from "../finding.ts";
import { ACKNOWLEDGE_ANNOTATION } from "../labels.ts";
import type { Manifest } from "./manifest.ts";
import { manifestRules } from "./registry.ts";
import { toFinding } from "./rule.ts";

/** What the manifest rules say of an object: one that a construct rendered, after its transforms, or one written by hand. */
export function manifestFindings(manifest: Manifest): Finding[] {
  const acknowledge = acknowledgements(manifest);
  return manifestRules.flatMap((rule) => rule.check(manifest).map((hit) => toFinding(rule, hit, manifestPath(manifest), acknowledge)));
}

export function manifestPath(manifest: Manifest): string {
  const { name, namespace } = manifest.metadata;
  return ["manifests", manifest.kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
}

/** `capstan.dev/acknowledge: {"manifest.image.floating": "mirrored by digest at admission"}` */
function acknowledgements(manifest: Manifest): Acknowledgements {
  const text = manifest.metadata.annotations?.[ACKNOWLEDGE_ANNOTATION];
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}
