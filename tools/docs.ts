// Writes the generated pages: rules, command line, JSON Schemas. A test fails when they are stale.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedPages } from "./docs/pages.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

for (const { path, content } of await generatedPages(root)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  process.stdout.write(`${path}\n`);
}
