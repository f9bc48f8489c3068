import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UsageError } from "./usage-error.ts";
import { writeTree } from "./write-tree.ts";

let folder = "";
let out = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-tree-"));
  out = join(folder, "out");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const filesOf = (content: Readonly<Record<string, string>>) =>
  Object.entries(content).map(([path, text]) => ({ path, content: text }));

/** Every file below `out` with its content, but for the marker. */
function tree(): Record<string, string> {
  const paths = readdirSync(out, { recursive: true, encoding: "utf8" }).filter(
    (path) => path !== ".capstan-rendered" && statSync(join(out, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(out, path), "utf8")]));
}

test("the next run replaces what the last one wrote, and nothing else", () => {
  writeTree(out, filesOf({ "a/one.yaml": "1", "b/c/two.yaml": "2" }));
  mkdirSync(join(out, ".git"));
  writeFileSync(join(out, ".git", "HEAD"), "ref");
  writeFileSync(join(out, "a", "notes.txt"), "keep");
  writeTree(out, filesOf({ "a/one.yaml": "1 again", "d/three.yaml": "3" }));
  expect(tree()).toEqual({
    ".git/HEAD": "ref",
    "a/notes.txt": "keep",
    "a/one.yaml": "1 again",
    "d/three.yaml": "3",
  });
  // Directories that have become empty go too, and no temporary one stays.
  expect(readdirSync(out).sort()).toEqual([".capstan-rendered", ".git", "a", "d"]);
  expect(readdirSync(folder)).toEqual(["out"]);
});

test("a file of that name which capstan did not write is refused, and nothing changes", () => {
  writeTree(out, filesOf({ "a.yaml": "1" }));
  writeFileSync(join(out, "b.yaml"), "mine");
  const marker = readFileSync(join(out, ".capstan-rendered"), "utf8");
  expect(() => writeTree(out, filesOf({ "a.yaml": "2", "b.yaml": "2" }))).toThrow(
    new UsageError(
      `${join(out, "b.yaml")} exists and capstan did not write it: move it away, or name another directory`,
    ),
  );
  expect(tree()).toEqual({ "a.yaml": "1", "b.yaml": "mine" });
  expect(readFileSync(join(out, ".capstan-rendered"), "utf8")).toBe(marker);
});

test("a directory without the marker must be empty", () => {
  mkdirSync(out);
  writeTree(out, filesOf({ "a.yaml": "1" }));
  rmSync(join(out, ".capstan-rendered"));
  expect(() => writeTree(out, filesOf({ "b.yaml": "2" }))).toThrow("has files that capstan did not write");
  expect(tree()).toEqual({ "a.yaml": "1" });
});

test("a file cannot be the directory", () => {
  writeFileSync(out, "mine");
  expect(() => writeTree(out, filesOf({ "a.yaml": "1" }))).toThrow(UsageError);
  expect(readFileSync(out, "utf8")).toBe("mine");
});

test.each([
  ["Written by capstan render: the next run replaces this directory.\n"],
  ['{ "files": ["../precious"] }'],
  [`{ "files": ["/etc/hostname"] }`],
  ["null"],
])("a marker that does not list files of the directory is refused: %s", (marker) => {
  mkdirSync(out);
  writeFileSync(join(folder, "precious"), "keep");
  writeFileSync(join(out, ".capstan-rendered"), marker);
  expect(() => writeTree(out, filesOf({ "a.yaml": "1" }))).toThrow(
    /\.capstan-rendered does not list what capstan wrote/,
  );
  expect(readFileSync(join(folder, "precious"), "utf8")).toBe("keep");
  expect(tree()).toEqual({});
});

test("nothing is written or removed through a link inside the directory", () => {
  const elsewhere = join(folder, "elsewhere");
  writeTree(out, filesOf({ "a/one.yaml": "1", "two.yaml": "2" }));
  rmSync(join(out, "a"), { recursive: true });
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "one.yaml"), "mine");
  symlinkSync(elsewhere, join(out, "a"));
  expect(() => writeTree(out, filesOf({ "a/one.yaml": "2" }))).toThrow(UsageError);
  writeTree(out, filesOf({ "two.yaml": "2" }));
  expect(readFileSync(join(elsewhere, "one.yaml"), "utf8")).toBe("mine");
});

test("a link to a directory stays, and its target is written", () => {
  symlinkSync("real", out);
  for (const content of ["1", "2"]) {
    writeTree(out, filesOf({ "a.yaml": content }));
    expect(lstatSync(out).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real", "a.yaml"), "utf8")).toBe(content);
  }
});

test("directories have the mode that a new directory has here", () => {
  mkdirSync(join(folder, "usual"));
  const usual = statSync(join(folder, "usual")).mode;
  writeTree(out, filesOf({ "a/one.yaml": "1" }));
  expect(statSync(out).mode).toBe(usual);
  expect(statSync(join(out, "a")).mode).toBe(usual);
});

test("a run that fails half way can be repeated, and a new directory is not left behind", () => {
  // A name longer than a file system takes: the first file is in the temporary directory by then.
  const tooLong = filesOf({ "a.yaml": "1", [`${"x".repeat(300)}.yaml`]: "2" });
  expect(() => writeTree(out, tooLong)).toThrow(/cannot be written: /);
  expect(existsSync(out)).toBe(false);
  writeTree(out, filesOf({ "a.yaml": "1" }));
  expect(() => writeTree(out, filesOf({ "a.yaml": "2", [`${"x".repeat(300)}.yaml`]: "2" }))).toThrow(UsageError);
  expect(tree()).toEqual({ "a.yaml": "1" });
  expect(readdirSync(out).sort()).toEqual([".capstan-rendered", "a.yaml"]);
});
