import { expect, test } from "vitest";
import { ConfigReader } from "./reader.ts";

test("takes the first of the names that is there, and null as not there", () => {
  const config = new ConfigReader({ n_embd: 768, hidden_size: null });
  expect(config.count("hidden_size", "n_embd")).toBe(768);
  expect(config.problems).toEqual([]);
});

test("keeps every problem: what is missing with its other names, what is no number with its value", () => {
  const config = new ConfigReader({ layers: 2.5, heads: -1, flag: "yes", nested: { size: 0 } });
  config.count("layers");
  config.count("heads");
  config.flag(true, "flag");
  config.count("vocab_size", "padded_vocab_size");
  config.section("nested")?.count("size");
  expect(config.problems).toEqual([
    "layers is 2.5; it must be a whole number above 0",
    "heads is -1; it must be a whole number above 0",
    'flag is "yes"; it must be true or false',
    "vocab_size is missing (also read as padded_vocab_size)",
    "nested.size is 0; it must be a whole number above 0",
  ]);
});

test("absurd numbers are slips", () => {
  const config = new ConfigReader({ vocab_size: 1e15 });
  config.count("vocab_size");
  expect(config.problems[0]).toContain("vocab_size is 1000000000000000");
});

test("inherited names are not fields", () => {
  expect(new ConfigReader({}).countOr(7, "constructor")).toBe(7);
  expect(new ConfigReader({}).section("toString")).toBeNull();
});

test("0 and empty lists are not set", () => {
  const config = new ConfigReader({ shared: 0, list: [], off: false, on: 1 });
  expect(["shared", "list", "off", "on"].map((name) => config.isSet(name))).toEqual([false, false, false, true]);
});

test("a silent reader keeps its problems to itself", () => {
  const config = new ConfigReader({});
  config.silent().count("layers");
  expect(config.problems).toEqual([]);
});
