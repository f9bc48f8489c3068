import { platform, platformToJson } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { planOf } from "./plan-of.ts";

class Declared extends pulumi.ComponentResource {
  constructor(name: string) {
    const declared = platform({ name, environment: "test", region: "us-east-1", pools: [], services: [] });
    super("capstan:test:Declared", name, { platform: platformToJson(declared) });
  }
}

test("two platforms in one program are refused: one plan would mix their pools", async () => {
  const planning = planOf({ project: "platform", stack: "dev" }, () => {
    new Declared("paris");
    new Declared("london");
  });
  await expect(planning).rejects.toThrow(/2 platforms \((paris, london|london, paris)\)/);
});

test("one platform is planned", async () => {
  const { cost } = await planOf({ project: "platform", stack: "dev" }, () => void new Declared("paris"));
  expect(cost.usdPerMonth).toEqual({ min: 0, expected: 0, max: 0 });
});
