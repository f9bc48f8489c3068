import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generatedPages } from "../../tools/docs/pages.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

test("generated pages and schemas are what the code says now (npm run docs)", async () => {
  for (const { path, content } of await generatedPages(root)) {
    expect(readFileSync(join(root, path), "utf8"), path).toBe(content);
  }
});
