import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryProject } from "../testing/temporary-project.ts";
import { findProgram } from "./program-entry.ts";
import { readProjectFile } from "./project-file.ts";

function entryOf(files: Record<string, string>, main?: string) {
  const yaml = `name: a\nruntime: nodejs\n${main === undefined ? "" : `main: ${main}\n`}`;
  const directory = temporaryProject({ "Pulumi.yaml": yaml, ...files });
  const entry = findProgram(readProjectFile(directory));
  const relative = (path: string) => path.slice(directory.length + 1);
  return { ...entry, directory: relative(entry.directory), file: relative(entry.file) };
}

const module = (rest: object = {}) => JSON.stringify({ type: "module", ...rest });

test.each<[string, Record<string, string>, string | undefined, ReturnType<typeof entryOf>]>([
  ["an index file", { "index.ts": "" }, undefined, { directory: "", argument: ".", file: "index.ts", isModule: false }],
  [
    "the first of several index files",
    { "package.json": module(), "index.mts": "", "index.mjs": "" },
    undefined,
    { directory: "", argument: ".", file: "index.mjs", isModule: true },
  ],
  [
    "main of package.json",
    { "package.json": '{"main":"src/a.ts"}', "src/a.ts": "", "index.ts": "" },
    undefined,
    { directory: "", argument: ".", file: "src/a.ts", isModule: false },
  ],
  [
    "exports before main",
    { "package.json": module({ main: "b.ts", exports: { ".": { import: "./a.ts" } } }), "a.ts": "", "b.ts": "" },
    undefined,
    { directory: "", argument: ".", file: "a.ts", isModule: true },
  ],
  [
    "an index file where main does not exist",
    { "package.json": '{"main":"dist/index.js"}', "index.ts": "" },
    undefined,
    { directory: "", argument: ".", file: "index.ts", isModule: false },
  ],
  [
    "a file named in Pulumi.yaml, which runs in its own folder",
    { "package.json": module(), "src/program.ts": "" },
    "src/program.ts",
    { directory: "src", argument: "program.ts", file: "src/program.ts", isModule: true },
  ],
  [
    "a folder named in Pulumi.yaml, with a package of its own",
    { "package.json": module(), "infra/package.json": "{}", "infra/index.ts": "" },
    "infra",
    { directory: "infra", argument: ".", file: "infra/index.ts", isModule: false },
  ],
])("finds %s", (_name, files, main, expected) => {
  expect(entryOf(files, main)).toEqual(expected);
});

test.each([
  [{}, undefined, /there is no program in .*: no index\.ts/],
  [{ "index.ts": "" }, "src", /"main" is src, which does not exist/],
  [{ "index.ts": "" }, "../elsewhere", /"main" is \.\.\/elsewhere, which is outside/],
  [{ "index.ts": "", "package.json": "{" }, undefined, /cannot read .*package\.json: /],
] as const)("says what is missing: %j, main %s", (files, main, message) => {
  expect(() => entryOf({ ...files }, main)).toThrow(message);
});

test("a sibling folder whose name begins alike is outside", () => {
  const directory = temporaryProject({
    "a/Pulumi.yaml": "name: a\nruntime: nodejs\nmain: ../a-b\n",
    "a-b/index.ts": "",
  });
  expect(() => findProgram(readProjectFile(join(directory, "a")))).toThrow("outside");
});
