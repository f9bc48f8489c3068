import { capacityBlock, cpuPool, existingPool, gpuPool, mig, type Pool, reservation } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import type { Subnets } from "../cluster/subnets.ts";
import { nodeSubnets } from "../cluster/subnets.ts";
import { resolved } from "../testing/pools.ts";
import { nodeGroupFindings } from "./findings.ts";
import { chosenSubnets } from "./resolve.ts";

const size = { min: 0, max: 2 };
const zones: Subnets = { "eu-central-1a": "subnet-a", "eu-central-1b": "subnet-b" };

function findings(
  declaration: Pool,
  options: { subnets?: Subnets; subnetIds?: string[]; network?: boolean; wanted?: "gpu" | "cpu" } = {},
) {
  const pool = resolved(declaration);
  const network = options.network ?? true;
  const cluster = {
    subnets: nodeSubnets(options.subnets ?? zones),
    vpcId: network ? pulumi.output("vpc-1") : null,
    nodeSecurityGroupId: network ? pulumi.output("sg-1") : null,
  };
  const subnets = chosenSubnets(pool, { cluster, ...(options.subnetIds && { subnetIds: options.subnetIds }) });
  return nodeGroupFindings({ pool, cluster, subnets, wanted: options.wanted ?? pool.kind });
}

const h100 = (change: object) => gpuPool<"p5.48xlarge">({ name: "h100", instanceType: "p5.48xlarge", size, ...change });

test("finds nothing in ordinary pools", () => {
  expect(findings(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size }))).toEqual([]);
  expect(findings(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, zones: ["eu-central-1b"] }))).toEqual([]);
  expect(findings(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, cpuManager: "static" }))).toEqual([]);
});

test("a zone without a subnet", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, zones: ["eu-central-1a", "eu-central-1c"] });
  expect(findings(pool)).toMatchObject([
    {
      id: "node-group.zones.unknown",
      severity: "error",
      path: "pools.l4.zones",
      message: "the cluster has no subnet in eu-central-1c, only in eu-central-1a and eu-central-1b",
    },
  ]);
});

test("zones where the subnets are a plain list", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, zones: ["eu-central-1a"] });
  expect(findings(pool, { subnets: ["subnet-a"] })).toMatchObject([{ id: "node-group.zones.unknown" }]);
  expect(findings(pool, { subnets: ["subnet-a"], subnetIds: ["subnet-a"] })).toEqual([]);
});

// NODE-16
test.each([
  ["EFA", { efa: true }],
  ["a capacity block", { capacity: capacityBlock("cr-0123456789abcdef0") }],
])("%s over several subnets", (why, change) => {
  const [found, ...others] = findings(h100(change));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: "node-group.subnets.several", severity: "error", path: "pools.h100.zones" });
  expect(found!.message).toContain(why);
  expect(found!.message).toContain("2 subnets (eu-central-1a and eu-central-1b)");
  expect(findings(h100({ ...change, zones: ["eu-central-1a"] }))).toEqual([]);
  expect(findings(h100(change), { subnetIds: ["subnet-b"] })).toEqual([]);
});

test("EFA over a list of subnets that nobody has counted", () => {
  const found = findings(h100({ efa: true }), { subnets: pulumi.output(["subnet-a"]) });
  expect(found).toMatchObject([{ id: "node-group.subnets.several" }]);
  expect(found[0]!.message).toContain("a number of subnets that is not known yet");
});

test("a reservation, which is in one zone, over several subnets", () => {
  const capacity = reservation("cr-0123456789abcdef0");
  expect(findings(h100({ capacity }))).toMatchObject([
    { id: "node-group.reservation.zones", severity: "warning", path: "pools.h100.zones" },
  ]);
  expect(findings(h100({ capacity, zones: ["eu-central-1a"] }))).toEqual([]);
});

test("EFA where the cluster does not say its network", () => {
  const found = findings(h100({ efa: true, zones: ["eu-central-1a"] }), { network: false });
  expect(found).toMatchObject([{ id: "node-group.efa.network-unknown", path: "pools.h100.efa" }]);
  expect(found[0]!.message).toContain("vpcId and nodeSecurityGroupId");
  expect(findings(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size }), { network: false })).toEqual([]);
});

test("options that the Ubuntu image does not have", () => {
  const ubuntu = { size, amiFamily: "ubuntu", amiId: "ami-0123456789abcdef0" } as const;
  expect(findings(gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...ubuntu }))).toEqual([]);
  expect(findings(gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...ubuntu, localStorage: "raid0" }))).toMatchObject(
    [
      {
        id: "node-group.ubuntu.option-unsupported",
        message: 'localStorage: "raid0" cannot be set on the Ubuntu image: it does not read a NodeConfig',
      },
    ],
  );
  expect(
    findings(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], ...ubuntu, cpuManager: "static" })),
  ).toMatchObject([{ id: "node-group.ubuntu.option-unsupported" }]);
});

test("MIG that Bottlerocket cannot do", () => {
  const bottlerocket = { size, amiFamily: "bottlerocket" } as const;
  const mixed = gpuPool({ name: "h100", instanceType: "p5.48xlarge", ...bottlerocket, sharing: mig("1g.10gb") });
  expect(findings(mixed)).toMatchObject([
    { id: "node-group.bottlerocket.mig-strategy", path: "pools.h100.sharing.strategy" },
  ]);
  const single = mig("1g.10gb", { strategy: "single" });
  expect(findings(gpuPool({ name: "h100", instanceType: "p5.48xlarge", ...bottlerocket, sharing: single }))).toEqual(
    [],
  );
  const b300 = gpuPool({ name: "b300", instanceType: "p6-b300.48xlarge", ...bottlerocket, sharing: mig("1g.34gb") });
  expect(findings(b300)).toMatchObject([{ id: "node-group.bottlerocket.mig-unknown-gpu" }]);
});

test("a pool of the other kind, and one that has its nodes already", () => {
  const cpu = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });
  expect(findings(cpu, { wanted: "gpu" })).toMatchObject([{ id: "node-group.pool.kind", remedy: "use CpuNodeGroup" }]);
  const others = existingPool({ name: "l4", instanceType: "g6.2xlarge", nodeSelector: { pool: "l4" }, size });
  expect(findings(others)).toMatchObject([{ id: "node-group.pool.existing" }]);
});

test("more instance types than EKS takes", () => {
  const [first] = ["c7i.8xlarge"] as const;
  const pool = { ...resolved(cpuPool({ name: "amx", instanceTypes: [first], size })) };
  const many = { ...pool, instanceTypes: Array.from({ length: 21 }, () => first) };
  const subnets = nodeSubnets(zones);
  const cluster = { subnets, vpcId: null, nodeSecurityGroupId: null };
  expect(nodeGroupFindings({ pool: many, cluster, subnets, wanted: "cpu" })).toMatchObject([
    { id: "node-group.instance-types.many", message: "21 instance types; a managed node group takes at most 20" },
  ]);
});
