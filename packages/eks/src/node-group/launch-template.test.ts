import { capacityBlock, cpuPool, type GpuPoolProps, gpuPool, reservation } from "@capstan/core";
import { expect, test } from "vitest";
import { resolved } from "../testing/pools.ts";
import { launchTemplateArgs } from "./launch-template.ts";

const size = { min: 0, max: 2 };
const reservationId = "cr-0123456789abcdef0";

function argsOf(pool: Parameters<typeof resolved>[0], efaSecurityGroupIds: readonly string[] | null = null) {
  return launchTemplateArgs({
    pool: resolved(pool),
    userData: undefined,
    efaSecurityGroupIds,
    placementGroupName: null,
    tags: { "capstan.dev/pool": "x" },
  });
}

function h100(change: Partial<GpuPoolProps<"p5.48xlarge">> = {}) {
  return gpuPool<"p5.48xlarge">({
    name: "h100",
    instanceType: "p5.48xlarge",
    size,
    zones: ["eu-central-1a"],
    ...change,
  });
}

test("pods cannot reach the node's role, and the disk is encrypted", () => {
  const args = argsOf(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, rootVolumeGib: 300 }));
  expect(args.metadataOptions).toEqual({ httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 });
  expect(args.blockDeviceMappings).toEqual([
    {
      deviceName: "/dev/xvda",
      ebs: { volumeType: "gp3", volumeSize: 300, throughput: 500, encrypted: "true", deleteOnTermination: "true" },
    },
  ]);
});

test("Bottlerocket's data is on its second volume", () => {
  const args = argsOf(
    gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiFamily: "bottlerocket", rootVolumeGib: 300 }),
  );
  expect(args.blockDeviceMappings).toEqual([
    { deviceName: "/dev/xvda", ebs: { volumeType: "gp3", encrypted: "true", deleteOnTermination: "true" } },
    {
      deviceName: "/dev/xvdb",
      ebs: { volumeType: "gp3", volumeSize: 300, throughput: 500, encrypted: "true", deleteOnTermination: "true" },
    },
  ]);
});

test("the volume is fast where a GPU node pulls images to it, and nowhere else", () => {
  const throughput = (pool: Parameters<typeof resolved>[0]) =>
    (argsOf(pool).blockDeviceMappings as { ebs: { throughput?: number } }[]).map(({ ebs }) => ebs.throughput);
  const l4 = { name: "l4", instanceType: "g6.2xlarge", size } as const;
  expect(throughput(gpuPool(l4))).toEqual([500]);
  expect(throughput(gpuPool({ ...l4, localStorage: "raid0" }))).toEqual([undefined]);
  expect(throughput(gpuPool({ ...l4, amiFamily: "bottlerocket" }))).toEqual([undefined, 500]);
  expect(throughput(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size }))).toEqual([undefined]);
});

test("tags instances, volumes and network interfaces, which do not inherit the node group's", () => {
  const args = argsOf(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size }));
  expect(args.tagSpecifications).toEqual(
    ["instance", "volume", "network-interface"].map((resourceType) => ({
      resourceType,
      tags: { "capstan.dev/pool": "x" },
    })),
  );
});

// NODE-13
test("says nothing of spot: EKS refuses it here", () => {
  const args = argsOf(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, capacity: "spot" }));
  expect(args).not.toHaveProperty("instanceMarketOptions");
  expect(args).not.toHaveProperty("capacityReservationSpecification");
  expect(args).not.toHaveProperty("instanceType");
});

// NODE-14
test("a capacity block names market, reservation and type", () => {
  const args = argsOf(h100({ capacity: capacityBlock(reservationId) }));
  expect(args.instanceMarketOptions).toEqual({ marketType: "capacity-block" });
  expect(args.capacityReservationSpecification).toEqual({
    capacityReservationTarget: { capacityReservationId: reservationId },
  });
  expect(args.instanceType).toBe("p5.48xlarge");
});

test("a reservation is on-demand capacity that the template points at", () => {
  const args = argsOf(h100({ capacity: reservation(reservationId) }));
  expect(args.capacityReservationSpecification).toEqual({
    capacityReservationTarget: { capacityReservationId: reservationId },
  });
  expect(args).not.toHaveProperty("instanceMarketOptions");
  expect(args).not.toHaveProperty("instanceType");
});

// NODE-17
test("EFA has an interface on every card, with the security groups on each", () => {
  const args = argsOf(h100({ efa: true }), ["sg-nodes", "sg-efa"]);
  const interfaces = args.networkInterfaces as unknown as readonly Record<string, unknown>[];
  expect(interfaces).toHaveLength(32);
  expect(interfaces[0]).toEqual({
    networkCardIndex: 0,
    deviceIndex: 0,
    interfaceType: "efa",
    deleteOnTermination: "true",
    associatePublicIpAddress: "false",
    securityGroups: ["sg-nodes", "sg-efa"],
  });
  expect(interfaces[31]).toMatchObject({ networkCardIndex: 31, deviceIndex: 1, interfaceType: "efa-only" });
  expect(interfaces.every(({ securityGroups }) => (securityGroups as string[]).length === 2)).toBe(true);
  expect(args).not.toHaveProperty("vpcSecurityGroupIds");
});

test("without EFA EKS attaches the cluster's own security group", () => {
  const args = argsOf(h100());
  expect(args).not.toHaveProperty("networkInterfaces");
  expect(args).not.toHaveProperty("vpcSecurityGroupIds");
});

test("an image of one's own is named here", () => {
  const pool = gpuPool({
    name: "l4",
    instanceType: "g6.2xlarge",
    size,
    amiFamily: "ubuntu",
    amiId: "ami-0123456789abcdef0",
  });
  const args = argsOf(pool);
  expect(args.imageId).toBe("ami-0123456789abcdef0");
  expect(args.blockDeviceMappings).toMatchObject([{ deviceName: "/dev/sda1" }]);
});
