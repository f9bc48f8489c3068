import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider.js";
import type * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";

export function createProvider(
  parent: pulumi.Resource,
  name: string,
  input: {
    readonly kubeconfig: pulumi.Input<string>;
    readonly clusterIdentifier: pulumi.Input<string>;
    readonly transform: Transform<ProviderArgs> | undefined;
  },
): Provider {
  const args: ProviderArgs = {
    kubeconfig: input.kubeconfig,
    // Without it a kubeconfig that is not known yet makes the provider, and with it every object, look replaced.
    clusterIdentifier: input.clusterIdentifier,
    enableServerSideApply: true,
    // A changed ConfigMap or Secret is an update; the checksum annotations of the pods restart them.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
  };
  return new Provider(name, transformed(input.transform, args, name), { parent });
}
