import { type Recording, renderTree } from "@capstan/offline";
import { parse } from "yaml";

/** An object of the YAML tree, as the API server gets it. */
export interface RenderedObject {
  /** Path in the tree: `search/deployment-llama-8b.yaml`. */
  readonly path: string;
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly [key: string]: unknown;
  };
}

/** The Kubernetes objects of a program's tree; Helm releases, which the API server never sees, are left out. */
export function renderedObjects(recording: Recording): RenderedObject[] {
  return renderTree(recording)
    .files.filter(({ path }) => !path.startsWith("helm/"))
    .map(({ path, content }) => ({ path, object: parse(content) as RenderedObject["object"] }));
}
