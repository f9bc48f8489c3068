import { expect, test } from "vitest";
import { linkPackages, temporaryProject } from "../testing/temporary-project.ts";
import { encryptedConfig } from "./encrypted-config.ts";
import { prepareRun } from "./program-run.ts";
import { runModuleProgram } from "./run-module.ts";
import { runOverGrpc } from "./run-over-grpc.ts";

/** A program that reads an encrypted port as a number, with or without its type declared. */
function project(config: string) {
  const dir = temporaryProject({
    "Pulumi.yaml": `name: shop\nruntime: nodejs\n${config}`,
    "Pulumi.dev.yaml": "config:\n  port: { secure: v1:abc }\n",
    "package.json": '{ "type": "module" }',
    "index.ts": `import * as pulumi from "@pulumi/pulumi";
const port = new pulumi.Config().requireSecretNumber("port");
export const url = pulumi.interpolate\`db:\${port}\`;
`,
  });
  linkPackages(dir);
  return prepareRun({ dir, stack: "dev" });
}

test.each([
  ["module", runModuleProgram],
  ["grpc", runOverGrpc],
])("an encrypted number without a declared type: says which and what to do (%s)", async (_name, runner) => {
  await expect(runner(project(""))).rejects.toThrow(
    'configuration shop:port is encrypted, so its value is unknown offline and cannot be read as a number: declare "type: integer" for it under "config" in Pulumi.yaml',
  );
});

test("an encrypted number with a declared type runs, and shows nothing", async () => {
  const { outputs } = await runModuleProgram(project("config:\n  port: { type: integer }\n"));
  expect(outputs).toEqual({ url: "[secret]" });
});

test("other complaints about a placeholder, and other errors", () => {
  expect(encryptedConfig("Configuration 'a:x' value '[secret]' is not a legal enum value ([1])")).toBe(
    "configuration a:x is encrypted, so its value is unknown offline, and the program refuses what stands for it: it is not a legal enum value ([1])",
  );
  expect(encryptedConfig("Configuration 'a:x' value 'many' is not a valid number")).toBeUndefined();
  expect(encryptedConfig("[secret] is not a valid number")).toBeUndefined();
});
