import { expect, test } from "vitest";
import { workloadOf } from "./workload.ts";

test.each([
  [{}, 131_072, 1024, 256],
  [{}, 512, 384, 128],
  [{}, 2, 1, 1],
  [{ promptTokens: 100 }, 131_072, 100, 256],
  [{ promptTokens: 4000 }, 4096, 4000, 96],
  [{ outputTokens: 2000 }, 2048, 48, 2000],
  [{ promptTokens: 7, outputTokens: 9 }, 16, 7, 9],
])("%j in a context of %d: %d + %d tokens", (query, length, promptTokens, outputTokens) => {
  expect(workloadOf(query, length)).toMatchObject({ promptTokens, outputTokens });
});

test("what was assumed is said, and what was given is not", () => {
  expect(workloadOf({}, 8192).assumed).toContain("1024 prompt tokens and 256 output tokens");
  expect(workloadOf({ promptTokens: 10 }, 8192).assumed).toContain("256 output tokens a request");
  expect(workloadOf({ promptTokens: 10, outputTokens: 10 }, 8192).assumed).toBeNull();
});
