import {
  asManifest,
  type Finding,
  type Manifest,
  type ManifestRule,
  manifestFindings,
  manifestRules,
  sortFindings,
} from "@capstan/core";

/** The rules that judge Kubernetes objects, whoever wrote them: one implementation for constructs, plans and policy. */
export const policyRules: readonly ManifestRule[] = manifestRules;

/** Findings of all objects; an object acknowledges a rule by the annotation `capstan.dev/acknowledge`. */
export function judgeManifests(manifests: readonly Manifest[]): Finding[] {
  return sortFindings(manifests.flatMap(manifestFindings));
}

/** The same for the resources that a Pulumi program registers: what is no Kubernetes object is not judged. */
export function judgeRecording(resources: readonly { readonly type: string; readonly inputs: object }[]): Finding[] {
  const objects = resources.filter((r) => r.type.startsWith("kubernetes:")).map((r) => asManifest(r.inputs));
  return judgeManifests(objects.filter((object) => object !== null));
}
