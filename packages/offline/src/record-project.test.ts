import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ProgramError, UserError } from "./errors.ts";
import { recordProject } from "./record-project.ts";
import type { RecordedResource, Recording } from "./recording.ts";
import { fixture, linkPackages, temporaryProject } from "./testing/temporary-project.ts";

function named(recording: Recording, name: string): RecordedResource {
  const found = recording.resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}

test("CommonJS TypeScript as `pulumi new` writes it, with enums and parameter properties", async () => {
  const recording = await recordProject({ dir: fixture("foreign-cjs"), stack: "dev" });
  const stack = "urn:pulumi:dev::foreign::pulumi:pulumi:Stack::foreign-dev";
  const team = "urn:pulumi:dev::foreign::foreign:index:Team::search";
  const bucket = (name: string) => `urn:pulumi:dev::foreign::foreign:index:Team$aws:s3/bucket:Bucket::${name}`;
  const type = "aws:s3/bucket:Bucket";
  expect(recording).toEqual({
    project: "foreign",
    stack: "dev",
    resources: [
      {
        urn: "urn:pulumi:dev::foreign::aws:s3/bucket:Bucket::shared",
        type,
        name: "shared",
        custom: true,
        parent: stack,
        inputs: { purpose: "[unknown]", size: 3 },
        options: {
          protect: true,
          dependsOn: [bucket("search-models")],
          propertyDependencies: { purpose: [bucket("search-models")] },
        },
      },
      {
        urn: bucket("search-logs"),
        type,
        name: "search-logs",
        custom: true,
        parent: team,
        inputs: { purpose: "logs" },
        options: {},
      },
      {
        urn: bucket("search-models"),
        type,
        name: "search-models",
        custom: true,
        parent: team,
        inputs: { purpose: "models" },
        options: {},
      },
      {
        urn: team,
        type: "foreign:index:Team",
        name: "search",
        custom: false,
        parent: stack,
        inputs: { purposes: ["models", "logs"] },
        options: {},
      },
      {
        urn: stack,
        type: "pulumi:pulumi:Stack",
        name: "foreign-dev",
        custom: false,
        parent: "",
        inputs: {},
        options: {},
      },
    ],
    outputs: { arn: "[unknown]", region: "eu-central-1" },
    logs: [],
  });
});

test("an ES module with top-level await; a second run is byte-identical, whatever the program prints", async () => {
  const options = { dir: fixture("everything"), stack: "dev" };
  const module = JSON.stringify(join(import.meta.dirname, "index.ts"));
  const script = `import { recordProject } from ${module};
    process.stdout.write(JSON.stringify(await recordProject(${JSON.stringify(options)})));`;
  const [first, second] = await Promise.all([
    recordProject(options),
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]),
  ]);
  expect(second.stdout).toBe(JSON.stringify(first));
  expect(second.stderr).toContain("printed by the program");
  // Waited for, registered by a timer, transformed.
  expect(named(first, "source").inputs).toEqual({ size: 2 });
  expect(named(first, "late").inputs).toEqual({ stamp: "stack" });
  expect(named(first, "group-z").inputs).toEqual({ stamp: "stack", stamped: "group-z" });
  expect(named(first, "secrets").inputs).toMatchObject({
    token: "[secret]",
    nested: { list: [1, "[secret]"], open: true },
  });
  expect(JSON.stringify(first)).not.toContain("hunter");
  expect(first.outputs).toEqual({
    organization: "organization",
    stack: "everything/dev",
    arn: "[unknown]",
    secret: "[secret]",
    nested: { list: [2] },
  });
  expect(first.logs.map(({ severity, message }) => [severity, message])).toContainEqual(["warning", "almost full"]);
  const urns = first.resources.map((resource) => resource.urn);
  expect(urns).toEqual(urns.toSorted());
});

test("JavaScript in the folder that Pulumi.yaml names, with arguments for node and a JSON stack file", async () => {
  const { outputs } = await recordProject({ dir: fixture("built-javascript"), stack: "dev" });
  expect(outputs).toEqual({ size: 4, title: "a plan", workingFolder: "program", rootFolder: "built-javascript" });
});

test("encrypted configuration stays a secret, even where the program reads it as none", async () => {
  const recording = await recordProject({ dir: fixture("secure-config"), stack: "dev" });
  expect(named(recording, "thing").inputs).toEqual({
    token: "[secret]",
    header: "Bearer [secret]",
    database: "[secret]",
    host: "[secret]",
    version: "1.10",
    enabled: true,
    empty: "",
    other: "from another namespace",
  });
});

test("a reference to another stack of the given organization", async () => {
  const stackReferences = { "acme/network/dev": { vpcId: "vpc-1", subnetIds: ["a", "b"], token: "[secret]" } };
  const known = await recordProject({ dir: fixture("stack-reference"), stack: "acme/dev", stackReferences });
  expect(named(known, "thing").inputs).toEqual({ vpcId: "vpc-1", subnetIds: ["a", "b"], token: "[secret]" });
});

test("large values arrive whole, and ESC environments that are not read are warned of", async () => {
  const dir = temporaryProject({
    "Pulumi.yaml": "name: a\nruntime: nodejs\n",
    "Pulumi.dev.yaml": "environment: [shared/aws]\n",
    "package.json": '{ "type": "module" }',
    "index.ts": `import * as pulumi from "@pulumi/pulumi";
      export const text = new pulumi.StackReference("o/p/s").requireOutput("text");`,
  });
  linkPackages(dir);
  const text = "ä€".repeat(1_000_000);
  const { outputs, logs } = await recordProject({ dir, stack: "dev", stackReferences: { "o/p/s": { text } } });
  expect(outputs.text === text).toBe(true);
  const message = "the stack takes configuration from the ESC environments shared/aws, which a plan does not read";
  expect(logs).toEqual([{ severity: "warning", message, urn: "" }]);
});

test.each([
  ["throwslater", /^later$/],
  ["invokes", /^the program calls the provider function aws:ec2\/getAmi:getAmi, which a plan cannot answer/],
  ["exitcode", /^the program set exit code 3, with which a deployment fails$/],
])("fails for a program that %s", async (stack, message) => {
  const error = await recordProject({ dir: fixture("misbehaving"), stack }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProgramError);
  expect((error as Error).message).toMatch(message);
});

test("what the program threw is the cause, with its own properties and its stack", async () => {
  const error = await recordProject({ dir: fixture("misbehaving"), stack: "throws" }).catch((caught: Error) => caught);
  const cause = (error as Error).cause as Error;
  expect(cause).toMatchObject({
    name: "TooBig",
    message: "the model does not fit",
    findings: [{ id: "fit.too-big", path: "services.a" }],
  });
  expect(cause.stack).toContain("misbehaving/index.ts");
});

test("a program that never ends is ended", async () => {
  const started = performance.now();
  await expect(recordProject({ dir: fixture("misbehaving"), stack: "ticks", timeoutSeconds: 1 })).rejects.toThrow(
    "the program did not end within 1 s: it computes, or waits for a timer, a server or a connection",
  );
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each([
  [{ "Pulumi.dev.yaml": "" }, /^there is no Pulumi\.yaml in/],
  [{ "Pulumi.yaml": "name: a\nruntime: python\n", "Pulumi.dev.yaml": "" }, /the runtime is "python"/],
  [
    { "Pulumi.yaml": "name: a\nruntime: nodejs\n", "Pulumi.prod.yaml": "" },
    /there is no Pulumi\.dev\.yaml in .*; stacks there: prod/,
  ],
  [{ "Pulumi.yaml": "name: a\nruntime: nodejs\n", "Pulumi.dev.yaml": "config: [" }, /Pulumi\.dev\.yaml:1:10: /],
  [{ "Pulumi.yaml": "name: a\nruntime: nodejs\n", "Pulumi.dev.yaml": "" }, /^there is no program in/],
  [
    { "Pulumi.yaml": "name: a\nruntime: nodejs\n", "Pulumi.dev.yaml": "", "index.ts": "" },
    /^@pulumi\/pulumi is not installed in (.*): run "npm install" in \1$/,
  ],
])("says what is wrong with a project: %j", async (files, message) => {
  const error = await recordProject({
    dir: temporaryProject(files as unknown as Record<string, string>),
    stack: "dev",
  }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UserError);
  expect(error).not.toBeInstanceOf(ProgramError);
  expect((error as Error).message).toMatch(message);
});

test("a folder that is not there, and a node that is not there", async () => {
  await expect(recordProject({ dir: "/nowhere/at/all", stack: "dev" })).rejects.toThrow(
    "there is no folder /nowhere/at/all",
  );
  const nodePath = "/nowhere/node";
  const running = recordProject({ dir: fixture("secure-config"), stack: "dev", nodePath });
  await expect(running).rejects.toThrow(/^cannot run \/nowhere\/node: /);
});

test("a folder with a space in its name, whichever runner", async () => {
  const program = 'import * as pulumi from "@pulumi/pulumi";\nexport const stack: string = pulumi.getStack();\n';
  const dir = temporaryProject(
    Object.fromEntries(
      ["module", "common js"].flatMap((kind) => [
        [`a ${kind}/Pulumi.yaml`, "name: a\nruntime: nodejs\n"],
        [`a ${kind}/Pulumi.dev.yaml`, ""],
        [`a ${kind}/package.json`, kind === "module" ? '{ "type": "module" }' : "{}"],
        [`a ${kind}/index.ts`, program],
      ]),
    ),
  );
  linkPackages(dir);
  expect((await recordProject({ dir: join(dir, "a module"), stack: "dev" })).outputs).toEqual({ stack: "dev" });
  expect((await recordProject({ dir: join(dir, "a common js"), stack: "dev" })).outputs).toEqual({ stack: "dev" });
});
