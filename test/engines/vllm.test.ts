import { type Finding, resolveService, rules, standalone, type VllmProps, vllm } from "@capstan/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type ArgumentList, emittedArguments } from "./emitted.ts";
import { judge } from "./parser.ts";
import { base, together, variations, versions, wrong } from "./typed-fields.ts";

/** An argument list made of a declaration, with what our rules say of it. */
interface Case extends ArgumentList {
  readonly findings: readonly Finding[];
}

function declared(title: string, version: (typeof versions)[number], props: Partial<VllmProps>): Case {
  const { service, findings } = resolveService(vllm({ ...base, engineVersion: version, ...props }));
  return { title, version, args: service?.args ?? [], findings: findings.filter(isError) };
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}

const emitted = await emittedArguments();

test("stacks and examples run vLLM", () => {
  expect(emitted.length).toBeGreaterThan(5);
});

/** What our rules give as right, for the versions that are tried. */
const ofRules: readonly ArgumentList[] = rules.flatMap((rule) =>
  rule.subject !== "vllm"
    ? []
    : rule.examples.good.flatMap(({ title, declare, context }) => {
        const declaration = declare();
        if (declaration.kind !== "vllm") return [];
        const { service } = resolveService(declaration, { ...standalone, ...context });
        if (service?.kind !== "vllm") return [];
        return [{ title: `${rule.id}: ${title}`, version: service.engineVersion, args: service.args }];
      }),
);

describe.each(versions)("vLLM %s", (version) => {
  const accepted: readonly Case[] = [
    ...Object.entries(variations).map(([title, props]) => declared(title, version, props)),
    declared("all together", version, together),
  ];
  const refused = wrong.map(({ title, props }) => declared(title, version, props));
  const written = [...emitted, ...ofRules].filter((list) => list.version === version);
  const verdicts = new Map<ArgumentList, string | null>();

  beforeAll(async () => {
    const lists = [...accepted, ...refused, ...written];
    const said = await judge(version, lists.map(({ args }) => args));
    for (const [i, list] of lists.entries()) verdicts.set(list, said[i] ?? null);
  });

  test.each(accepted)("takes: $title", (list) => {
    expect({ args: list.args, ours: list.findings, parser: verdicts.get(list) }).toEqual({
      args: list.args,
      ours: [],
      parser: null,
    });
  });

  test.each(refused)("refuses, and so do we: $title", (list) => {
    expect(list.findings).not.toEqual([]);
    expect(verdicts.get(list)).toEqual(expect.any(String));
  });

  test("takes all that stacks and examples emit, and what rules give as good", () => {
    const refusals = written.filter((list) => verdicts.get(list) !== null);
    expect(refusals.map((list) => ({ ...list, parser: verdicts.get(list) }))).toEqual([]);
  });
});
