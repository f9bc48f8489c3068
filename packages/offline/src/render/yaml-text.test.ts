import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { yamlText } from "./yaml-text.ts";

const versions = ["1.1", "1.2"] as const;

// Each is another type in YAML 1.1, in 1.2, or in a reader that people use for one of them.
test.each([
  ..."yes no on off y n Yes NO On OFF Y N true false null ~ = << .inf -.INF .NaN".split(" "),
  ..."1_000 12:30:45 190:20:30 0b11 0o17 017 0x1F 1,000 1e3 1. .5 +1 -0 0_ 08 1:2 685_230.15".split(" "),
  ..."2001-01-01 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43Z".split(" "),
  "2001-12-14 21:59:43.10 -5",
])("%s is between quotes, as a value and as a key", (text) => {
  expect(yamlText({ v: text })).toBe(`v: "${text}"\n`);
  expect(yamlText({ [text]: "v" })).toBe(`"${text}": v\n`);
});

test.each(["8Gi", "500m", "llama-8b", "vllm/vllm-openai:v0.11.0", "--max-model-len=8192", "nope", "info", "yes-sir"])(
  "%s needs no quotes",
  (text) => {
    expect(yamlText({ v: text })).toBe(`v: ${text}\n`);
  },
);

test("numbers and booleans stay what they are", () => {
  expect(yamlText({ a: 1, b: true, c: null, d: 0.5 })).toBe("a: 1\nb: true\nc: null\nd: 0.5\n");
});

test("characters that readers refuse or take for a line break are escapes", () => {
  expect(yamlText({ v: "a\u007fb" })).toBe('v: "a\\u007fb"\n');
  expect(yamlText({ v: "a\u0085b\u2028c" })).toBe('v: "a\\u0085b\\u2028c"\n');
  expect(yamlText({ "\u007f": "\t" })).toBe('"\\u007f": "\\t"\n');
});

test("text of several lines is a block, and one line where white space would be lost", () => {
  expect(yamlText({ v: "first\n  second\n" })).toBe("v: |\n  first\n    second\n");
  expect(yamlText({ v: "   \n  \n" })).toBe('v: "   \\n  \\n"\n');
});

describe.each(versions)("YAML %s reads back", (version) => {
  const read = (value: unknown) => parse(yamlText(value), { version }) as unknown;
  const odd = fc.string({
    unit: fc.constantFrom(..." \n\t\r-:#?&*!|>'\"%@`{}[],.0179_xbeEyn~<=\\\u007f\u0085\u2028é"),
  });
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.string(), odd);

  test("any string as a value, in a list and as an argument", () => {
    fc.assert(
      fc.property(text, (v) => {
        expect(read({ env: [{ name: "A", value: v }], args: [v] })).toEqual({
          env: [{ name: "A", value: v }],
          args: [v],
        });
      }),
      { numRuns: 2000, seed: 7 },
    );
  });

  test("any string as a key", () => {
    fc.assert(
      fc.property(text, (key) => {
        // A key of JavaScript's own that assignment does not set.
        fc.pre(key !== "__proto__");
        expect(read({ [key]: key })).toEqual({ [key]: key });
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
