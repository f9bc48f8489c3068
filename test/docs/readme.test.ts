import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { recordInProcess } from "@capstan/offline";
import { expect, test } from "vitest";

const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
const snippet = readme.match(/```ts\n([\s\S]*?)```/)?.[1] ?? "";

const IMPORT = /^import \{ (.+) \} from "(@capstan\/(?:core|eks))";$/gm;
const packages = {
  "@capstan/core": () => import("@capstan/core"),
  "@capstan/eks": () => import("@capstan/eks"),
};

/** The snippet as a function of what it imports: a name that it neither imports nor declares is a ReferenceError. */
async function run(code: string): Promise<void> {
  const imported: Record<string, unknown> = {};
  for (const [, names = "", from] of code.matchAll(IMPORT)) {
    const all: Record<string, unknown> = await packages[from as keyof typeof packages]();
    for (const name of names.split(", ")) imported[name] = all[name];
  }
  new Function(...Object.keys(imported), `"use strict"; ${code.replaceAll(IMPORT, "")}`)(...Object.values(imported));
}

test("the first program of the README runs as it stands", async () => {
  const { resources } = await recordInProcess({ project: "readme", stack: "dev" }, () => run(snippet));
  const types = resources.map(({ type }) => type);
  expect(types.filter((type) => type === "aws:eks/nodeGroup:NodeGroup")).toHaveLength(1);
  expect(types.filter((type) => type === "kubernetes:networking.k8s.io/v1:NetworkPolicy")).not.toEqual([]);
});
