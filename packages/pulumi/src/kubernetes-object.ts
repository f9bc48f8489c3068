import { getVersion } from "@pulumi/kubernetes/utilities.js";
import * as pulumi from "@pulumi/pulumi";

/** A Kubernetes object as plain data, the way YAML has it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: ManifestMetadata;
  [field: string]: unknown;
}

export interface ManifestMetadata {
  name: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  [field: string]: unknown;
}

/** Changes a manifest last of all: edit it in place, or return another one. */
// biome-ignore lint/suspicious/noConfusingVoidType: an in-place edit is written as a function without return.
export type ManifestTransform = (manifest: Manifest) => Manifest | void;

/** `core/v1` stands for the group without a name. */
function pulumiType(apiVersion: string, kind: string): string {
  return `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
}

/**
 * Contract: what a resource is called. Renaming one replaces the object. The kind is in the type, so two objects of one
 * name and namespace do not meet.
 */
export function resourceName(component: string, metadata: ManifestMetadata): string {
  return [component, metadata.namespace, metadata.name].filter((part) => part !== undefined).join("/");
}

/**
 * One Kubernetes object of any kind, under the type of Pulumi's Kubernetes provider. Inputs may be Outputs at any depth:
 * each is unknown or secret on its own, so that a preview shows all the rest.
 */
export class KubernetesObject extends pulumi.CustomResource {
  declare readonly metadata: pulumi.Output<ManifestMetadata>;

  constructor(
    name: string,
    manifest: pulumi.Inputs & { apiVersion: string; kind: string },
    opts: pulumi.CustomResourceOptions,
  ) {
    super(pulumiType(manifest.apiVersion, manifest.kind), name, manifest, {
      // Without it the engine takes whichever provider plugin is newest on the machine.
      version: getVersion(),
      ...(manifest.kind === "Secret" ? { additionalSecretOutputs: ["data", "stringData"] } : {}),
      ...opts,
    });
  }
}
