import type * as pulumi from "@pulumi/pulumi";

/** Any type of the package; only the package counts. */
const ANY_KUBERNETES_TYPE = "kubernetes:core/v1:Pod";

/**
 * Refuses a component that would use the ambient kubeconfig: it may point to any cluster, and another one on each
 * machine. Checked before anything is registered.
 */
export function requireProvider(subject: string, opts: pulumi.ComponentResourceOptions | undefined): void {
  const given = opts?.provider ? [opts.provider] : [];
  const named = opts?.providers ?? {};
  if (!Array.isArray(named) && named.kubernetes) return;
  if ([...given, ...(Array.isArray(named) ? named : [])].some(isKubernetes)) return;
  if (opts?.parent?.getProvider(ANY_KUBERNETES_TYPE)) return;
  throw new Error(
    `${subject} has no Kubernetes provider, so it would go to whatever cluster the kubeconfig of the machine names; ` +
      "give it one: { provider: cluster.provider }, or { providers: { kubernetes: ... } } on it or on its parent",
  );
}

/** `getPackage` is there in every version of the SDK, but not in its types. */
function isKubernetes(provider: pulumi.ProviderResource): boolean {
  return (provider as unknown as { getPackage(): string }).getPackage() === "kubernetes";
}
