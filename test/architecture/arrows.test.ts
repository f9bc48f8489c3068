import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "../../tools/lib/workspace.ts";
import { at, type Import, packageOf, parse, type SourceFile, sourcesBelow } from "./sources.ts";

/** What each package may use of the others: catalog <- core <- {addons, cdk8s} <- pulumi <- eks, and the tools on top. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  catalog: [],
  core: ["catalog"],
  addons: ["catalog", "core"],
  cdk8s: ["catalog", "core"],
  pulumi: ["catalog", "core", "addons", "cdk8s"],
  eks: ["catalog", "core", "addons", "cdk8s", "pulumi"],
  offline: ["catalog", "core"],
  policy: ["catalog", "core"],
  cli: ["catalog", "core", "offline", "policy"],
};

/** Tests of what registers resources need something to register them with. */
const ONLY_IN_TESTS = ["offline"];

const programs = [...programsIn("stacks"), ...programsIn("examples")];

function programsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);
}

const everything = [...Object.keys(ARROWS).map((name) => `packages/${name}/src`), ...programs, "test", "tools"];

function found(sources: readonly SourceFile[], isWrong: (wanted: Import, file: SourceFile) => boolean): string[] {
  return sources.flatMap((file) => file.imports.filter((i) => isWrong(i, file)).map((i) => at(file, i)));
}

test("every package is in the table of arrows", () => {
  expect(readdirSync(join(root, "packages")).sort()).toEqual(Object.keys(ARROWS).sort());
});

describe.each(Object.entries(ARROWS))("%s", (name, allowed) => {
  const sources = sourcesBelow(`packages/${name}/src`);

  test("uses only the packages below it", () => {
    expect(sources.length).toBeGreaterThan(0);
    const wrong = found(sources, ({ specifier }, { isTest }) => {
      const used = /^@capstan\/([^/]+)/.exec(specifier)?.[1];
      return used !== undefined && ![...allowed, ...(isTest ? ONLY_IN_TESTS : [])].includes(used);
    });
    expect(wrong).toEqual([]);
  });

  test("reaches nothing outside of its own sources by a path", () => {
    const wrong = found(
      sources.filter(({ isTest }) => !isTest),
      ({ specifier }, { path }) =>
        specifier.startsWith(".") && !join(dirname(path), specifier).startsWith(join("packages", name, "src")),
    );
    expect(wrong).toEqual([]);
  });
});

test("programs use packages by name only, as users do", () => {
  const wrong = programs.flatMap((program) =>
    found(
      sourcesBelow(program),
      ({ specifier }, { path }) => specifier.startsWith(".") && !join(dirname(path), specifier).startsWith(program),
    ),
  );
  expect(wrong).toEqual([]);
});

test("each package is used by its one entry", () => {
  const wrong = everything.flatMap((folder) =>
    found(sourcesBelow(folder), ({ specifier }) => /^@capstan\/[^/]+\//.test(specifier)),
  );
  expect(wrong).toEqual([]);
});

// A root takes seconds to type-check; a folder is found by bundlers and by CommonJS, and by nobody else.
test("providers are imported by file", () => {
  const wrong = everything.flatMap((folder) =>
    found(sourcesBelow(folder), ({ specifier }, { isModule }) => {
      const [, path] = /^@pulumi\/(?:aws|kubernetes|eks)(\/.+)?$/.exec(specifier) ?? [specifier, "/not a provider.js"];
      return path === undefined || (isModule && !path.endsWith(".js"));
    }),
  );
  expect(wrong).toEqual([]);
});

describe("core", () => {
  const sources = sourcesBelow("packages/core/src").filter(({ isTest }) => !isTest);

  test("has no Pulumi, no cdk8s and nothing of Node", () => {
    const allowed = ["@capstan/catalog", "zod"];
    const wrong = found(sources, ({ specifier }) => {
      const name = packageOf(specifier);
      return specifier.startsWith("node:") || (name !== null && !allowed.includes(name));
    });
    expect(wrong).toEqual([]);
  });

  test("the search for globals finds them, and only them", () => {
    const text = `const fetch = 1; type A = { console: string }; a.console; export const x = [fetch, process.env];`;
    expect(freeNames(parse("x.ts", text), SURROUNDINGS)).toEqual(["process"]);
  });

  test("neither reads nor writes anything of its surroundings", () => {
    const uses = sources.flatMap(({ path, tree }) => freeNames(tree, SURROUNDINGS).map((name) => `${path}: ${name}`));
    expect(uses).toEqual([]);
  });
});

const SURROUNDINGS = ["process", "console", "fetch", "require", "setTimeout", "setInterval", "globalThis"];

/** Which of some names a file uses and declares nowhere, so that they are those of globals. */
function freeNames(tree: ts.SourceFile, names: readonly string[]): string[] {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) declared.add(node.text);
      else if (isReference(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return names.filter((name) => used.has(name) && !declared.has(name));
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const declares = ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent);
  return (declares || ts.isFunctionDeclaration(parent)) && parent.name === node;
}

/** Not the name of a property. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent));
}
