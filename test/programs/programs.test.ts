import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { planDocument, planFile, type Recording } from "@capstan/offline";
import { Ajv, type ValidateFunction } from "ajv";
import { beforeAll, describe, expect, test } from "vitest";
import { readJson, root } from "../../tools/lib/workspace.ts";
import { filesBelow } from "../files-below.ts";
import { schemaProblem } from "../schemas/models.ts";
import { typeProblems } from "../schemas/unknown-fields.ts";
import { goldenFiles } from "./golden-files.ts";
import { programs, recordingOf } from "./programs.ts";
import { renderedObjects } from "./rendered.ts";
import { servingPodProblems, unpinnedImages } from "./serving-pods.ts";

const goldens = join(import.meta.dirname, "..", "goldens");
const HOW = "look at what has changed; `npm run goldens` writes the files anew, and their diff is part of the review";

const validators = new Map<string, ValidateFunction>();

// One file for all that is checked of a program, since running one takes a second or more.
describe.each(programs)("$name", (program) => {
  let recording: Recording;

  beforeAll(async () => {
    recording = await recordingOf(program);
  });

  test("is as it was reviewed", () => {
    const now = goldenFiles(recording);
    const reviewed = existsSync(join(goldens, program.name)) ? filesBelow(join(goldens, program.name)) : [];
    for (const [path, content] of now) {
      if (!reviewed.includes(path)) continue;
      const before = readFileSync(join(goldens, program.name, path), "utf8");
      expect(content, `${program.name}/${path}: ${HOW}`).toBe(before);
    }
    expect([...now.keys()].sort(), HOW).toEqual(reviewed);
  });

  test("every object validates against the schema of its kind", async () => {
    const objects = renderedObjects(recording);
    expect(objects.length).toBeGreaterThan(0);
    const problems: string[] = [];
    for (const each of objects) {
      const problem = await schemaProblem(each);
      if (problem !== null) problems.push(`${each.path}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  test("no object has a field that the API server would drop", () => {
    expect(typeProblems(renderedObjects(recording))).toEqual([]);
  });

  test("its plan is what the published JSON Schemas describe", () => {
    expect(schemaErrors("plan-1", planDocument(recording))).toBe("");
    expect(schemaErrors("plan-file-1", planFile(recording))).toBe("");
  });

  test("serving pods ask for what their pool offers, requests equal limits, and its taints are tolerated", () => {
    expect(servingPodProblems(recording)).toEqual([]);
  });

  test("every image is pinned", () => {
    expect(unpinnedImages(recording)).toEqual([]);
  });
});

test("the published schemas refuse what is wrong with a plan", async () => {
  const plan = planDocument(await recordingOf(programs[0]!));
  expect(schemaErrors("plan-1", { ...plan, stack: 1 })).toContain("/stack must be string");
  expect(schemaErrors("plan-1", { ...plan, pools: [{ name: "l4" }] })).toContain(
    "/pools/0 must have required property",
  );
  expect(schemaErrors("plan-1", { ...plan, surprise: true })).toContain("must NOT have additional properties");
});

/** As JSON has it: what is undefined in the program is not there. */
function schemaErrors(name: string, document: object): string {
  const file = join(root, "packages/offline/schema", `${name}.schema.json`);
  const validate = validators.get(name) ?? new Ajv({ allErrors: true }).compile(readJson<object>(file));
  validators.set(name, validate);
  validate(JSON.parse(JSON.stringify(document)));
  const errors = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return errors.slice(0, 20).join("\n");
}

describe("goldens/", () => {
  test("has no folder of a program that is gone", () => {
    const names = new Set(filesBelow(goldens).map((path) => path.split("/")[0]));
    expect([...names].filter((name) => !programs.some((program) => program.name === name))).toEqual([]);
  });

  test("shows nothing of the machine that wrote it, and no secret", () => {
    const secret = /hf_[A-Za-z0-9]{20}|AKIA[A-Z0-9]{16}/;
    const wrong = filesBelow(goldens).filter((path) => {
      const content = readFileSync(join(goldens, path), "utf8");
      return content.includes(root) || secret.test(content);
    });
    expect(wrong).toEqual([]);
  });
});
