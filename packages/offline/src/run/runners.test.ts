import { expect, test } from "vitest";
import { fixture, linkPackages, temporaryProject } from "../testing/temporary-project.ts";
import type { RecordProjectOptions } from "./program-run.ts";
import { prepareRun } from "./program-run.ts";
import { runModuleProgram } from "./run-module.ts";
import { runOverGrpc } from "./run-over-grpc.ts";

/** The same program under both runners: its recording as JSON, or its error. */
function underBoth(name: string, stack: string, rest: Partial<RecordProjectOptions> = {}): Promise<[string, string]> {
  const run = prepareRun({ dir: fixture(name), stack, ...rest });
  const outcomes = [runModuleProgram, runOverGrpc].map((runner) =>
    runner(run).then(
      (recording) => JSON.stringify(recording),
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  );
  return Promise.all(outcomes) as Promise<[string, string]>;
}

test.each([
  ["everything", "dev", {}],
  ["stack-reference", "acme/dev", { stackReferences: { "acme/network/dev": { vpcId: "vpc-1", token: "[secret]" } } }],
])("both runners record the same of %s, byte by byte", async (name, stack, rest) => {
  const [module, grpc] = await underBoth(name, stack, rest);
  expect(JSON.parse(module).resources.length).toBeGreaterThan(1);
  expect(grpc).toBe(module);
});

test.each([
  ["rejects", 'ProgramError: test:index:Thing "lonely": error serializing property "size": no size known'],
  ["exits", "ProgramError: the program ended its process with exit code 0 (process.exit)"],
  [
    "neverinput",
    'ProgramError: an input, parent or dependency of these resources never gets a value: test:index:Thing "waiting"',
  ],
  ["neverends", "ProgramError: the program waits for a promise that never settles"],
])("both runners say the same of a program that %s", async (stack, message) => {
  const [module, grpc] = await underBoth("misbehaving", stack);
  expect(module.slice(0, message.length)).toBe(message);
  expect(grpc).toBe(module);
});

test("both runners give a program more configuration than an environment holds", async () => {
  const dir = temporaryProject({
    "Pulumi.yaml": "name: large\nruntime: nodejs\n",
    "Pulumi.dev.yaml": "",
    "package.json": '{ "type": "module" }',
    "index.ts": `import * as pulumi from "@pulumi/pulumi";
export const last = new pulumi.Config().require("key4999");
export const variable = Object.keys(JSON.parse(process.env.PULUMI_CONFIG ?? "{}")).length;
`,
  });
  linkPackages(dir);
  // 5000 times 1000 characters; Linux takes 2 MiB at most for all variables together.
  const config = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key${i}`, `${i} ${"x".repeat(1000)}`]));
  const run = prepareRun({ dir, stack: "dev", config });
  for (const runner of [runModuleProgram, runOverGrpc]) {
    const { outputs } = await runner(run);
    expect(outputs).toEqual({ last: `4999 ${"x".repeat(1000)}`, variable: 5000 });
  }
});
