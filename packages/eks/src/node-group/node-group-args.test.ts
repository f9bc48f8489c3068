import { capacityBlock, cpuPool, gpuPool, reservation } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { resolved } from "../testing/pools.ts";
import { nodeGroupArgs, nodeGroupTimeouts } from "./node-group-args.ts";

const size = { min: 0, max: 2 };

function argsOf(pool: Parameters<typeof resolved>[0]) {
  return nodeGroupArgs({
    pool: resolved(pool),
    clusterName: "prod",
    nodeRoleArn: "arn:aws:iam::111122223333:role/node",
    subnetIds: ["subnet-1"],
    launchTemplate: { id: pulumi.output("lt-1"), latestVersion: pulumi.output(7) },
    tags: {},
  });
}

test("says what the API wants, in its own spelling", () => {
  const args = argsOf(
    gpuPool({
      name: "l40s",
      instanceType: "g6e.2xlarge",
      size: { min: 1, max: 8 },
      taints: [
        { key: "dedicated", effect: "NoExecute" },
        { key: "soft", value: "yes", effect: "PreferNoSchedule" },
      ],
    }),
  );
  expect(args.taints).toEqual([
    { key: "nvidia.com/gpu", value: "present", effect: "NO_SCHEDULE" },
    { key: "dedicated", effect: "NO_EXECUTE" },
    { key: "soft", value: "yes", effect: "PREFER_NO_SCHEDULE" },
  ]);
  expect(args.labels).toEqual({ "capstan.dev/pool": "l40s", "k8s.amazonaws.com/accelerator": "nvidia-l40s" });
  expect(args.scalingConfig).toEqual({ minSize: 1, maxSize: 8, desiredSize: 1 });
  expect(args.amiType).toBe("AL2023_x86_64_NVIDIA");
  expect(args.capacityType).toBe("ON_DEMAND");
  expect(args.instanceTypes).toEqual(["g6e.2xlarge"]);
});

// NODE-08
test("has no fixed name, so that a replacement can exist beside it", () => {
  const args = argsOf(gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size }));
  expect(args).not.toHaveProperty("nodeGroupName");
  expect(args.nodeGroupNamePrefix).toBe("l40s-");
});

test("a long name leaves room for the unique suffix", () => {
  const args = argsOf(gpuPool({ name: "a".repeat(40), instanceType: "g6e.2xlarge", size }));
  expect(args.nodeGroupNamePrefix).toBe(`${"a".repeat(36)}-`);
});

// NODE-11
test("the image release is pinned: the catalog's, or the one given", () => {
  expect(argsOf(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size })).releaseVersion).toBe("1.34.9-20260714");
  const given = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiRelease: "1.34.2-20260101" });
  expect(argsOf(given).releaseVersion).toBe("1.34.2-20260101");
  const unknown = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiFamily: "bottlerocket" });
  expect(argsOf(unknown)).not.toHaveProperty("releaseVersion");
});

// NODE-12
test("the disk's size is left to the launch template", () => {
  expect(argsOf(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, rootVolumeGib: 300 }))).not.toHaveProperty(
    "diskSize",
  );
});

// NODE-13, NODE-14
test("capacity is said by its type alone, and a block's instance type by the template", () => {
  const block = argsOf(
    gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: capacityBlock("cr-0123456789abcdef0") }),
  );
  expect(block.capacityType).toBe("CAPACITY_BLOCK");
  expect(block).not.toHaveProperty("instanceTypes");
  const spot = argsOf(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"], size, capacity: "spot" }));
  expect(spot.capacityType).toBe("SPOT");
  expect(spot.instanceTypes).toEqual(["c7i.8xlarge", "m7i.8xlarge"]);
  const reserved = argsOf(
    gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: reservation("cr-0123456789abcdef0") }),
  );
  expect(reserved.capacityType).toBe("ON_DEMAND");
});

test("an update takes a GPU node down before it starts another; CPU nodes are easier to have", () => {
  const gpu = argsOf(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size }));
  expect(gpu.updateConfig).toEqual({ maxUnavailable: 1, updateStrategy: "MINIMAL" });
  const cpu = argsOf(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size }));
  expect(cpu.updateConfig).toEqual({ maxUnavailable: 1 });
  expect(cpu.nodeRepairConfig).toEqual({ enabled: true });
});

test("an image of one's own has neither type nor release here", () => {
  const args = argsOf(
    gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiFamily: "ubuntu", amiId: "ami-0123456789abcdef0" }),
  );
  expect(args).not.toHaveProperty("amiType");
  expect(args).not.toHaveProperty("releaseVersion");
});

test("an untainted pool has no taints", () => {
  expect(argsOf(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, dedicated: false }))).not.toHaveProperty(
    "taints",
  );
});

// An hour for the first node and what goes wrong, 25 minutes for each: 60 + 8 x 25.
test("waits for as many nodes as there may be", () => {
  const pool = resolved(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 8 } }));
  expect(nodeGroupTimeouts(pool)).toEqual({ create: "60m", update: "260m", delete: "60m" });
});
