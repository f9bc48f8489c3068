import { type Finding, resolveService, rules, standalone, type VllmProps, vllm } from "@capstan/core";
import { beforeAll, describe, expect, test } from "vitest";
import { programs } from "../programs/programs.ts";
import { type ArgumentList, emittedArguments } from "./emitted.ts";
import { judge } from "./parser.ts";
import { base, gated, together, variations, versions, wrong, wrongForTheParserAlone } from "./typed-fields.ts";

/** An argument list made of a declaration, with what our rules say of it. */
interface Case extends ArgumentList {
  readonly findings: readonly Finding[];
}

function declared(title: string, version: (typeof versions)[number], props: Partial<VllmProps>): Case {
  const source = props.source ?? (props.cache ? undefined : gated);
  const declaration = vllm({ ...base, engineVersion: version, ...props, ...(source ? { source } : {}) });
  const { service, findings } = resolveService(declaration);
  return { title, version, args: service?.args ?? [], findings: findings.filter(isError) };
}

function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/** What our rules give as right. */
const ofRules: readonly ArgumentList[] = rules.flatMap((rule) =>
  rule.subject !== "vllm"
    ? []
    : rule.examples.good.flatMap(({ title, declare, context }) => {
        const { service } = resolveService(declare(), { ...standalone, ...context });
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
  const refusedAlone = wrongForTheParserAlone.map(({ title, props }) => declared(title, version, props));
  const written = ofRules.filter((list) => list.version === version);
  let verdicts: Verdicts;

  beforeAll(async () => {
    verdicts = await verdictsOn(version, [...accepted, ...refused, ...refusedAlone, ...written]);
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

  test.each(refusedAlone)("refuses: $title", (list) => {
    expect(verdicts.get(list)).toEqual(expect.any(String));
  });

  test("takes what our rules give as good", () => {
    expect(refusals(written, verdicts)).toEqual([]);
  });
});

describe("what is deployed", () => {
  const verdicts: Verdicts = new Map();
  const emitted = new Map<string, Promise<ArgumentList[]>>();

  beforeAll(async () => {
    for (const program of programs) {
      const lists = emittedArguments(program);
      emitted.set(program.name, lists);
      // One that cannot be planned fails its own test, below.
      await lists.catch(() => {});
    }
    const planned = (await Promise.allSettled(emitted.values())).flatMap((each) =>
      each.status === "fulfilled" ? each.value : [],
    );
    for (const version of new Set(planned.map((list) => list.version))) {
      const of = await verdictsOn(
        version,
        planned.filter((list) => list.version === version),
      );
      for (const [list, said] of of) verdicts.set(list, said);
    }
  });

  test.each(programs)("the parser takes all of $name", async ({ name }) => {
    const lists = await emitted.get(name)!;
    expect(refusals(lists, verdicts)).toEqual([]);
    expect(lists.map((list) => verdicts.has(list))).not.toContain(false);
  });

  test("something was judged at all", () => {
    expect(verdicts.size).toBeGreaterThan(programs.length);
  });
});

type Verdicts = Map<ArgumentList, string | null>;

async function verdictsOn(version: string, lists: readonly ArgumentList[]): Promise<Verdicts> {
  const said = await judge(
    version,
    lists.map(({ args }) => args),
  );
  return new Map(lists.map((list, i) => [list, said[i] ?? null]));
}

function refusals(lists: readonly ArgumentList[], verdicts: Verdicts) {
  return lists.flatMap((list) => (verdicts.get(list) ? [{ ...list, parser: verdicts.get(list) }] : []));
}
