import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { packages, readJson, root } from "../../tools/lib/workspace.ts";
import { packageOf, sourcesBelow } from "./sources.ts";

interface Manifest {
  readonly exports: unknown;
  readonly main?: string;
  readonly publishConfig: { readonly main: string; readonly types: string; readonly exports: unknown };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifests = new Map(
  packages().map(({ folder, directory }) => [folder, readJson<Manifest>(join(directory, "package.json"))]),
);

/** What a user's program has one copy of. A package with a copy of its own would see classes that are not the user's. */
const PEERS = /^(@pulumi\/|cdk8s|constructs$)/;

/** Loaded from the project that is planned, by a path that only the run knows. */
const LOADED_BY_PATH: Readonly<Record<string, readonly string[]>> = { offline: ["@pulumi/pulumi"] };

describe.each([...manifests])("%s", (folder, manifest) => {
  const sources = sourcesBelow(`packages/${folder}/src`);

  test("has one public entry", () => {
    expect(manifest.exports).toEqual({ ".": "./src/index.ts" });
    expect(manifest.publishConfig).toMatchObject({
      main: "./dist/index.js",
      types: "./dist/index.d.ts",
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    });
    expect(Object.keys(manifest.publishConfig.exports as object)).toEqual(["."]);
  });

  test("index files re-export and do nothing else", () => {
    const wrong = sources
      .filter(({ path }) => /\/index\.ts$/.test(path))
      .flatMap(({ path, tree }) =>
        tree.statements
          .filter((statement) => !(ts.isExportDeclaration(statement) && statement.moduleSpecifier))
          .map((statement) => `${path}: ${statement.getText(tree).slice(0, 80)}`),
      );
    expect(wrong).toEqual([]);
  });

  test("depends on exactly what its sources import", () => {
    const imported = importedBy(folder, false);
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const peers = imported.filter((name) => PEERS.test(name));
    expect(Object.keys(dependencies).sort()).toEqual(imported.filter((name) => !PEERS.test(name)));
    // A user has to bring the peers of what this package depends on as well.
    const below = Object.keys(dependencies).flatMap((name) => {
      const other = manifests.get(name.replace("@capstan/", ""));
      return name.startsWith("@capstan/") ? Object.keys(other?.peerDependencies ?? {}) : [];
    });
    const wanted = [...new Set([...peers, ...below, ...(LOADED_BY_PATH[folder] ?? [])])].sort();
    expect(Object.keys(peerDependencies).sort()).toEqual(wanted);
  });

  test("has what its tests import, and a copy of every peer", () => {
    const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest;
    const shared = readJson<Manifest>(join(root, "package.json")).devDependencies ?? {};
    const known = [dependencies, devDependencies, shared].flatMap((each) => Object.keys(each));
    expect(importedBy(folder, true).filter((name) => !known.includes(name))).toEqual([]);
    expect(Object.keys(peerDependencies).filter((name) => !(name in devDependencies))).toEqual([]);
  });
});

function importedBy(folder: string, tests: boolean): string[] {
  const files = sourcesBelow(`packages/${folder}/src`).filter(({ isTest }) => isTest === tests);
  const names = files.flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier)));
  return [...new Set(names.filter((name): name is string => name !== null))].sort();
}
