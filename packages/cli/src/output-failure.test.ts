import { execFile } from "node:child_process";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { watchOutput } from "./output-failure.ts";

const bin = fileURLToPath(new URL("./bin.ts", import.meta.url));

/** A stream whose writes fail, later than the call returns as those of a pipe do. */
function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      setImmediate(() => done(Object.assign(new Error(`${code}: no luck`), { code })));
    },
  });
}

test.each([
  ["ENOSPC", "ENOSPC: no luck"],
  ["EPIPE", undefined],
])("after %s, what is reported is %s", async (code, message) => {
  const stream = failing(code);
  const written = watchOutput(stream);
  stream.write("a");
  stream.write("b");
  expect((await written())?.message).toBe(message);
});

test("waits for what is still to be written", async () => {
  const got: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      setTimeout(() => {
        got.push(String(chunk));
        done();
      }, 20);
    },
  });
  const written = watchOutput(stream);
  stream.write("a");
  stream.write("b");
  expect(await written()).toBeUndefined();
  expect(got.slice(0, 2)).toEqual(["a", "b"]);
});

test("a reader that has left ends the command quietly", async () => {
  // The reader is gone before the command has even been loaded.
  const script = `{ sleep 0.2; "$0" "$1" --help; echo "code $?" >&2; } | true`;
  const { stderr } = await promisify(execFile)("sh", ["-c", script, process.execPath, bin]);
  expect(stderr).toBe("code 0\n");
});

test("an output that takes nothing is one line and exit code 1", async () => {
  // Open for reading only.
  const script = `"$0" "$1" --help 1<"$1"; echo "code $?" >&2`;
  const { stderr } = await promisify(execFile)("sh", ["-c", script, process.execPath, bin]);
  expect(stderr).toMatch(/^capstan: standard output cannot be written: EBADF.*\ncode 1\n$/);
});
