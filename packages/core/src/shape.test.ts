import { expect, test } from "vitest";
import * as z from "zod";
import { resolveService } from "./check.ts";
import { customModel } from "./model/model.ts";
import { s3 } from "./model/source.ts";
import { ref } from "./ref.ts";
import { llama8b } from "./rules/vllm/example-services.ts";
import { shapeFindings, show } from "./shape.ts";

/** As Pulumi's are: any property is another Output, and `toJSON` is advice instead of a value. */
function output<T>(): T {
  const target = {
    __pulumiOutput: true,
    toJSON: () => "Calling [toJSON] on an [Output<T>] is not supported.",
  };
  return new Proxy(target, {
    get: (own, key) => (key in own ? own[key as keyof typeof own] : typeof key === "string" ? output() : undefined),
  }) as T;
}

function shape(props: Parameters<typeof llama8b>[0]): (readonly [string, string, string])[] {
  const { findings } = resolveService(llama8b(props));
  return findings.filter((f) => f.id === "declaration.shape").map((f) => [f.path, f.message, f.remedy] as const);
}

const WHAT = "is a Pulumi Output, which has no value before the deployment";
const PLAIN = "give a plain value: the plan depends on it, so that ref(name, output) does not do here";

test("an Output where an identity may stand: ref is the way", () => {
  expect(shape({ source: s3({ bucket: output(), prefix: "llama" }) })).toEqual([
    ["services.llama-8b.source.bucket", WHAT, 'use ref("bucket", output)'],
  ]);
  expect(shape({ source: s3({ bucket: ref("bucket", output()), prefix: "llama" }) })).toEqual([]);
});

test("an Output where the plan needs the value is said once, at its place", () => {
  expect(shape({ namespace: output() })).toEqual([["services.llama-8b.namespace", WHAT, PLAIN]]);
  expect(shape({ source: s3({ bucket: "models", prefix: output() }) })).toEqual([
    ["services.llama-8b.source.prefix", WHAT, PLAIN],
  ]);
  expect(shape({ source: output() })).toEqual([["services.llama-8b.source", WHAT, PLAIN]]);
  expect(shape({ pool: output() })).toEqual([["services.llama-8b.pool", WHAT, PLAIN]]);
  expect(shape({ environmentVariables: [{ name: "A", value: output() }] })).toEqual([
    ["services.llama-8b.environmentVariables.0.value", WHAT, PLAIN],
  ]);
});

test("the wrong property of a model that is described is named", () => {
  const [[path, message] = [], ...more] = shape({ model: customModel({ id: "acme/chat", weightsBytes: Number.NaN }) });
  expect(path).toBe("services.llama-8b.model.weightsBytes");
  expect(message).toMatch(/^NaN is not valid: .*number/);
  expect(more).toEqual([]);
  expect(shape({ model: customModel({ id: output(), weightsBytes: 5e9 }) })).toEqual([
    ["services.llama-8b.model.id", WHAT, PLAIN],
  ]);
});

test("of alternatives of another kind none is taken for the one that was meant", () => {
  const either = z.strictObject({ bucket: z.union([z.string(), z.looseObject({ kind: z.literal("ref") })]) });
  expect(shapeFindings(either, { bucket: { arn: "a" } }, "x")).toMatchObject([
    { path: "x.bucket", message: '{"arn":"a"} is not valid; valid are a string' },
  ]);
});

test("values in messages are short and never advice of Pulumi's", () => {
  class Bucket {
    readonly self = this;
  }
  expect(show(output())).toBe("a Pulumi Output");
  expect(show({ a: output(), b: Number.NaN })).toBe('{"a":"a Pulumi Output","b":"NaN"}');
  expect(show(new Bucket())).toBe("an object of class Bucket");
  expect(show(["a"])).toBe('["a"]');
  expect(show("a\tb\n")).toBe('"a\\tb\\n"');
});

test("a resource in place of its name is told by its class", () => {
  class Bucket {
    readonly id = output<string>();
    readonly self = this;
  }
  expect(shape({ namespace: new Bucket() as unknown as string })).toMatchObject([
    [
      "services.llama-8b.namespace",
      expect.stringMatching(/^an object of class Bucket is not valid/),
      expect.anything(),
    ],
  ]);
});
