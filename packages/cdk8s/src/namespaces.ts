import type { ResolvedNamespace } from "@capstan/core";
import type { ApiObject } from "cdk8s";
import { Construct } from "constructs";
import type { INamespace, IResourceQuota } from "kubernetes-models/v1";
import { createClusterObject, createObject, type Transform } from "./object.ts";

/** Called once for each namespace; the manifest says which. */
export interface NamespacesTransform {
  readonly namespace?: Transform<INamespace>;
  readonly resourceQuota?: Transform<IResourceQuota>;
}

export interface NamespacesProps {
  readonly namespaces: readonly ResolvedNamespace[];
  /** @default - the objects stay as rendered */
  readonly transform?: NamespacesTransform;
}

/** The namespaces of a platform, each with the pod security labels and the quota that were resolved for it. */
export class Namespaces extends Construct {
  /** The Namespace objects by name, for what has to come after them. */
  readonly objects: ReadonlyMap<string, ApiObject>;

  constructor(scope: Construct, id: string, props: NamespacesProps) {
    super(scope, id);
    const { namespaces, transform = {} } = props;
    this.objects = new Map(namespaces.map((resolved) => [resolved.name, createNamespace(this, resolved, transform)]));
  }
}

function createNamespace(scope: Construct, resolved: ResolvedNamespace, transform: NamespacesTransform): ApiObject {
  const object = createClusterObject(scope, `namespace-${resolved.name}`, namespace(resolved), transform.namespace);
  if (Object.keys(resolved.quota).length > 0) {
    createObject(scope, `quota-${resolved.name}`, resourceQuota(resolved), transform.resourceQuota);
  }
  return object;
}

function namespace(resolved: ResolvedNamespace): INamespace {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: resolved.name, labels: { ...resolved.labels } } };
}

function resourceQuota(resolved: ResolvedNamespace): IResourceQuota {
  return {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: QUOTA_NAME, namespace: resolved.name, labels: ownLabels(resolved) },
    spec: { hard: { ...resolved.quota } },
  };
}

const QUOTA_NAME = "capstan";

/** The namespace's labels without those that tell the API server how to admit its pods. */
function ownLabels(resolved: ResolvedNamespace): Record<string, string> {
  return Object.fromEntries(
    Object.entries(resolved.labels).filter(([key]) => !key.startsWith("pod-security.kubernetes.io/")),
  );
}
