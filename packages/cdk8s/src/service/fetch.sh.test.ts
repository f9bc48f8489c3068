import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, Sandbox, until } from "../testing/shell.ts";
import { FETCH_SCRIPT } from "./fetch.sh.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.write("work/keep", "");
});
afterEach(() => sandbox.dispose());

function start(environment: Record<string, string> = {}): Run {
  return sandbox.start(FETCH_SCRIPT, {
    MODEL: "bge-base",
    SOURCE_KIND: "hub",
    SOURCE: "Xenova/bge-base",
    SHOWN: "hub://Xenova/bge-base",
    REVISION: "-",
    SOURCE_PATH: "-",
    DIRECTORY: sandbox.path("models/bge/1"),
    BYTES: "-",
    WORK_DIRECTORY: sandbox.path("work"),
    TERMINATION_LOG: sandbox.path("termination-log"),
    ...environment,
  });
}

test("one file of a repository at the top of the directory, with the token of the environment", async () => {
  sandbox.tool(
    "hf",
    `echo "hf $*" >> "$LOG"; echo "token $HF_TOKEN" >> "$LOG"; mkdir -p "$4/onnx"; echo weights > "$4/onnx/model_quantized.onnx"`,
  );
  expect(await start({ SOURCE_PATH: "onnx/model_quantized.onnx", REVISION: "abc", HF_TOKEN: "hf_secret" }).exit).toBe(
    0,
  );
  const part = sandbox.path("models/bge/1/.capstan-part");
  expect(sandbox.calls()).toEqual([
    `hf download Xenova/bge-base --local-dir ${part} --revision abc --include onnx/model_quantized.onnx*`,
    "token hf_secret",
  ]);
  expect(sandbox.read("models/bge/1/model_quantized.onnx")).toBe("weights\n");
});

test("a restarted container continues in what is there", async () => {
  sandbox.tool(
    "hf",
    `if [ -e "$4/one" ]; then echo x > "$4/two"; else echo x > "$4/one"; echo 'Connection reset' >&2; exit 1; fi`,
  );
  expect(await start({ BYTES: "4" }).exit).toBe(1);
  expect(sandbox.read("termination-log")).toBe(
    "model bge-base: download failed: Connection reset; source hub://Xenova/bge-base\n",
  );
  expect(await start({ BYTES: "4" }).exit).toBe(0);
  expect(sandbox.exists("models/bge/1/.capstan-failed")).toBe(false);
});

test("a file that is not in the repository is named", async () => {
  sandbox.tool("hf", "exit 0");
  expect(await start({ SOURCE_PATH: "onnx/model.onnx" }).exit).toBe(1);
  expect(sandbox.read("termination-log")).toBe(
    "model bge-base: missing in the source: no onnx/model.onnx under hub://Xenova/bge-base\n",
  );
});

test("from S3 in one step", async () => {
  sandbox.tool("aws", `echo "aws $*" >> "$LOG"; cat "$AWS_CONFIG_FILE" >> "$LOG"; echo x > "$4/model.onnx"`);
  expect(await start({ SOURCE_KIND: "s3", SOURCE: "s3://b/p", SHOWN: "s3://b/p" }).exit).toBe(0);
  expect(sandbox.calls()).toEqual([
    `aws s3 sync s3://b/p ${sandbox.path("models/bge/1")} --delete --only-show-errors --exclude .capstan-*`,
    "[default]",
    "s3 =",
    "  max_concurrent_requests = 32",
  ]);
});

test("ends when the pod is deleted", async () => {
  sandbox.tool("hf", `echo started >> "$LOG"; exec sleep 600`);
  const run = start();
  await until(() => sandbox.calls().length > 0, "the tool");
  run.signal("SIGTERM");
  expect(await run.exit).toBe(143);
});
