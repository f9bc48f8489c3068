import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "./testing/run.ts";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const foreign = join(workspace, "packages/offline/fixtures/secure-config");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("help of every command exits 0 and shows an example", async () => {
  for (const command of ["plan", "render", "fit", "explain"]) {
    const { code, out } = await run([command, "--help"], workspace);
    expect(code).toBe(0);
    expect(out).toMatch(/Examples?:\n {2}capstan /);
  }
  expect((await run(["--version"], workspace)).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [["plann", "--stack", "dev"], /unknown command 'plann'[\s\S]*Did you mean plan/],
  [["plan"], /required option '--stack <name>'/],
  [["plan", "--stack", "dev", "--josn"], /unknown option '--josn'[\s\S]*Did you mean --json/],
  [["plan", "--stack", "dev", "a", "b"], /too many arguments/],
  [["plan", "nowhere", "--stack", "dev"], /nowhere/],
  [["render", "--stack", "dev"], /required option '--out <dir>'/],
  [["explain", "gpu.mig.unsuported"], /did you mean "gpu.mig.unsupported"/],
  [["plan", "--stack", "prdo"], /prdo[\s\S]*prod/],
])("%j is one message, exit code 2, and nothing on stdout", async (args, message) => {
  const { code, out, err } = await run(args, workspace);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
  expect(out).toBe("");
});

test("a folder without a project says how to name one", async () => {
  const { code, err } = await run(["plan", "--stack", "dev"], folder);
  expect(code).toBe(2);
  expect(err).toContain("no Pulumi.yaml in");
});

test("a package.json that is not JSON is named", async () => {
  writeFileSync(join(folder, "package.json"), "{");
  const { code, err } = await run(["plan", "--stack", "dev"], folder);
  expect(code).toBe(2);
  expect(err).toContain("package.json is not JSON");
});

test("a rule is explained with what it accepts", async () => {
  const { code, out } = await run(["explain", "gpu.mig.unsupported"], folder);
  expect(code).toBe(0);
  expect(out).toContain("cannot be acknowledged");
  expect(out).toContain("  - L4");
});

test("a project without our constructs has resources and no platform, and no secret in what is printed", async () => {
  const stack =
    readdirSync(foreign)
      .find((name) => /^Pulumi\..+\.yaml$/.test(name))
      ?.split(".")[1] ?? "";
  const { code, out } = await run(["plan", foreign, "--stack", stack, "--json"], folder);
  expect(code).toBe(0);
  const plan = JSON.parse(out) as { pools: unknown[]; resources: unknown[]; schemaVersion: number };
  expect(plan.schemaVersion).toBe(1);
  expect(plan.pools).toEqual([]);
  expect(plan.resources.length).toBeGreaterThan(0);
});

test("--out writes the whole plan or nothing", async () => {
  const stack =
    readdirSync(foreign)
      .find((name) => /^Pulumi\..+\.yaml$/.test(name))
      ?.split(".")[1] ?? "";
  const file = join(folder, "deep", "plan.json");
  expect((await run(["plan", foreign, "--stack", stack, "--out", file], folder)).code).toBe(0);
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object)).toEqual(
    expect.arrayContaining(["resolved", "curves"]),
  );
  // A directory of that name cannot be replaced by a file.
  mkdirSync(join(folder, "taken"));
  const refused = await run(["plan", foreign, "--stack", stack, "--out", join(folder, "taken")], folder);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("cannot be written");
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("render replaces its own files, and no others", async () => {
  const stack =
    readdirSync(foreign)
      .find((name) => /^Pulumi\..+\.yaml$/.test(name))
      ?.split(".")[1] ?? "";
  const out = join(folder, "rendered");
  expect((await run(["render", foreign, "--stack", stack, "--out", out], folder)).code).toBe(0);
  writeFileSync(join(out, "notes.txt"), "keep");
  expect((await run(["render", foreign, "--stack", stack, "--out", out], folder)).code).toBe(0);
  expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("keep");
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "notes.txt"), "keep");
  const refused = await run(["render", foreign, "--stack", stack, "--out", join(folder, "mine")], folder);
  expect(refused.code).toBe(2);
  expect(readFileSync(join(folder, "mine", "notes.txt"), "utf8")).toBe("keep");
});
