import { expect, test } from "vitest";
import { toToml } from "./toml.ts";

test("scalars come before tables, and a table without values of its own has no header", () => {
  expect(toToml({ a: { b: { c: 1, d: { e: true } } }, top: "x" })).toBe(`top = "x"

[a.b]
c = 1

[a.b.d]
e = true
`);
});

test("quotes what a bare key or a string cannot have", () => {
  expect(toToml({ "a100.40gb": 'say "hi"\n', "plain-key_1": [] })).toBe(`"a100.40gb" = "say \\"hi\\"\\n"
plain-key_1 = []
`);
});
