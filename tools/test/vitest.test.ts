import { expect, test } from "vitest";
import { countsOf, type JsonReport } from "./vitest.ts";

type File = JsonReport["testResults"][number];

const passed: File = { status: "passed", assertionResults: [{ status: "passed" }, { status: "passed" }] };
const failed: File = { status: "failed", assertionResults: [{ status: "passed" }, { status: "failed" }] };
const broken: File = { status: "failed", assertionResults: [] };
const skipped: File = { status: "passed", assertionResults: [{ status: "pending" }, { status: "todo" }] };

function report(...files: readonly File[]): JsonReport {
  const count = (wanted: string) =>
    files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("pending"),
    numTodoTests: count("todo"),
    testResults: files,
  };
}

test("tests are counted, and a file that could not be loaded is a failure of its own", () => {
  expect(countsOf(report(passed, failed, broken, skipped), 1)).toEqual({ passed: 3, failed: 2, skipped: 2, files: 4 });
  expect(countsOf(report(passed), 0)).toEqual({ passed: 2, failed: 0, skipped: 0, files: 1 });
});

test("a run that ends badly has failed, whatever its tests say", () => {
  expect(countsOf(report(passed), 1)).toMatchObject({ passed: 2, failed: 1 });
  expect(countsOf(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0, files: 0 });
  expect(countsOf(null, 0)).toMatchObject({ failed: 1 });
});
