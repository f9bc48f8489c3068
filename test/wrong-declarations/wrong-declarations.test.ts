import { isBlocking, resolvePlatform, rules } from "@capstan/core";
import { InferencePlatform } from "@capstan/eks";
import { recordInProcess } from "@capstan/offline";
import { describe, expect, test } from "vitest";
import { shared } from "./clusters.ts";
import { wrongOnnx } from "./onnx.ts";
import { wrongPlatforms } from "./platforms.ts";
import { wrongPools } from "./pools.ts";
import { wrongScaling } from "./scaling.ts";
import { severalMistakes } from "./several.ts";
import { wrongSharing } from "./sharing.ts";
import { wrongVllm } from "./vllm.ts";
import { matched, type WrongDeclaration } from "./wrong.ts";

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
  for (const [, own] of kinds) expect(new Set(own.map(({ title }) => title)).size).toBe(own.length);
});

test("every area of the rules has a declaration that breaks it", () => {
  const seen = new Set(kinds.flatMap(([, all]) => all.flatMap(({ findings }) => findings.map(({ id }) => area(id)))));
  const blocking = rules.filter(({ severity, subject }) => severity === "error" && subject !== "manifest");
  expect(new Set(blocking.map(({ id }) => area(id)))).toEqual(
    new Set([...seen].filter((it) => !RESOLUTION.includes(it))),
  );
});

/** Ids that resolution gives, not a rule. */
const RESOLUTION = ["declaration", "model", "acknowledge"];

function area(id: string): string {
  return id.split(".")[0] ?? id;
}

/** Tries to deploy the declaration on a cluster that has everything. */
async function deploy({ declare }: WrongDeclaration): Promise<{ error: unknown; types: string[] }> {
  let error: unknown;
  const { resources } = await recordInProcess({ project: "wrong", stack: "test" }, () => {
    const cluster = shared();
    try {
      new InferencePlatform("inference", { cluster, platform: declare() });
    } catch (thrown) {
      error = thrown;
    }
  });
  return { error, types: resources.map(({ type }) => type).sort() };
}
