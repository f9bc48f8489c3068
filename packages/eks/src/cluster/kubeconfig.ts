import type { Input } from "@pulumi/pulumi";
import * as pulumi from "@pulumi/pulumi";

export interface KubeconfigInput {
  readonly clusterName: Input<string>;
  readonly region: string;
  readonly endpoint: Input<string>;
  /** Base64. */
  readonly certificateAuthority: Input<string>;
  readonly credentials: ClusterCredentials | undefined;
}

/** Whose AWS credentials talk to the API server. */
export interface ClusterCredentials {
  /** Role to take first. @default - the credentials that run Pulumi */
  readonly roleArn?: Input<string>;
  /** Profile of the AWS configuration file. @default - the one of the environment */
  readonly profile?: string;
}

/**
 * A kubeconfig that asks the AWS CLI for a token when one is needed. It holds none itself: a token in the state would be
 * readable there, and would be out of date at the next deployment.
 */
export function kubeconfig(input: KubeconfigInput): pulumi.Output<string> {
  return pulumi
    .all([input.clusterName, input.endpoint, input.certificateAuthority, input.credentials?.roleArn])
    .apply(([name, server, certificateAuthority, roleArn]) =>
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name, cluster: { server, "certificate-authority-data": certificateAuthority } }],
        users: [{ name, user: { exec: execConfig(name, input, roleArn) } }],
        contexts: [{ name, context: { cluster: name, user: name } }],
        "current-context": name,
      }),
    );
}

function execConfig(clusterName: string, input: KubeconfigInput, roleArn: string | undefined): object {
  const profile = input.credentials?.profile;
  return {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: "aws",
    args: [
      "eks",
      "get-token",
      "--region",
      input.region,
      "--cluster-name",
      clusterName,
      "--output",
      "json",
      ...(roleArn === undefined ? [] : ["--role-arn", roleArn]),
    ],
    ...(profile !== undefined && { env: [{ name: "AWS_PROFILE", value: profile }] }),
    interactiveMode: "Never",
  };
}
