import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../tools/lib/run.ts";
import { packages, readJson, root } from "../../tools/lib/workspace.ts";
import { filesBelow } from "../files-below.ts";
import { CATALOG_PROGRAM, CONSUMER_PROGRAM } from "./consumer-program.ts";
import { type Installation, type InstalledPackage, installPackages } from "./installation.ts";
import { findOlderNode } from "./older-node.ts";
import { anyInPublicTypes } from "./public-surface.ts";
import { createProgram, problems } from "./type-check.ts";

let installation: Installation;
const older = findOlderNode();
const names = packages().map(({ manifest }) => manifest.name);

beforeAll(async () => {
  installation = await installPackages();
});
afterAll(() => installation?.remove());

function installed(name: string): InstalledPackage {
  return installation.packages.find(({ manifest }) => manifest.name === name)!;
}

describe.each(names)("%s", (name) => {
  test("holds what is needed to use it, and nothing else", () => {
    const files = filesBelow(installed(name).installed);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "package.json", "dist/index.js", "dist/index.d.ts"]));
    const wanted = /^(dist\/.+\.(js|d\.ts|json)|(data|schema)\/.+\.json|package\.json|LICENSE|README\.md)$/;
    expect(files.filter((file) => !wanted.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(test|test-d|map)\.|(^|\/)(testing|src|goldens)\//.test(file))).toEqual([]);
  });

  test("names no workspace and no file of this machine in its manifest", () => {
    const manifest = readFileSync(join(installed(name).installed, "package.json"), "utf8");
    expect(manifest).not.toMatch(/workspace:|link:|file:|\.\.\//);
    expect(manifest).not.toContain("src/");
  });

  test("passes publint", async () => {
    const tarball = new Uint8Array(readFileSync(installed(name).tarball)).buffer;
    const { messages, pkg } = await publint({ level: "warning", pack: { tarball } });
    expect(messages.map((message) => formatMessage(message, pkg as Record<string, unknown>))).toEqual([]);
  });

  test("can be imported by plain node", async () => {
    const { code, output } = await importWith(process.execPath, name);
    expect({ code, output }).toEqual({ code: 0, output: "true\n" });
  });

  test.skipIf(older === null)(`says the truth about Node ${older?.version ?? "20"}`, async () => {
    const { code } = await importWith(older!.file, name);
    const { engines } = JSON.parse(readFileSync(join(installed(name).installed, "package.json"), "utf8")) as {
      engines: { node: string };
    };
    const [oldest] = /\d+/.exec(engines.node) ?? [];
    const claimed = Number(older!.version.split(".")[0]) >= Number(oldest);
    expect({ package: name, claimed }).toEqual({ package: name, claimed: code === 0 });
  });
});

/** Prints whether the package exports anything; the policy pack may hold types only. */
function importWith(node: string, name: string) {
  const script = `import(${JSON.stringify(name)}).then((m) => console.log(typeof m === "object"))`;
  return run(node, ["-e", script], { directory: installation.directory, environment: { NODE_OPTIONS: undefined } });
}

test("the catalog has its data", () => {
  const data = readdirSync(join(root, "packages/catalog/data")).sort();
  expect(data.length).toBeGreaterThan(5);
  expect(readdirSync(join(installed("@capstan/catalog").installed, "data")).sort()).toEqual(data);
});

const RESOLUTIONS = {
  /** What `pulumi new` writes. */
  node10: { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

function consumer(resolution: Record<string, unknown>) {
  const { directory } = installation;
  writeFileSync(join(directory, "index.ts"), CONSUMER_PROGRAM);
  writeFileSync(join(directory, "catalog.ts"), CATALOG_PROGRAM);
  const options = { target: "es2022", strict: true, types: ["node"], ...resolution };
  return createProgram({ directory, files: [join(directory, "index.ts")], options });
}

/** The user's own files and our packages, as the compiler names them: links are followed. */
function isOurs(file: string): boolean {
  return file.includes("/node_modules/@capstan/") || file === join(installation.directory, "index.ts");
}

test.each(Object.entries(RESOLUTIONS))("a program type-checks with moduleResolution %s", (_, resolution) => {
  expect(problems(consumer(resolution), isOurs)).toBe("");
});

// The workspace's own type check reads sources, which such a project cannot; its packages are what is published.
test("the CommonJS example type-checks as it stands, with what pulumi new wrote", () => {
  const directory = join(installation.directory, "example");
  cpSync(join(root, "examples/constructs-without-platform"), directory, {
    recursive: true,
    filter: (source) => !source.includes("node_modules"),
  });
  const { compilerOptions } = readJson<{ compilerOptions: Record<string, unknown> }>(join(directory, "tsconfig.json"));
  const options = { ...compilerOptions, types: ["node"], ignoreDeprecations: "6.0" };
  const files = [join(directory, "index.ts")];
  expect(problems(createProgram({ directory, files, options }), (file) => isOurs(file) || files.includes(file))).toBe(
    "",
  );
});

test("no public type is any", () => {
  const program = consumer(RESOLUTIONS.nodenext);
  const ours = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((file) => isOurs(file));
  const entries = ours.filter((file) => file.endsWith("/dist/index.d.ts"));
  expect(entries).toHaveLength(names.length);
  expect(entries.flatMap((entry) => anyInPublicTypes(program, entry, isOurs))).toEqual([]);
});

test("the installed command plans a project beside it", async () => {
  const { directory } = installation;
  const project = join(directory, "infra");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "infra", type: "module", main: "index.js" }));
  writeFileSync(join(project, "Pulumi.yaml"), "name: infra\nruntime: nodejs\n");
  writeFileSync(join(project, "Pulumi.dev.yaml"), "config: {}\n");
  writeFileSync(
    join(project, "index.js"),
    `import { gpuPool } from "@capstan/core";\nimport * as pulumi from "@pulumi/pulumi";\nnew pulumi.ComponentResource("acme:x:Y", gpuPool({ name: "l4", instanceType: "g6.xlarge", size: { min: 0, max: 1 } }).name);\n`,
  );
  const bin = join(directory, "node_modules/.bin/capstan");
  expect(existsSync(bin)).toBe(true);
  const { code, stdout, output } = await run(bin, ["plan", "infra", "--stack", "dev", "--json"], { directory });
  expect({ code, output }).toMatchObject({ code: 0 });
  const { resources } = JSON.parse(stdout) as { resources: { name: string }[] };
  expect(resources.map((resource) => resource.name)).toContain("l4");
});
