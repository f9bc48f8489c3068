import { mkdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, Sandbox, until } from "../testing/shell.ts";
import { PRELOAD_SCRIPT } from "./preload.sh.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path("cache"));
});
afterEach(() => sandbox.dispose());

interface Line {
  readonly slug?: string;
  readonly kind?: "s3" | "hub";
  readonly source?: string;
  readonly revision?: string;
  readonly path?: string;
  readonly directory?: string;
  readonly bytes?: string;
  readonly token?: string;
  readonly marker?: string;
}

function list(...lines: Line[]): void {
  const text = lines.map((line) => {
    const slug = line.slug ?? "llama";
    const source = line.source ?? `s3://bucket/${slug}`;
    return [
      slug,
      line.kind ?? "s3",
      source,
      line.revision ?? "-",
      line.path ?? "-",
      line.directory ?? sandbox.path("cache", slug),
      line.bytes ?? "-",
      line.token ?? "-",
      source,
      line.marker ?? source,
    ].join("\t");
  });
  sandbox.write("models.tsv", `${text.join("\n")}\n`);
}

function start(environment: Record<string, string> = {}): Run {
  const holder = environment.HOLDER ?? "pod-a/s3";
  const work = sandbox.path(`work ${holder.replace("/", "-")}`);
  mkdirSync(work, { recursive: true });
  return sandbox.start(PRELOAD_SCRIPT, {
    SOURCE_KIND: "s3",
    CACHE_ROOT: sandbox.path("cache"),
    MODEL_LIST: sandbox.path("models.tsv"),
    PRELOADER: "preload-l40s",
    HOLDER: holder,
    WORK_DIRECTORY: work,
    TERMINATION_LOG: sandbox.path("termination-log"),
    LOCK_POLL_SECONDS: "1",
    HEARTBEAT_SECONDS: "1",
    ...environment,
  });
}

const marker = (slug = "llama") => sandbox.read(`cache/${slug}/.capstan-complete`).trim();
const ready = (holder = "pod-a-s3") => sandbox.exists(`work ${holder}/ready`);

/** `aws s3 sync SOURCE DIRECTORY ...`: writes two files of 1000 bytes, each only where it is not there yet. */
const SYNC = `
echo "aws $*" >> "$LOG"
for file in a.safetensors b.safetensors; do
  if [ -e "$4/$file" ]; then echo "kept $file" >> "$LOG"; continue; fi
  head -c 1000 /dev/zero > "$4/$file"
  if [ -n "$STOP_AFTER_ONE" ]; then echo half > "$4/b.safetensors.1a2B3c4D"; sleep 600; fi
done
rm -f "$4"/*.1a2B3c4D
`;

test("fills a model from S3 and writes the marker last", async () => {
  sandbox.tool("aws", SYNC);
  list({ bytes: "2000", marker: "s3://bucket/llama 2000 bytes" });
  const run = start();
  await until(() => ready(), "ready");
  expect(marker()).toBe("s3://bucket/llama 2000 bytes");
  expect(sandbox.calls()).toEqual([
    `aws s3 sync s3://bucket/llama ${sandbox.path("cache/llama")} --delete --only-show-errors --exclude .capstan-*`,
  ]);
  expect(sandbox.exists("cache/llama/.capstan-lock")).toBe(false);
  run.signal("SIGTERM");
  expect(await run.exit).toBe(143);
});

test("a second round downloads nothing", async () => {
  sandbox.tool("aws", SYNC);
  list({});
  start({ RECHECK_SECONDS: "1" });
  await until(() => ready(), "ready");
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(sandbox.calls()).toHaveLength(1);
});

test("killed in the middle: no marker, and the next run of the pod resumes", async () => {
  sandbox.tool("aws", SYNC);
  list({ bytes: "2000" });
  const first = start({ STOP_AFTER_ONE: "yes" });
  await until(() => sandbox.exists("cache/llama/b.safetensors.1a2B3c4D"), "half a download");
  first.signal("SIGKILL", true);
  expect(await first.exit).toBe(137);
  expect(sandbox.exists("cache/llama/.capstan-complete")).toBe(false);

  start();
  await until(() => ready(), "ready");
  expect(sandbox.calls().filter((line) => line.startsWith("kept"))).toEqual(["kept a.safetensors"]);
  expect(marker()).toBe("s3://bucket/llama");
});

test("another pod takes over a lock that nobody refreshes, and not before", async () => {
  sandbox.tool("aws", SYNC);
  list({});
  const first = start({ STOP_AFTER_ONE: "yes" });
  await until(() => sandbox.exists("cache/llama/.capstan-lock/holder"), "the lock");
  first.signal("SIGKILL", true);
  await first.exit;

  const second = start({ HOLDER: "pod-b/s3", LOCK_STALE_SECONDS: "5" });
  await until(() => ready("pod-b-s3"), "ready");
  expect(second.output()).toContain("pod-a/s3 is at it; waiting");
  expect(second.output()).toContain("taking over the lock of pod-a/s3");
});

test("of two at the same time one downloads, the other waits and finds it done", async () => {
  sandbox.tool("aws", `sleep 7\n${SYNC}`);
  list({});
  start();
  await until(() => sandbox.exists("cache/llama/.capstan-lock/holder"), "the lock");
  // Stale after four seconds without refresh: the first one refreshes every second, so its lock holds for seven.
  const second = start({ HOLDER: "pod-b/s3", LOCK_STALE_SECONDS: "4" });
  await until(() => ready("pod-a-s3") && ready("pod-b-s3"), "both ready");
  expect(sandbox.calls()).toHaveLength(1);
  expect(second.output()).toContain("pod-a/s3 is at it; waiting");
  expect(second.output()).not.toContain("taking over");
});

test("stopped: releases its lock and ends the tool", async () => {
  sandbox.tool("aws", `trap 'echo ended >> "$LOG"; exit 1' TERM\n${SYNC.replace("sleep 600", "sleep 600 & wait")}`);
  list({});
  const run = start({ STOP_AFTER_ONE: "yes" });
  await until(() => sandbox.exists("cache/llama/b.safetensors.1a2B3c4D"), "half a download");
  run.signal("SIGTERM");
  expect(await run.exit).toBe(143);
  expect(sandbox.calls()).toContain("ended");
  expect(sandbox.exists("cache/llama/.capstan-lock")).toBe(false);
  expect(sandbox.exists("cache/llama/.capstan-complete")).toBe(false);
});

test.each([
  [
    "a missing object",
    "fatal error: An error occurred (NoSuchKey) when calling the GetObject operation: The specified key does not exist.",
    "model llama: missing in the source: fatal error: An error occurred (NoSuchKey)",
  ],
  [
    "a missing bucket",
    "fatal error: An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation",
    "model llama: missing in the source:",
  ],
  [
    "no access",
    "fatal error: An error occurred (AccessDenied) when calling the ListObjectsV2 operation: Access Denied",
    "model llama: access denied:",
  ],
  [
    "a full disk",
    "download failed: s3://b/k to k [Errno 28] No space left on device",
    "model llama: no space left on the disk (",
  ],
  ["anything else", "Could not connect to the endpoint URL", "model llama: download failed: Could not connect"],
])("%s is named in the termination message and beside the model", async (_, words, message) => {
  sandbox.tool("aws", `echo '${words}' >&2; exit 1`);
  list({});
  expect(await start().exit).toBe(1);
  expect(sandbox.read("termination-log")).toContain(message);
  expect(sandbox.read("cache/llama/.capstan-failed")).toContain(message);
  expect(sandbox.exists("cache/llama/.capstan-complete")).toBe(false);
});

test("a prefix without objects is missing, although the tool is content", async () => {
  sandbox.tool("aws", "exit 0");
  list({});
  expect(await start().exit).toBe(1);
  expect(sandbox.read("termination-log")).toBe("model llama: missing in the source: nothing under s3://bucket/llama\n");
});

test("a model that cannot fit is refused before anything is downloaded", async () => {
  sandbox.tool("aws", SYNC);
  list({ bytes: String(2 ** 60) });
  expect(await start().exit).toBe(1);
  // 2^60 bytes are 2^40 MiB; what the directory holds itself is a few KiB of it.
  expect(sandbox.read("termination-log")).toMatch(
    /^model llama: no space left on the disk: needs 10995116277\d\d MiB more, \d+ MiB are free\n$/,
  );
  expect(sandbox.calls()).toEqual([]);
});

test("a wrong size is refused", async () => {
  sandbox.tool("aws", SYNC);
  list({ bytes: "2106" });
  expect(await start().exit).toBe(1);
  // 95 % of 2106 are 2000.7.
  expect(sandbox.read("termination-log")).toBe(
    "model llama: wrong size: 2000 bytes, where s3://bucket/llama should have about 2106\n",
  );
  expect(sandbox.exists("cache/llama/.capstan-complete")).toBe(false);
});

test("a size that was rounded up is not a wrong one", async () => {
  sandbox.tool("aws", SYNC);
  list({ bytes: "2105" });
  start();
  await until(() => ready(), "ready");
  expect(marker()).toBe("s3://bucket/llama");
});

test("one model that fails does not keep the others out, and mending it clears the note", async () => {
  sandbox.tool("aws", `case $3 in */bad) echo 'An error occurred (404)' >&2; exit 1;; esac\n${SYNC}`);
  list({ slug: "bad" }, { slug: "good" });
  expect(await start().exit).toBe(1);
  expect(marker("good")).toBe("s3://bucket/good");
  expect(sandbox.read("termination-log").split("\n").filter(Boolean)).toEqual([
    "model bad: missing in the source: An error occurred (404); source s3://bucket/bad",
  ]);
  expect(ready()).toBe(false);

  sandbox.tool("aws", SYNC);
  start();
  await until(() => ready(), "ready");
  expect(sandbox.exists("cache/bad/.capstan-failed")).toBe(false);
  expect(marker("bad")).toBe("s3://bucket/bad");
});

test("another revision is another model: the old marker goes first", async () => {
  sandbox.tool("aws", SYNC);
  list({});
  const first = start();
  await until(() => ready(), "ready");
  first.signal("SIGTERM");
  await first.exit;

  sandbox.tool("aws", `cat "$4/.capstan-complete" >> "$LOG" 2>/dev/null || echo "no marker" >> "$LOG"\n${SYNC}`);
  list({ source: "s3://bucket/llama-v2" });
  start();
  await until(() => marker() === "s3://bucket/llama-v2", "the new marker");
  expect(sandbox.calls()).toContain("no marker");
});

test("hub: revision, token and the files of one path, moved to the top", async () => {
  sandbox.tool(
    "hf",
    `echo "hf $*" >> "$LOG"; echo "token $HF_TOKEN" >> "$LOG"
mkdir -p "$4/onnx" "$4/.cache"
head -c 10 /dev/zero > "$4/onnx/model.onnx"; head -c 90 /dev/zero > "$4/onnx/model.onnx_data"`,
  );
  list({
    kind: "hub",
    source: "BAAI/bge-m3",
    revision: "5617a9f",
    path: "onnx/model.onnx",
    bytes: "100",
    token: "HUB_TOKEN_1",
  });
  start({ SOURCE_KIND: "hub", HUB_TOKEN_0: "wrong", HUB_TOKEN_1: "hf_secret" });
  await until(() => ready(), "ready");
  const part = sandbox.path("cache/llama/.capstan-part");
  expect(sandbox.calls()).toEqual([
    `hf download BAAI/bge-m3 --local-dir ${part} --revision 5617a9f --include onnx/model.onnx*`,
    "token hf_secret",
  ]);
  expect(sandbox.read("cache/llama/model.onnx")).toHaveLength(10);
  expect(sandbox.read("cache/llama/model.onnx_data")).toHaveLength(90);
  expect(sandbox.exists("cache/llama/.capstan-part")).toBe(false);
});

test("a directory of the source, moved to the top", async () => {
  sandbox.tool(
    "aws",
    `echo "aws $*" >> "$LOG"; mkdir -p "$4/int4"; echo graph > "$4/int4/model.xml"; echo x > "$4/int4/model.bin"`,
  );
  list({ path: "int4" });
  start();
  await until(() => ready(), "ready");
  const part = sandbox.path("cache/llama/.capstan-part");
  expect(sandbox.calls()).toEqual([
    `aws s3 sync s3://bucket/llama ${part} --delete --only-show-errors --exclude * --include int4*`,
  ]);
  expect(sandbox.read("cache/llama/model.xml")).toBe("graph\n");
});

test("only models of the container's own kind are filled", async () => {
  sandbox.tool("aws", SYNC);
  list({ slug: "hub-model", kind: "hub", source: "a/b" }, { slug: "s3-model" });
  start();
  await until(() => ready(), "ready");
  expect(marker("s3-model")).toBe("s3://bucket/s3-model");
  expect(marker("hub-model")).toBe("");
  // Its directory is there all the same, so that a pod that waits for it can start to wait.
  expect(sandbox.exists("cache/hub-model")).toBe(true);
});

test("directories of this preloader that are no longer listed are removed, others are left alone", async () => {
  sandbox.tool("aws", SYNC);
  sandbox.write("cache/old/.capstan-owner", "preload-l40s\n");
  sandbox.write("cache/old/weights", "x");
  sandbox.write("cache/other/.capstan-owner", "preload-h100\n");
  sandbox.write("cache/by-hand/weights", "x");
  list({});
  start();
  await until(() => ready(), "ready");
  expect(sandbox.exists("cache/old")).toBe(false);
  expect(sandbox.exists("cache/other/.capstan-owner")).toBe(true);
  expect(sandbox.exists("cache/by-hand/weights")).toBe(true);
});
