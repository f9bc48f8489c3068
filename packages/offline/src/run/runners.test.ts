import { expect, test } from "vitest";
import { fixture } from "../testing/temporary-project.ts";
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
