import { OpenIdConnectProvider } from "@pulumi/aws/iam/openIdConnectProvider.js";
import type * as pulumi from "@pulumi/pulumi";

/** Lets roles trust service accounts directly, for software that does not know Pod Identity yet. */
export function createOidcProvider(
  parent: pulumi.Resource,
  name: string,
  issuer: pulumi.Input<string>,
  tags: Readonly<Record<string, pulumi.Input<string>>>,
): OpenIdConnectProvider {
  return new OpenIdConnectProvider(
    name,
    { url: issuer, clientIdLists: ["sts.amazonaws.com"], tags: { ...tags } },
    { parent },
  );
}
