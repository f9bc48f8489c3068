import fc from "fast-check";
import { expect, test } from "vitest";
import { pipelineStages } from "./stages.ts";

const counts = (layers: number, stages: number) => pipelineStages(layers, stages).map((stage) => stage.layers);

test("left-over layers go to the stages before the last", () => {
  expect(counts(32, 1)).toEqual([32]);
  expect(counts(80, 2)).toEqual([40, 40]);
  expect(counts(61, 2)).toEqual([31, 30]);
  expect(counts(62, 4)).toEqual([15, 16, 16, 15]);
  expect(counts(63, 4)).toEqual([16, 16, 16, 15]);
});

test("each layer is on exactly one stage", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 16 }), (layers, wanted) => {
      const stages = pipelineStages(layers, Math.min(wanted, layers));
      expect(stages.flatMap((stage) => Array.from({ length: stage.layers }, (_, i) => stage.start + i))).toEqual(
        Array.from({ length: layers }, (_, i) => i),
      );
      expect(stages.every((stage) => stage.end - stage.start === stage.layers && stage.layers > 0)).toBe(true);
      expect(stages.filter((stage) => stage.first).map((stage) => stage.index)).toEqual([0]);
      expect(stages.filter((stage) => stage.last).map((stage) => stage.index)).toEqual([stages.length - 1]);
    }),
  );
});
