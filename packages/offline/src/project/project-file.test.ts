import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture, temporaryProject } from "../testing/temporary-project.ts";
import { readProjectFile } from "./project-file.ts";

const projectOf = (yaml: string) => readProjectFile(temporaryProject({ "Pulumi.yaml": yaml }));

test("reads name, runtime options, main and the folder of the stack files", () => {
  const directory = fixture("built-javascript");
  const { config, ...rest } = readProjectFile(directory);
  expect(rest).toEqual({
    directory,
    file: join(directory, "Pulumi.yaml"),
    name: "built-javascript",
    main: "program/",
    runtime: { typescript: false, tsconfig: undefined, nodeArguments: ["--title=a plan", "--no-warnings"] },
    stackDirectory: join(directory, "stacks"),
  });
  expect(config).toEqual([]);
});

test("a runtime may be its name alone, and `config` the former spelling of stackConfigDir", () => {
  const project = projectOf("name: a\nruntime: nodejs\nconfig: settings\n");
  expect(project.runtime).toEqual({ typescript: true, tsconfig: undefined, nodeArguments: [] });
  expect(project.stackDirectory).toBe(join(project.directory, "settings"));
});

test("reads Pulumi.json too", () => {
  const directory = temporaryProject({ "Pulumi.json": '{ "name": "a", "runtime": "nodejs" }' });
  expect(readProjectFile(directory).name).toBe("a");
});

test("declared configuration: short, typed, and of another namespace", () => {
  const yaml = `
name: a
runtime: nodejs
config:
  size: 1.10
  zones: { type: array, items: { type: string }, default: [x] }
  token: { type: string, secret: true }
  aws:region: eu-central-1
  gcp:project: { value: p }
`;
  expect(projectOf(yaml).config).toEqual([
    { key: "a:size", type: undefined, fallback: { text: "1.10", structure: false, secret: false }, secret: false },
    {
      key: "a:zones",
      type: { type: "array", items: { type: "string" } },
      fallback: { text: '["x"]', structure: true, secret: false },
      secret: false,
    },
    { key: "a:token", type: { type: "string" }, fallback: undefined, secret: true },
    {
      key: "aws:region",
      type: undefined,
      fallback: { text: "eu-central-1", structure: false, secret: false },
      secret: false,
    },
    { key: "gcp:project", type: undefined, fallback: { text: "p", structure: false, secret: false }, secret: false },
  ]);
});

test.each([
  ["name: a\nruntime: python\n", 'the runtime is "python"; only "nodejs" programs can be planned'],
  ["name: a\nruntime:\n  name: go\n", 'the runtime is "go"'],
  ["name: a\n", "no runtime is given"],
  ["runtime: nodejs\n", '"name" must be the name of the project'],
  ["name: a\nruntime: nodejs\nmain: 3\n", '"main" must be text'],
  [
    "name: a\nruntime: {name: nodejs, options: {typescript: 3}}\n",
    '"runtime.options.typescript" must be true or false',
  ],
  [
    "name: a\nruntime: nodejs\nconfig:\n  x: { type: number }\n",
    '"config.x.type" is "number"; valid are string, integer',
  ],
  ["name: a\nruntime: nodejs\nconfig:\n  x: { type: array }\n", '"config.x" is an array and needs "items"'],
  ["name: a\nruntime: nodejs\nconfig:\n  b:x: { description: d }\n", '"config.b:x" is of another namespace'],
  ["name: a\nruntime: [nodejs\n", "Pulumi.yaml:3:1: "],
  ["name: a\nname: b\nruntime: nodejs\n", "Pulumi.yaml:2:1: Map keys must be unique"],
  ["- a\n", "Pulumi.yaml:1:1: the file must hold a mapping"],
])("says what is wrong with %j", (yaml, message) => {
  expect(() => projectOf(yaml)).toThrow(message);
});

test("says that a folder, or its Pulumi.yaml, is missing", () => {
  const directory = temporaryProject({ "index.ts": "" });
  expect(() => readProjectFile(directory)).toThrow(`there is no Pulumi.yaml in ${directory}`);
  expect(() => readProjectFile(join(directory, "nowhere"))).toThrow(`there is no folder ${join(directory, "nowhere")}`);
  expect(() => readProjectFile(join(directory, "index.ts"))).toThrow("there is no folder");
});
