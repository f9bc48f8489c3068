import { StorageClass, type StorageClassArgs } from "@pulumi/kubernetes/storage/v1/storageClass.js";
import type * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";

const GP3 = "gp3";

/** The default class: encrypted gp3 volumes, made in the zone of the pod that wants them and not before. */
export function createGp3StorageClass(
  parent: pulumi.Resource,
  name: string,
  transform: Transform<StorageClassArgs> | undefined,
  opts: pulumi.CustomResourceOptions,
): StorageClass {
  const args: StorageClassArgs = {
    metadata: { name: GP3, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "ebs.csi.aws.com",
    parameters: { type: "gp3", encrypted: "true" },
    reclaimPolicy: "Delete",
    // Immediate binding would choose a zone in which the pod's pool may have no node.
    volumeBindingMode: "WaitForFirstConsumer",
    allowVolumeExpansion: true,
  };
  return new StorageClass(name, transformed(transform, args, name), { parent, ...opts });
}
