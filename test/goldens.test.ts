import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow } from "./files-below.ts";
import { goldenFiles } from "./golden-files.ts";
import { programs, recordingOf } from "./programs.ts";

const folder = join(import.meta.dirname, "goldens");
const HOW =
  "look at what has changed, then `npm run goldens` writes the files anew, and their diff is part of the review";

test.each(programs)("$name is as it was reviewed", async (program) => {
  const now = goldenFiles(await recordingOf(program));
  const reviewed = existsSync(join(folder, program.name)) ? filesBelow(join(folder, program.name)) : [];
  expect([...now.keys()].sort(), HOW).toEqual(reviewed);
  for (const [path, content] of now) {
    expect(content, `${program.name}/${path}: ${HOW}`).toBe(readFileSync(join(folder, program.name, path), "utf8"));
  }
});

describe("goldens/", () => {
  test("has no folder of a program that is gone", () => {
    const names = new Set(filesBelow(folder).map((path) => path.split("/")[0]));
    expect([...names].filter((name) => !programs.some((program) => program.name === name))).toEqual([]);
  });

  test("shows nothing of the machine that wrote it, and no secret", () => {
    const suspicious = /\/(home|root|Users|tmp|work)\/|hf_[A-Za-z0-9]{20}|AKIA[A-Z0-9]{16}/;
    const wrong = filesBelow(folder).filter((path) => suspicious.test(readFileSync(join(folder, path), "utf8")));
    expect(wrong).toEqual([]);
  });
});
