import { join } from "node:path";
import { expect, test } from "vitest";
import { ProgramError } from "../errors.ts";
import { deserializeError, programError, serializeError } from "./serialized-error.ts";

test("an error keeps name, message, stack and its own JSON properties on the way", () => {
  const original = Object.assign(new TypeError("wrong"), {
    code: "E1",
    findings: [{ id: "a" }],
    promise: Promise.resolve(),
    big: 1n,
  });
  const arrived = deserializeError(JSON.parse(JSON.stringify(serializeError(original))));
  expect(arrived).toBeInstanceOf(Error);
  expect({ ...arrived }).toEqual({ name: "TypeError", code: "E1", findings: [{ id: "a" }] });
  expect([arrived.message, arrived.stack]).toEqual(["wrong", original.stack]);
});

test("anything may be thrown", () => {
  expect(serializeError({ a: 1 })).toEqual({ name: "Error", message: '{"a":1}', details: {} });
  expect(programError(undefined).message).toBe("undefined");
  expect(programError(new Error()).message).toBe("Error");
});

test("a slip is told with the first place that is the program's own", () => {
  const slip = (frames: string[]) => {
    const error = new TypeError("not a function");
    error.stack = ["TypeError: not a function", ...frames].join("\n");
    return programError(error).message;
  };
  const file = join(process.cwd(), "src", "a b.ts");
  const foreign = join(process.cwd(), "node_modules", "x", "index.js");
  expect(slip(["    at node:internal/x:1:1", `    at f (${foreign}:1:1)`, `    at new Thing (${file}:3:5)`])).toBe(
    `not a function (${join("src", "a b.ts")}:3:5)`,
  );
  expect(slip([`    at async file://${file.replace(" ", "%20")}:7:1`])).toBe(
    `not a function (${join("src", "a b.ts")}:7:1)`,
  );
  expect(slip(["    at f (/elsewhere/index.js:1:1)"])).toBe("not a function");
});

test("an error thrown on purpose is told as it is", () => {
  const error = new Error("the model does not fit");
  expect(programError(error)).toMatchObject({ message: "the model does not fit", cause: error });
  const already = new ProgramError("as it is");
  expect(programError(already)).toBe(already);
});
