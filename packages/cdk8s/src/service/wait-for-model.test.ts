import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, Sandbox, until } from "../testing/shell.ts";
import { WAIT_SCRIPT } from "./wait-for-model.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.dispose());

function start(budgetSeconds: number): Run {
  return sandbox.start(WAIT_SCRIPT, {
    MODEL: "llama-8b",
    MODEL_DIRECTORY: sandbox.path("model"),
    WANTED: "s3://bucket/llama 2000 bytes",
    PRELOADER: "preload-l40s",
    BUDGET_SECONDS: String(budgetSeconds),
    POLL_SECONDS: "1",
    TERMINATION_LOG: sandbox.path("termination-log"),
  });
}

test("goes on at once when the model is complete", async () => {
  sandbox.write("model/.capstan-complete", "s3://bucket/llama 2000 bytes\n");
  expect(await start(60).exit).toBe(0);
});

test("waits for the marker, and says so", async () => {
  sandbox.write("model/weights", "x");
  const run = start(60);
  await until(() => run.output().includes("preload-l40s has not finished"), "a message");
  sandbox.write("model/.capstan-complete", "s3://bucket/llama 2000 bytes\n");
  expect(await run.exit).toBe(0);
});

test("another model's marker is not taken", async () => {
  sandbox.write("model/.capstan-complete", "s3://bucket/llama-old 2000 bytes\n");
  expect(await start(2).exit).toBe(1);
  expect(sandbox.read("termination-log")).toBe(
    'model llama-8b is not complete on this node after 2 s; there is "s3://bucket/llama-old 2000 bytes", wanted is "s3://bucket/llama 2000 bytes"; gave up, see the log of DaemonSet preload-l40s on this node\n',
  );
});

test("gives up after the budget, with what the preloader says", async () => {
  sandbox.write("model/.capstan-failed", "model llama: no space left on the disk (12 KiB free): write error\n");
  expect(await start(1).exit).toBe(1);
  expect(sandbox.read("termination-log")).toContain(
    "preloader preload-l40s says: model llama: no space left on the disk (12 KiB free): write error; gave up",
  );
});

test("a stopped pod does not wait for its grace period", async () => {
  sandbox.write("model/weights", "x");
  const run = start(600);
  await until(() => run.output().includes("not complete"), "a message");
  run.signal("SIGTERM");
  expect(await run.exit).toBe(143);
});
