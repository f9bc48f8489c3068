import { beforeAll, expect, test } from "vitest";
import { EksCluster } from "../cluster/eks-cluster.ts";
import { InferencePlatform } from "../platform/inference-platform.ts";
import { testCluster } from "../testing/cluster.ts";
import { fullPlatform } from "../testing/platform.ts";
import { ofType, record } from "../testing/record.ts";
import type { PolicyDocument } from "./policy.ts";
import { WILDCARD_REASONS } from "./wildcards.ts";

interface Found {
  readonly role: string;
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

let statements: Found[] = [];

/** Every inline policy of a new cluster with everything, and of a platform on a cluster that others made. */
beforeAll(async () => {
  const whole = await record(() => {
    const cluster = new EksCluster("prod", { region: "eu-central-1", vpc: { zones: ["a", "b"] } });
    new InferencePlatform("inference", { cluster, platform: fullPlatform() });
  });
  const guest = await record(() => {
    new InferencePlatform("inference", { cluster: testCluster(), platform: fullPlatform() });
  });
  statements = [...whole, ...guest]
    .filter(({ type }) => type === "aws:iam/rolePolicy:RolePolicy")
    .flatMap(({ name, inputs }) =>
      (JSON.parse(inputs.policy as string) as PolicyDocument).Statement.map((it) => ({
        role: name,
        sid: it.Sid,
        actions: it.Action,
        resources: it.Resource ?? [],
      })),
    );
  expect(ofType(whole, "aws:iam/rolePolicy:RolePolicy").length).toBeGreaterThanOrEqual(5);
});

test("no action has a wildcard", () => {
  expect(statements.filter(({ actions }) => actions.some((action) => action.includes("*")))).toEqual([]);
});

test("a resource has one only where the list says why", () => {
  const wild = statements.filter(({ resources }) => resources.some((resource) => resource.includes("*")));
  expect(wild.filter(({ sid }) => WILDCARD_REASONS[sid] === undefined)).toEqual([]);
});

test("the list has no reason for a statement that is not there, or that could do without", () => {
  const wild = new Set(
    statements.filter(({ resources }) => resources.some((r) => r.includes("*"))).map(({ sid }) => sid),
  );
  expect(Object.keys(WILDCARD_REASONS).filter((sid) => !wild.has(sid))).toEqual([]);
});

test("every statement names its resources", () => {
  expect(statements.filter(({ resources }) => resources.length === 0)).toEqual([]);
});

test("a whole account is only looked at", () => {
  const reading = /:(Describe|List|Get)[A-Z]/;
  const everything = statements.filter(({ resources }) => resources.includes("*"));
  expect(everything.length).toBeGreaterThan(0);
  for (const { actions } of everything) for (const action of actions) expect(action).toMatch(reading);
});
