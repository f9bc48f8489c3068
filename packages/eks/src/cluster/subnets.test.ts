import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { nodeSubnets, subnetsOfZones } from "./subnets.ts";

const settled = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

test("keeps the order given, whatever the names", async () => {
  const subnets = nodeSubnets({ z: "subnet-3", a: "subnet-1", m: pulumi.output("subnet-2") });
  expect(await settled(subnets.all)).toEqual(["subnet-3", "subnet-1", "subnet-2"]);
  expect(subnets.count).toBe(3);
  expect(Object.keys(subnets.byZone!)).toEqual(["z", "a", "m"]);
});

test("a list has no zones, and an output of a list no count either", async () => {
  const list = nodeSubnets(["subnet-2", pulumi.output("subnet-1")]);
  expect([list.byZone, list.count, await settled(list.all)]).toEqual([null, 2, ["subnet-2", "subnet-1"]]);
  const later = nodeSubnets(pulumi.output(["subnet-1"]));
  expect([later.byZone, later.count, await settled(later.all)]).toEqual([null, null, ["subnet-1"]]);
});

test("chooses zones in the order asked for", async () => {
  const chosen = subnetsOfZones(nodeSubnets({ a: "1", b: "2", c: "3" }), ["c", "a"])!;
  expect(await settled(chosen.all)).toEqual(["3", "1"]);
  expect(chosen.count).toBe(2);
});

test("has no answer for a zone that is not there, or where there are none", () => {
  expect(subnetsOfZones(nodeSubnets({ a: "1" }), ["a", "b"])).toBeNull();
  expect(subnetsOfZones(nodeSubnets(["1"]), ["a"])).toBeNull();
});
