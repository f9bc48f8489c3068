import { expect, test } from "vitest";
import { clusterFindings } from "./findings.ts";
import type { EksClusterArgs } from "./props.ts";

const PRIVATE = "cluster.endpoint.private";
const vpc = { zones: ["eu-central-1a", "eu-central-1b"] } as const;

function privateFindings(change: Partial<EksClusterArgs>) {
  const args: EksClusterArgs = { region: "eu-central-1", ...change };
  const subject = { args, clusterName: "prod", kubernetes: "1.34", zones: vpc.zones, cidr: "10.0.0.0/16" };
  return clusterFindings(subject).filter(({ id }) => id === PRIVATE);
}

test("says that nobody outside a new network reaches the API server", () => {
  const expected = [{ severity: "warning", path: "endpoint.publicCidrs", acknowledged: null }];
  expect(privateFindings({ vpc })).toMatchObject(expected);
  expect(privateFindings({ vpc, endpoint: { publicCidrs: [] } })).toMatchObject(expected);
  expect(privateFindings({ vpc })[0]!.remedy).toMatch(/pipelines and offices.*inside the VPC and acknowledge/);
});

test("who deploys from inside can say so", () => {
  const acknowledge = { [PRIVATE]: "the pipeline runs in a peered network" };
  expect(privateFindings({ vpc, acknowledge })).toMatchObject([
    { acknowledged: "the pipeline runs in a peered network" },
  ]);
});

test("says nothing where blocks are named, or where the network is there already", () => {
  expect(privateFindings({ vpc, endpoint: { publicCidrs: ["203.0.113.0/24"] } })).toEqual([]);
  expect(privateFindings({ network: { vpcId: "vpc-1", privateSubnetIds: ["subnet-1"] } })).toEqual([]);
});
