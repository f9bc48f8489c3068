import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../errors.ts";
import { fixture, temporaryProject } from "../testing/temporary-project.ts";
import { readProjectFile } from "./project-file.ts";
import { readStackConfig } from "./stack-file.ts";

function configOf(files: { project?: string; stack: string }, given?: Record<string, string>) {
  const directory = temporaryProject({
    "Pulumi.yaml": `name: a\nruntime: nodejs\n${files.project ?? ""}`,
    "Pulumi.dev.yaml": files.stack,
  });
  return readStackConfig(readProjectFile(directory), "dev", given);
}

test("keeps the spelling of scalars, writes structures as JSON and never shows what is encrypted", () => {
  expect(readStackConfig(readProjectFile(fixture("secure-config")), "dev")).toEqual({
    config: {
      "other:key": "from another namespace",
      "secure-config:database": '{"host":"db.internal","users":[{"name":"app","password":"[secret]"}]}',
      "secure-config:empty": "",
      "secure-config:enabled": "true",
      "secure-config:token": "[secret]",
      "secure-config:version": "1.10",
    },
    secretConfig: ["secure-config:database", "secure-config:token"],
    environments: [],
  });
});

test("bare and old-fashioned keys belong to the project", () => {
  expect(configOf({ stack: "config:\n  size: 3\n  a:config:team: search\n" }).config).toEqual({
    "a:size": "3",
    "a:team": "search",
  });
});

test("takes what the stack does not set from Pulumi.yaml", () => {
  const project = "config:\n  size: 3\n  team: { default: search }\n  aws:region: eu-central-1\n";
  expect(configOf({ project, stack: "config:\n  team: support\n" }).config).toEqual({
    "a:size": "3",
    "a:team": "support",
    "aws:region": "eu-central-1",
  });
});

test("an empty stack file and an empty config are fine", () => {
  expect(configOf({ stack: "" }).config).toEqual({});
  expect(configOf({ stack: "config:\n" }).config).toEqual({});
});

test("given values take the place of the file's; what was secret stays secret", () => {
  const stack = "config:\n  port:\n    secure: v1:abc\n  size: 3\n";
  expect(configOf({ stack }, { port: "5432", "a:size": "4", "aws:region": "x" })).toEqual({
    config: { "a:port": "5432", "a:size": "4", "aws:region": "x" },
    secretConfig: ["a:port"],
    environments: [],
  });
});

test("says everything that is missing or of a wrong type at once", () => {
  const project = `config:
  size: { type: integer }
  zones: { type: array, items: { type: integer } }
  on: { type: boolean }
  labels: { type: object }
  token: { type: string, secret: true }
  fine: { type: string }
  encrypted: { type: integer }
  team: {}
`;
  const stack = `config:
  size: many
  zones: [1, x]
  on: "yes"
  labels: [a]
  token: clear
  fine: "12"
  encrypted:
    secure: v1:abc
`;
  expect(() => configOf({ project, stack })).toThrow(
    new RegExp(
      [
        "Pulumi.dev.yaml does not satisfy .*Pulumi.yaml:",
        "  a:size is many, which is not of type integer",
        '  a:zones is \\[1,"x"\\], which is not of type array<integer>',
        "  a:on is yes, which is not of type boolean",
        '  a:labels is \\["a"\\], which is not of type object',
        "  a:token is declared secret but stands in clear: set it with --secret",
        '  a:team is missing: set it with "pulumi config set --stack dev a:team VALUE"$',
      ].join("\n"),
    ),
  );
});

test.each([
  ["integer", "+12"],
  ["boolean", "false"],
  ["object", "{ a: 1 }"],
  ["array, items: { type: array, items: { type: boolean } }", "[[true], []]"],
])("accepts a value of type %s", (type, value) => {
  expect(() =>
    configOf({ project: `config:\n  x: { type: ${type} }\n`, stack: `config:\n  x: ${value}\n` }),
  ).not.toThrow();
});

test("a given value of a structured type must be JSON of that type", () => {
  const files = { project: "config:\n  x: { type: object }\n", stack: "" };
  expect(configOf(files, { x: '{"a":1}' }).config).toEqual({ "a:x": '{"a":1}' });
  expect(() => configOf(files, { x: "{a" })).toThrow("a:x is {a, which is not of type object");
});

test("a missing stack: lists the others and the one that was probably meant", () => {
  const directory = temporaryProject({
    "Pulumi.yaml": "name: a\nruntime: nodejs\n",
    "Pulumi.staging.yaml": "",
    "Pulumi.prod.json": "{}",
    "Pulumi.dev.yml": "",
  });
  const project = readProjectFile(directory);
  const missing = `there is no Pulumi.prd.yaml in ${directory}; stacks there: dev, prod, staging. Did you mean "prod"?`;
  expect(() => readStackConfig(project, "prd")).toThrow(missing);
  expect(() => readStackConfig(project, "qa-eu-central")).toThrow(/stacks there: dev, prod, staging$/);
  const empty = temporaryProject({ "Pulumi.yaml": "name: a\nruntime: nodejs\n" });
  expect(() => readStackConfig(readProjectFile(empty), "dev")).toThrow(
    `there is no Pulumi.dev.yaml in ${empty}: create one, it may be empty`,
  );
  const elsewhere = temporaryProject({ "Pulumi.yaml": "name: a\nruntime: nodejs\nstackConfigDir: gone\n" });
  expect(() => readStackConfig(readProjectFile(elsewhere), "dev")).toThrow(
    `there is no Pulumi.dev.yaml in ${join(elsewhere, "gone")}`,
  );
});

test("says where a stack file cannot be read", () => {
  expect(() => configOf({ stack: "config:\n  a: [1\n" })).toThrow(/Pulumi\.dev\.yaml:3:1: /);
  expect(() => configOf({ stack: "config: 3\n" })).toThrow('Pulumi.dev.yaml: "config" must be a mapping');
});

test("names the ESC environments that it does not read", () => {
  expect(configOf({ stack: "environment:\n  - shared/aws\n  - prod\n" }).environments).toEqual(["shared/aws", "prod"]);
  expect(
    configOf({ stack: "environment:\n  imports:\n    - shared/aws\n    - prod: { merge: false }\n" }).environments,
  ).toEqual(["shared/aws", "prod"]);
});

test("a value that is declared secret is not shown when its type is wrong", () => {
  const project = "config:\n  pin: { type: integer, secret: true }\n";
  let message = "";
  try {
    configOf({ project, stack: "config:\n  pin: hunter2\n" });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain("  a:pin (secret, not shown) is not of type integer");
  expect(message).not.toContain("hunter2");
});

test("a value of the declared type stands for an encrypted one, and stays secret", () => {
  const project = `config:
  port: { type: integer }
  on: { type: boolean }
  labels: { type: object }
  zones: { type: array, items: { type: string } }
  ports: { type: array, items: { type: integer } }
  token: { type: string }
`;
  const stack = `config:
  port: { secure: v1:a }
  on: { secure: v1:a }
  labels: { secure: v1:a }
  zones: { secure: v1:a }
  ports: [80, { secure: v1:a }]
  token: { secure: v1:a }
  undeclared: { secure: v1:a }
`;
  const { config, secretConfig } = configOf({ project, stack });
  expect(config).toEqual({
    "a:port": "0",
    "a:on": "false",
    "a:labels": "{}",
    "a:zones": "[]",
    "a:ports": "[80,0]",
    "a:token": "[secret]",
    "a:undeclared": "[secret]",
  });
  expect(secretConfig).toEqual(Object.keys(config).sort());
});

test("a given value takes the place of an encrypted one, typed or not", () => {
  const project = "config:\n  port: { type: integer }\n  labels: { type: object }\n";
  const stack = "config:\n  port: { secure: v1:a }\n  labels: { secure: v1:a }\n";
  expect(configOf({ project, stack }, { port: "5432", labels: '{"a":1}' }).config).toEqual({
    "a:port": "5432",
    "a:labels": '{"a":1}',
  });
});

test("an alias is the value of its anchor, spelling included", () => {
  const stack = "config:\n  version: &v 1.10\n  same: *v\n  list: &l [1, 2]\n  again: { of: *l }\n";
  expect(configOf({ stack }).config).toEqual({
    "a:version": "1.10",
    "a:same": "1.10",
    "a:list": "[1,2]",
    "a:again": '{"of":[1,2]}',
  });
});

/** Each list has the one before ten times: 10^9 values in all. */
const BOMB = ["config:", "  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
  .concat([..."bcdefghi"].map((name, i) => `  ${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[i]}`).join(", ")}]`))
  .join("\n");

test.each([
  ["an anchor that does not exist", "config:\n  x: *gone\n", 'Pulumi.dev.yaml:2:6: there is no anchor "gone"'],
  ["an anchor that comes later", "config:\n  x: *y\n  y: &y 1\n", 'Pulumi.dev.yaml:2:6: there is no anchor "y"'],
  ["itself", "config:\n  x: &x { a: 1, b: [*x] }\n", 'Pulumi.dev.yaml:2:21: the value of "x" contains itself'],
  [
    "a thousand million values",
    `${BOMB}\n`,
    /Pulumi\.dev\.yaml:6:\d+: the aliases up to here stand for more than 100000/,
  ],
  ["no mapping that could be merged", "config:\n  x: &x 1\n  y: { <<: *x }\n", "Pulumi.dev.yaml:1:1: Merge sources"],
])("an alias for %s is the user's to mend", (_what, stack, message) => {
  expect(() => configOf({ stack })).toThrow(message);
  expect(() => configOf({ stack })).toThrow(UserError);
});
