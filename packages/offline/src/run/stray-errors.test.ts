import { expect, test } from "vitest";
import { takeStrayErrors } from "./stray-errors.ts";

test("takes stray errors while it is asked to and then puts the former listeners back", async () => {
  const events = ["unhandledRejection", "uncaughtException"] as const;
  const before = events.map((event) => process.rawListeners(event));
  const taken: unknown[] = [];
  const restore = takeStrayErrors((error) => taken.push(error));
  const rejection = new Error("rejected");
  void Promise.reject(rejection);
  const thrown = new Error("thrown");
  setImmediate(() => {
    throw thrown;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  restore();
  expect(taken).toEqual([rejection, thrown]);
  expect(events.map((event) => process.rawListeners(event))).toEqual(before);
});
