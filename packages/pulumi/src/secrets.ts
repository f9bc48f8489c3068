import { MANAGED_BY, type ResolvedPlatform, type SecretKey } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { KubernetesObject, type Manifest, type ManifestTransform, resourceName } from "./kubernetes-object.ts";

/** Values by secret name and key. */
export type SecretValues = Readonly<Record<string, Readonly<Record<string, pulumi.Input<string>>>>>;

export interface NamespacedSecret {
  readonly namespace: string;
  readonly name: string;
  readonly values: Readonly<Record<string, pulumi.Input<string>>>;
}

/**
 * The given secrets in every namespace that refers to them. What nobody refers to, and a key that somebody refers to and
 * that is not given, is a mistake; a secret that is not given at all is there already.
 */
export function secretsByNamespace(platform: ResolvedPlatform, given: SecretValues): NamespacedSecret[] {
  const references = [...referencesOf(platform).values()];
  const problems: string[] = [];
  for (const name of Object.keys(given)) {
    if (references.some(({ secret }) => secret.secretName === name)) continue;
    const known = [...new Set(references.map(({ secret }) => secret.secretName))];
    problems.push(
      `secrets.${name} is referred to by no service and no cache; ` +
        (known.length === 0 ? "none of them refers to a secret" : `they refer to ${known.join(", ")}`),
    );
  }
  for (const { secret, namespace } of references) {
    const values = given[secret.secretName];
    if (values !== undefined && !(secret.key in values)) {
      problems.push(
        `secrets.${secret.secretName} has no key ${secret.key}, which namespace ${namespace} reads; add it`,
      );
    }
  }
  if (problems.length > 0) throw new Error([...new Set(problems)].join("\n"));
  const byId = new Map<string, NamespacedSecret>();
  for (const { secret, namespace } of references) {
    const values = given[secret.secretName];
    if (values) byId.set(`${namespace}/${secret.secretName}`, { namespace, name: secret.secretName, values });
  }
  return [...byId.values()];
}

interface Reference {
  readonly namespace: string;
  readonly secret: SecretKey;
}

function referencesOf(platform: ResolvedPlatform): Map<string, Reference> {
  const found = new Map<string, Reference>();
  const add = (namespace: string, secret: SecretKey) =>
    found.set(`${namespace}/${secret.secretName}/${secret.key}`, { namespace, secret });
  for (const service of platform.services) {
    for (const { secret } of service.secretEnvironment) add(service.namespace, secret);
  }
  for (const preloader of platform.preloaders) {
    for (const { source } of preloader.models) {
      if (source.kind === "hub" && source.token) add(preloader.namespace, source.token);
    }
  }
  return found;
}

export function createSecrets(
  component: string,
  secrets: readonly NamespacedSecret[],
  after: (namespace: string) => readonly pulumi.Resource[],
  parent: pulumi.Resource,
  transform: ManifestTransform | undefined,
): { readonly namespace: string; readonly resource: KubernetesObject }[] {
  return secrets.map(({ namespace, name, values }) => {
    const manifest: Manifest = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace, labels: { "app.kubernetes.io/managed-by": MANAGED_BY } },
      type: "Opaque",
      // Each value by itself: a preview shows the keys.
      stringData: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, pulumi.secret(value)])),
    };
    const final = transform?.(manifest) ?? manifest;
    const resource = new KubernetesObject(resourceName(component, final.metadata), final as Manifest & pulumi.Inputs, {
      parent,
      dependsOn: [...after(namespace)],
    });
    return { namespace, resource };
  });
}
