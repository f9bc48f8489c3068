import { OpenIdConnectProvider, type OpenIdConnectProviderArgs } from "@pulumi/aws/iam/openIdConnectProvider.js";
import type * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";

/** Lets roles trust service accounts directly, for software that does not know Pod Identity yet. */
export function createOidcProvider(
  parent: pulumi.Resource,
  name: string,
  issuer: pulumi.Input<string>,
  tags: Readonly<Record<string, pulumi.Input<string>>>,
  transform: Transform<OpenIdConnectProviderArgs> | undefined,
): OpenIdConnectProvider {
  const args = { url: issuer, clientIdLists: ["sts.amazonaws.com"], tags: { ...tags } };
  // Its parent is the cluster, which is protected in production; this holds nothing.
  return new OpenIdConnectProvider(name, transformed(transform, args, name), { parent, protect: false });
}
