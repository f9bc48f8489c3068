import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { temporaryProject } from "../testing/temporary-project.ts";
import { runChild } from "./child.ts";

const childModule = new URL("./child.ts", import.meta.url).href;

/** A process that runs a program which says its process id and then waits for ten minutes. */
function parentOfWaiting(before = "") {
  const directory = temporaryProject({
    "program.mjs": "console.error('pid', process.pid); setTimeout(() => {}, 600_000);",
    "parent.mjs": `import { runChild } from ${JSON.stringify(childModule)};
${before}
await runChild({ node: process.execPath, arguments: ["program.mjs"], environment: process.env,
  directory: import.meta.dirname, timeoutSeconds: 60 }).catch((error) => console.error(error.message));`,
  });
  const parent = spawn(process.execPath, [`${directory}/parent.mjs`], { stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  const programId = new Promise<number>((found) => {
    parent.stderr.on("data", (chunk) => {
      printed += String(chunk);
      const id = /pid (\d+)\n/.exec(printed)?.[1];
      if (id !== undefined) found(Number(id));
    });
  });
  onTestFinished(async () => {
    parent.kill("SIGKILL");
    try {
      process.kill(await programId, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  });
  return { parent, programId, printed: () => printed };
}

// The program holds our end of the pipe too: "close" comes when both processes have ended.
test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the program too, and us by that signal",
  async (signal) => {
    const { parent, programId } = parentOfWaiting();
    await programId;
    parent.kill(signal);
    expect(await once(parent, "close")).toEqual([null, signal]);
  },
  20_000,
);

test("a caller with a handler of its own stays, and hears that the program has ended", async () => {
  const { parent, programId, printed } = parentOfWaiting('process.on("SIGTERM", () => console.error("handled"));');
  await programId;
  parent.kill("SIGTERM");
  expect(await once(parent, "close")).toEqual([0, null]);
  expect(printed()).toContain("handled\n");
  expect(printed()).toContain("the program's process ended early (SIGKILL)");
});

test("an environment that the system does not take is the user's to mend", async () => {
  // Linux takes at most 128 KiB for one variable.
  const environment = { ...process.env, HUGE: "x".repeat(3_000_000) };
  const options = { node: process.execPath, arguments: [], environment, directory: "/", timeoutSeconds: 10 };
  await expect(runChild(options)).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining("E2BIG"),
  });
});
