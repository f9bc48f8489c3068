import fc from "fast-check";
import { expect, test } from "vitest";
import { inString, isRef, REF_TOKEN, ref } from "./ref.ts";

test("the value is carried and never shown", () => {
  const value = { an: "output" };
  const bucket = ref("models-bucket", value);
  expect(bucket.value).toBe(value);
  expect(isRef(bucket)).toBe(true);
  expect(JSON.stringify(bucket)).toBe('{"kind":"ref","name":"models-bucket"}');
});

test.each(["d}$", "}", "", "a b", "a\n", 'a"b', "a\\b", "${ref:a", "-a", "a-"])("%j is refused at once", (name) => {
  expect(() => ref(name, "x")).toThrow(TypeError);
  expect(() => ref(name, "x")).toThrow(`${JSON.stringify(name)} cannot name a ref`);
});

test("a name that is no string is refused", () => {
  expect(() => ref(5 as unknown as string, "x")).toThrow("a number cannot name a ref");
});

test("a name that is taken is found again in any text, also in JSON inside of JSON", () => {
  fc.assert(
    fc.property(fc.oneof(fc.stringMatching(/^[a-z0-9}$"./_-]{1,8}$/), fc.string()), fc.string(), (name, around) => {
      let token: string;
      try {
        token = inString(ref(name, "x"));
      } catch {
        return;
      }
      fc.pre(!around.includes("${ref:"));
      const text = JSON.stringify(JSON.stringify({ [token]: `${around}${token}${around}` }));
      expect([...text.matchAll(REF_TOKEN)].map((match) => match[1])).toEqual([name, name]);
    }),
    { seed: 7, numRuns: 500 },
  );
});
