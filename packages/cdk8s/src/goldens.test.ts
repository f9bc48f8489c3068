import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderGoldens } from "./testing/goldens.ts";

const folder = new URL("../goldens/", import.meta.url);

// The files are read line by line before they are accepted; `testing/write-goldens.ts` writes them.
test.each(Object.entries(renderGoldens()))("%s is as it was reviewed", (name, rendered) => {
  expect(rendered).toBe(readFileSync(new URL(name, folder), "utf8"));
});

test("no file is left over", () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(renderGoldens()).sort());
});
