import type { ResolvedPool } from "@capstan/core";
import type { LaunchTemplateArgs } from "@pulumi/aws/ec2/launchTemplate.js";
import type * as pulumi from "@pulumi/pulumi";

export interface LaunchTemplateInput {
  readonly pool: ResolvedPool;
  readonly userData: pulumi.Input<string> | undefined;
  /** Security groups of EFA interfaces; null where EKS attaches the cluster's own group by itself. */
  readonly efaSecurityGroupIds: readonly pulumi.Input<string>[] | null;
  readonly placementGroupName: pulumi.Input<string> | null;
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

/** All that the NodeGroup API cannot say about a node. Labels and taints are not here: EKS merges its own into nodeadm's. */
export function launchTemplateArgs(input: LaunchTemplateInput): LaunchTemplateArgs {
  const { pool } = input;
  return {
    blockDeviceMappings: blockDevices(pool),
    // Hop limit 1 keeps pods from the node's role; they have Pod Identity.
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
      resourceType,
      tags: { ...input.tags },
    })),
    tags: { ...input.tags },
    updateDefaultVersion: true,
    ...(pool.ami.id !== null && { imageId: pool.ami.id }),
    ...(input.userData !== undefined && { userData: input.userData }),
    ...(input.efaSecurityGroupIds && { networkInterfaces: efaInterfaces(pool, input.efaSecurityGroupIds) }),
    ...(input.placementGroupName !== null && { placement: { groupName: input.placementGroupName } }),
    ...capacity(pool),
  };
}

/**
 * MiB/s of the volume that a GPU node pulls images of 10 GB and more to; gp3 gives 125 by itself. The 3000 IOPS that every
 * gp3 volume has are enough for 750 (EBS user guide, 0.25 MiB/s for each).
 */
const IMAGE_VOLUME_MIBPS = 500;

/** Size belongs into the template: with one, EKS refuses `diskSize` on the node group. */
function blockDevices(pool: ResolvedPool): LaunchTemplateArgs["blockDeviceMappings"] {
  const volume = {
    volumeType: "gp3",
    volumeSize: pool.rootVolumeGib,
    // With `raid0` the images are on the instance store, and a faster root would be paid for in vain.
    ...(pool.kind === "gpu" && pool.localStorage === "none" && { throughput: IMAGE_VOLUME_MIBPS }),
    encrypted: "true",
    deleteOnTermination: "true",
  };
  switch (pool.ami.family) {
    case "al2023":
      return [{ deviceName: "/dev/xvda", ebs: volume }];
    case "ubuntu":
      return [{ deviceName: "/dev/sda1", ebs: volume }];
    case "bottlerocket": {
      // The system has a small volume of its own, as large as the image says; images, logs and pods are on the second.
      const { volumeSize: _size, throughput: _throughput, ...system } = volume;
      return [
        { deviceName: "/dev/xvda", ebs: system },
        { deviceName: "/dev/xvdb", ebs: volume },
      ];
    }
  }
}

/**
 * One interface for each network card. The first carries the node's address; the others are `efa-only`, which takes no
 * address out of the subnet. Security groups are on the interfaces: EC2 refuses a template that also names them itself.
 */
function efaInterfaces(
  pool: ResolvedPool,
  securityGroupIds: readonly pulumi.Input<string>[],
): LaunchTemplateArgs["networkInterfaces"] {
  return Array.from({ length: pool.efaInterfaces }, (_, card) => ({
    networkCardIndex: card,
    deviceIndex: card === 0 ? 0 : 1,
    interfaceType: card === 0 ? "efa" : "efa-only",
    deleteOnTermination: "true",
    associatePublicIpAddress: "false",
    securityGroups: [...securityGroupIds],
  }));
}

/** Spot is said by the node group alone: EKS refuses a template with market options there. */
function capacity(
  pool: ResolvedPool,
): Pick<LaunchTemplateArgs, "capacityReservationSpecification" | "instanceMarketOptions" | "instanceType"> {
  const { kind, reservationId } = pool.capacity;
  if (reservationId === null) return {};
  const target = {
    capacityReservationSpecification: { capacityReservationTarget: { capacityReservationId: reservationId } },
  };
  if (kind !== "capacity-block") return target;
  return { ...target, instanceMarketOptions: { marketType: "capacity-block" }, instanceType: pool.instanceTypes[0]! };
}
