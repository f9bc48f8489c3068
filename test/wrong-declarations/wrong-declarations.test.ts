import { type Finding, isBlocking, resolvePlatform, rules } from "@capstan/core";
import { EksCluster, InferencePlatform } from "@capstan/eks";
import { recordInProcess } from "@capstan/offline";
import { describe, expect, test } from "vitest";
import { wrongOnnx } from "./onnx.ts";
import { wrongPlatforms } from "./platforms.ts";
import { wrongPools } from "./pools.ts";
import { wrongScaling } from "./scaling.ts";
import { severalMistakes } from "./several.ts";
import { wrongSharing } from "./sharing.ts";
import { wrongVllm } from "./vllm.ts";
import type { Expected, WrongDeclaration } from "./wrong.ts";

const kinds: readonly (readonly [string, readonly WrongDeclaration[]])[] = [
  ["pools", wrongPools],
  ["sharing", wrongSharing],
  ["vLLM services", wrongVllm],
  ["ONNX services", wrongOnnx],
  ["scaling", wrongScaling],
  ["platforms", wrongPlatforms],
  ["several mistakes", severalMistakes],
];

/** Cluster, provider and stack: what the program has before it comes to the platform. */
const BEFORE = ["capstan:eks:ExistingCluster", "pulumi:providers:kubernetes", "pulumi:pulumi:Stack"];

describe.each(kinds)("%s", (_kind, declarations) => {
  test.each(declarations.map((wrong) => [wrong.title, wrong] as const))("%s", async (_title, wrong) => {
    const blocking = resolvePlatform(wrong.declare()).findings.filter(isBlocking);
    expect(matched(blocking, wrong.findings)).toEqual({ missing: [], unexpected: [] });

    const { error, types } = await deploy(wrong);
    expect(types).toEqual(BEFORE);
    expect(error).toBeInstanceOf(Error);
    const { message, stack } = error as Error;
    for (const finding of blocking) {
      for (const part of [finding.id, finding.path, finding.message, finding.remedy]) expect(message).toContain(part);
    }
    // The place in our code where the check is says nothing about the declaration.
    expect(stack).not.toMatch(/^\s+at /m);
  });
});

test("forty declarations and more, of every kind; five and more with several mistakes", () => {
  const all = kinds.flatMap(([, declarations]) => declarations);
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(severalMistakes.length).toBeGreaterThanOrEqual(5);
  expect(severalMistakes.every(({ findings }) => findings.length > 1)).toBe(true);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

test("every area of the rules has a declaration that breaks it", () => {
  const seen = new Set(kinds.flatMap(([, all]) => all.flatMap(({ findings }) => findings.map(({ id }) => area(id)))));
  const blocking = rules.filter(({ severity, subject }) => severity === "error" && subject !== "manifest");
  expect(new Set(blocking.map(({ id }) => area(id)))).toEqual(new Set([...seen].filter((it) => !RESOLUTION.includes(it))));
});

/** Ids that resolution gives, not a rule. */
const RESOLUTION = ["declaration", "model", "acknowledge"];

function area(id: string): string {
  return id.split(".")[0] ?? id;
}

/** Each finding is paired with one expectation; what is left over on either side is wrong. */
function matched(findings: readonly Finding[], expected: readonly Expected[]) {
  const left = [...findings];
  const missing = expected.filter(({ id, path, message, remedy }) => {
    const index = left.findIndex((f) => f.id === id && f.path === path && message.test(f.message) && remedy.test(f.remedy));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return { missing, unexpected: left };
}

/** Tries to deploy the declaration on a cluster that has everything. */
async function deploy({ declare }: WrongDeclaration): Promise<{ error: unknown; types: string[] }> {
  let error: unknown;
  const { resources } = await recordInProcess({ project: "wrong", stack: "test" }, () => {
    const cluster = EksCluster.fromExisting("shared", {
      clusterName: "shared",
      region: "us-east-1",
      endpoint: "https://shared.example.com",
      certificateAuthority: "Q0E=",
      subnetIds: { "us-east-1a": "subnet-a", "us-east-1b": "subnet-b", "us-east-1c": "subnet-c" },
      vpcId: "vpc-1",
      nodeSecurityGroupId: "sg-1",
      has: {
        metricsServer: true,
        ebsCsi: true,
        gp3StorageClass: true,
        podIdentityAgent: true,
        networkPolicy: true,
        loadBalancerController: true,
      },
    });
    try {
      new InferencePlatform("inference", { cluster, platform: declare() });
    } catch (thrown) {
      error = thrown;
    }
  });
  return { error, types: resources.map(({ type }) => type).sort() };
}
