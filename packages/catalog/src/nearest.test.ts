import { expect, test } from "vitest";
import { gpuInstanceTypes, gpuModels, regions } from "./generated/ids.ts";
import { nearest } from "./nearest.ts";

test("a slip names what was meant", () => {
  expect(nearest("g6e.2xlrage", gpuInstanceTypes)).toBe("g6e.2xlarge");
  expect(nearest("us-esat-1", regions)).toBe("us-east-1");
  expect(nearest("L40S", gpuModels)).toBe("l40s");
});

test("a beginning names the shortest that begins so", () => {
  expect(nearest("h100", gpuModels)).toBe("h100-80");
  expect(nearest("rtx-pro", gpuModels)).toBe("rtx-pro-6000-blackwell");
});

test("another word is not a slip", () => {
  expect(nearest("banana", gpuModels)).toBeUndefined();
  expect(nearest("", gpuModels)).toBeUndefined();
  expect(nearest("h100", [])).toBeUndefined();
});
