import { expect, test } from "vitest";
import { modelReaderPolicy } from "./model-reader.ts";

test("lists each bucket under its own prefixes, and reads only there", () => {
  const { Statement } = modelReaderPolicy("eu-central-1", [
    { bucket: "one", prefix: "llama" },
    { bucket: "two", prefix: "a/b" },
    { bucket: "one", prefix: "qwen" },
  ]);
  expect(
    Statement.map(({ Sid, Resource, Condition }) => [Sid, Resource, Condition?.StringLike?.["s3:prefix"]]),
  ).toEqual([
    ["ListModels0", ["arn:aws:s3:::one"], ["llama", "llama/*", "qwen", "qwen/*"]],
    ["ListModels1", ["arn:aws:s3:::two"], ["a/b", "a/b/*"]],
    ["ReadModels", ["arn:aws:s3:::one/llama/*", "arn:aws:s3:::two/a/b/*", "arn:aws:s3:::one/qwen/*"], undefined],
  ]);
});

test("an empty prefix is the whole bucket", () => {
  const { Statement } = modelReaderPolicy("eu-central-1", [{ bucket: "models", prefix: "" }]);
  expect(Statement[0]?.Condition).toEqual({ StringLike: { "s3:prefix": ["*"] } });
  expect(Statement[1]?.Resource).toEqual(["arn:aws:s3:::models/*"]);
});

test.each([
  ["cn-north-1", "arn:aws-cn:s3:::models"],
  ["us-gov-west-1", "arn:aws-us-gov:s3:::models"],
])("has the partition of %s", (region, arn) => {
  expect(modelReaderPolicy(region, [{ bucket: "models", prefix: "x" }]).Statement[0]?.Resource).toEqual([arn]);
});
