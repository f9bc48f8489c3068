import { expect, test } from "vitest";
import { importsOf, packageOf, parse } from "./sources.ts";

test("every way of naming a module is seen, and nothing in comments or strings", () => {
  const text = `
    import "side-effect";
    import type { A } from "./types.ts";
    import b, { c } from "@scope/name/deep.js";
    export * from "re-export";
    export type { D } from "type-export";
    type E = import("import-type").E;
    const f = await import("dynamic");
    const g = require("commonjs");
    // import "in a comment";
    const h = 'import "in a string"';
    const i = \`\${b} import "in a template"\`;
  `;
  expect(importsOf(parse("x.ts", text)).map(({ specifier }) => specifier)).toEqual([
    "side-effect",
    "./types.ts",
    "@scope/name/deep.js",
    "re-export",
    "type-export",
    "import-type",
    "dynamic",
    "commonjs",
  ]);
});

test("package of a specifier", () => {
  expect(["@pulumi/aws/eks/index.js", "yaml", "zod/v4", "./x.ts", "node:fs"].map(packageOf)).toEqual([
    "@pulumi/aws",
    "yaml",
    "zod",
    null,
    null,
  ]);
});
