import { ref } from "@capstan/core";
import { Construct } from "constructs";
import { expect, test } from "vitest";
import { attachRefs, refsOf } from "./refs.ts";
import { chart } from "./testing/fixtures.ts";

test("refs below a construct by name, known strings left out", () => {
  const c = chart();
  const bucket = ref("models-bucket", { an: "output" });
  attachRefs(new Construct(c, "a"), [bucket, "plain-bucket"]);
  attachRefs(new Construct(c, "b"), [bucket]);
  expect([...refsOf(c).keys()]).toEqual(["models-bucket"]);
  expect(refsOf(c).get("models-bucket")?.value).toBe(bucket.value);
});

test("two values of one name are refused: a token could mean either", () => {
  const c = chart();
  attachRefs(new Construct(c, "a"), [ref("bucket", 1)]);
  attachRefs(new Construct(c, "b"), [ref("bucket", 2)]);
  expect(() => refsOf(c)).toThrow('two different values are called ref "bucket" (the second in test/b)');
});
