import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readJson } from "./read-json.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan json-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function written(text: string): string {
  const path = join(folder, "config.json");
  writeFileSync(path, text);
  return path;
}

test("Python's Infinity and NaN are read as nothing, and left alone inside texts", () => {
  expect(
    readJson(written('{ "limits": [0.0, Infinity], "low": -Infinity, "odd": NaN, "name": ": Infinity, NaN" }')),
  ).toEqual({
    limits: [0, null],
    low: null,
    odd: null,
    name: ": Infinity, NaN",
  });
});

test("a byte order mark is no fault", () => {
  expect(readJson(written('\uFEFF{"a":1}'))).toEqual({ a: 1 });
});

test("a file that is no JSON, and one that is not there, are named", () => {
  expect(() => readJson(written("{"))).toThrow(/config\.json is not JSON/);
  expect(() => readJson(join(folder, "none.json"))).toThrow(/none\.json cannot be read/);
});
