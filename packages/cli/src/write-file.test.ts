import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
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
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./write-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-write-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("makes a new file and the directories above it, and leaves nothing else", () => {
  writeWhole(join(folder, "a", "b", "plan.json"), "new");
  expect(readFileSync(join(folder, "a", "b", "plan.json"), "utf8")).toBe("new");
  expect(readdirSync(join(folder, "a", "b"))).toEqual(["plan.json"]);
});

test("keeps the mode of a file that exists", () => {
  const file = join(folder, "plan.json");
  writeFileSync(file, "old");
  for (const mode of [0o600, 0o666]) {
    chmodSync(file, mode);
    writeWhole(file, `new ${mode}`);
    expect(readFileSync(file, "utf8")).toBe(`new ${mode}`);
    expect(statSync(file).mode & 0o777).toBe(mode);
  }
});

test("a symbolic link stays, and its target is written whether it exists or not", () => {
  const link = join(folder, "latest.json");
  symlinkSync("plan.json", link);
  for (const content of ["first", "second"]) {
    writeWhole(link, content);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "plan.json"), "utf8")).toBe(content);
  }
});

test("links in a circle are refused", () => {
  symlinkSync("b", join(folder, "a"));
  symlinkSync("a", join(folder, "b"));
  expect(() => writeWhole(join(folder, "a"), "new")).toThrow(UsageError);
  expect(readdirSync(folder).sort()).toEqual(["a", "b"]);
});

test("a pipe is written to and stays a pipe", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "inherit"] });
  let read = "";
  reader.stdout.on("data", (chunk) => {
    read += String(chunk);
  });
  onTestFinished(() => {
    reader.kill();
  });
  const closed = new Promise((done) => reader.on("close", done));
  writeWhole(pipe, "to the reader");
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  await closed;
  expect(read).toBe("to the reader");
});

test("a directory is refused", () => {
  mkdirSync(join(folder, "taken"));
  expect(() => writeWhole(join(folder, "taken"), "new")).toThrow(
    new UsageError(`${join(folder, "taken")} cannot be written: it is a directory`),
  );
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a file in the place of a directory is refused and kept", () => {
  writeFileSync(join(folder, "file"), "old");
  expect(() => writeWhole(join(folder, "file", "plan.json"), "new")).toThrow(UsageError);
  expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
});

test.runIf(existsSync("/proc/self"))("where no directory can be made, it fails and does not try for ever", () => {
  expect(() => writeWhole("/proc/capstan/deep/plan.json", "new")).toThrow(/cannot be written: .*\/proc\/capstan'/);
});
