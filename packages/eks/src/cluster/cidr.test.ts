import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCidr, LARGEST_VPC_PREFIX, MOST_ZONES, parseCidr, SMALLEST_VPC_PREFIX, subnetPlan } from "./cidr.ts";

test("reads blocks, and only blocks", () => {
  expect(parseCidr("10.0.0.0/16")).toEqual({ address: 10 * 2 ** 24, prefix: 16 });
  expect(parseCidr("0.0.0.0/0")).toEqual({ address: 0, prefix: 0 });
  // Bits behind the prefix, an octet or prefix too large, no block at all.
  for (const text of ["10.0.0.1/16", "10.0.256.0/24", "10.0.0.0/33", "10.0.0.0", "::/0", "10.0.0/8", ""]) {
    expect(parseCidr(text)).toBeNull();
  }
});

test("gives each zone a /19 of nodes and a /24 of load balancers out of a /16", () => {
  const plan = subnetPlan(parseCidr("10.0.0.0/16")!, ["a", "b", "c"]);
  expect(plan).toEqual([
    { zone: "a", privateCidr: "10.0.0.0/19", publicCidr: "10.0.224.0/24" },
    { zone: "b", privateCidr: "10.0.32.0/19", publicCidr: "10.0.225.0/24" },
    { zone: "c", privateCidr: "10.0.64.0/19", publicCidr: "10.0.226.0/24" },
  ]);
});

const vpcs = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: LARGEST_VPC_PREFIX, max: SMALLEST_VPC_PREFIX }))
  .map(([address, prefix]) => ({ address: address - (address % 2 ** (32 - prefix)), prefix }));

test("what is written can be read", () => {
  fc.assert(
    fc.property(vpcs, (vpc) => {
      expect(parseCidr(formatCidr(vpc))).toEqual(vpc);
    }),
  );
});

test("subnets lie inside the VPC, overlap nowhere, and are no smaller than AWS takes", () => {
  fc.assert(
    fc.property(vpcs, fc.integer({ min: 1, max: MOST_ZONES }), (vpc, count) => {
      const zones = Array.from({ length: count }, (_, i) => `z${i}`);
      const blocks = subnetPlan(vpc, zones)
        .flatMap(({ privateCidr, publicCidr }) => [parseCidr(privateCidr)!, parseCidr(publicCidr)!])
        .sort((a, b) => a.address - b.address);
      expect(blocks.every(({ prefix }) => prefix <= 28)).toBe(true);
      const ends = [vpc.address, ...blocks.map(({ address, prefix }) => address + 2 ** (32 - prefix))];
      blocks.forEach(({ address }, index) => void expect(address).toBeGreaterThanOrEqual(ends[index]!));
      expect(ends.at(-1)).toBeLessThanOrEqual(vpc.address + 2 ** (32 - vpc.prefix));
    }),
  );
});

test("a zone that is added at the end moves nobody", () => {
  fc.assert(
    fc.property(vpcs, fc.integer({ min: 1, max: MOST_ZONES - 1 }), (vpc, count) => {
      const zones = Array.from({ length: count + 1 }, (_, i) => `z${i}`);
      expect(subnetPlan(vpc, zones).slice(0, count)).toEqual(subnetPlan(vpc, zones.slice(0, count)));
    }),
  );
});
