import { expect, test } from "vitest";
import { atLeast, exactVersion, parseEngineVersion } from "./engine-version.ts";

test("only an exact release is a version", () => {
  expect(parseEngineVersion("0.33.0")).toEqual({ major: 0, minor: 33, patch: 0 });
  expect(parseEngineVersion("v0.20.2")).toEqual({ major: 0, minor: 20, patch: 2 });
  expect(parseEngineVersion("0.29.0.post1")).toEqual({ major: 0, minor: 29, patch: 0 });
  for (const text of ["0.33", "latest", "nightly", "0.10.1.dev101", ""]) expect(parseEngineVersion(text)).toBeNull();
});

test("versions compare as numbers, not as text", () => {
  expect(atLeast(exactVersion("0.9.0"), "0.11.0")).toBe(false);
  expect(atLeast(exactVersion("0.20.2"), "0.20.2")).toBe(true);
  expect(atLeast(exactVersion("0.20.1"), "0.20.2")).toBe(false);
  expect(atLeast(exactVersion("1.0.0"), "0.33.0")).toBe(true);
});
