import { join } from "node:path";
import { main } from "@capstan/cli";
import { expect, test } from "vitest";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { findBundle, writeBundle } from "./bundle.ts";

async function start(): Promise<string> {
  const { code, stdout, output } = await run(process.execPath, [join(root, "tools/start.ts")], {
    environment: { CI: "1" },
  });
  expect({ code, output }).toMatchObject({ code: 0 });
  return stdout;
}

test("npm start shows what capstan plan shows, from the bundle as from the sources, and where to go next", async () => {
  const shown: string[] = [];
  const terminal = {
    out: (text: string) => void shown.push(text),
    err: (text: string) => void shown.push(text),
    cwd: root,
    colour: false,
    columns: 100,
  };
  expect(await main(["plan", "stacks/inference-platform", "--stack", "dev"], terminal)).toBe(0);
  const first = await start();
  const bundle = findBundle();
  if (!bundle.isThere) await writeBundle(bundle);
  expect(findBundle().isThere).toBe(true);
  expect(await start()).toBe(first);
  const [plan, next] = first.split("\nWhere to go next\n");
  expect(plan).toBe(shown.join(""));
  expect(next?.trimEnd().split("\n")).toHaveLength(5);
});
