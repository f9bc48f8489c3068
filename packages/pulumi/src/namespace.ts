import type { AddonNamespace } from "@capstan/addons";
import { MANAGED_BY } from "@capstan/core";
import type * as pulumi from "@pulumi/pulumi";
import { KubernetesObject, resourceName } from "./kubernetes-object.ts";

/** The namespace of an add-on. Without the standard a cluster that enforces one refuses node agents without an event. */
export function addonNamespace(
  component: string,
  { name, podSecurity }: AddonNamespace,
  opts: pulumi.CustomResourceOptions,
): KubernetesObject {
  const metadata = {
    name,
    labels: {
      "app.kubernetes.io/managed-by": MANAGED_BY,
      "pod-security.kubernetes.io/enforce": podSecurity,
      "pod-security.kubernetes.io/warn": podSecurity,
    },
  };
  return new KubernetesObject(
    resourceName(component, metadata),
    { apiVersion: "v1", kind: "Namespace", metadata },
    opts,
  );
}
