import { CLUSTER_AUTOSCALER_SERVICE_ACCOUNT } from "@capstan/addons";
import { type Identity, isRef, type ResolvedPlatform } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster.ts";
import { clusterAutoscalerPolicy } from "../iam/cluster-autoscaler.ts";
import { modelReaderPolicy } from "../iam/model-reader.ts";
import { createPodRole, type PodRole, type PodRoleTransform } from "../iam/pod-role.ts";
import { type S3Location, s3Readers } from "./findings.ts";

export interface IdentityInput {
  readonly platform: ResolvedPlatform;
  readonly cluster: Pick<Cluster, "name" | "region">;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: PodRoleTransform | undefined;
}

/** A role for each service account that talks to AWS, with what that one needs. */
export function createIdentities(parent: pulumi.Resource, name: string, input: IdentityInput): PodRole[] {
  const { platform, cluster, tags, transform } = input;
  const common = { clusterName: cluster.name, managedPolicyArns: [], associate: true, tags, transform };
  const autoscaler =
    platform.addons.clusterAutoscaler === "install"
      ? [
          createPodRole(parent, `${name}-cluster-autoscaler`, {
            ...common,
            namespace: CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.namespace,
            serviceAccount: CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.name,
            policy: cluster.name.apply((clusterName) =>
              clusterAutoscalerPolicy({ name: clusterName, region: cluster.region }),
            ),
          }),
        ]
      : [];
  const readers = s3Readers(platform).map((reader) =>
    createPodRole(parent, `${name}-${reader.namespace}-${reader.serviceAccount}`, {
      ...common,
      namespace: reader.namespace,
      serviceAccount: reader.serviceAccount,
      policy: readerPolicy(cluster.region, reader.sources),
    }),
  );
  return [...autoscaler, ...readers];
}

function readerPolicy(region: string, sources: readonly S3Location[]) {
  const locations = sources.map(({ bucket, prefix }) => pulumi.output({ bucket: known(bucket), prefix }));
  return pulumi.all(locations).apply((resolved) => modelReaderPolicy(region, resolved));
}

function known(identity: Identity): pulumi.Output<string> {
  if (!isRef(identity)) return pulumi.output(identity);
  if (identity.value === undefined) {
    throw new Error(
      `the value of ref "${identity.name}" is not known to this program; make it with ref("${identity.name}", value), where value is a string or a Pulumi output`,
    );
  }
  return pulumi.output(identity.value as pulumi.Input<string>);
}
