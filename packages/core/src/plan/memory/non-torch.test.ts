import { expect, test } from "vitest";
import { nonTorch } from "./non-torch.ts";
import { GIB } from "./units.ts";

const constants = { nonTorchGib: { 1: 0.25, 2: 2 } };

test("the measured size at or below is taken", () => {
  expect(nonTorch(constants, 1, 1).bytes).toBe(0.25 * GIB);
  expect(nonTorch(constants, 2, 1).bytes).toBe(2 * GIB);
  expect(nonTorch(constants, 8, 1)).toEqual({ bytes: 2 * GIB, how: "measured at TP 2" });
});

test("a stage of a pipeline without tensor parallelism needs next to nothing", () => {
  expect(nonTorch(constants, 1, 2).bytes).toBe(0.1 * GIB);
  expect(nonTorch(constants, 2, 2).bytes).toBe(2 * GIB);
});
