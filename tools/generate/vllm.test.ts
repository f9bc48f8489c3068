import { expect, test } from "vitest";
import type { RawVllmVersion } from "./raw.ts";
import { byVersion, compactVllm, expandVllm, type VllmAdditions } from "./vllm.ts";

const nothing: VllmAdditions = { sources: [], metricTypes: {}, metrics: {}, booleans: [], choices: {} };
const release = (flags: RawVllmVersion["flags"], env: string[] = []): RawVllmVersion => ({ flags, metrics: {}, env });

test("a thing's versions become ranges, with a gap where it was away", () => {
  const versions = new Map([
    ["0.9.2", release({ "--a": {} }, ["VLLM_X"])],
    ["0.10.0", release({ "--a": {}, "--b": {} })],
    ["0.12.1", release({ "--b": {} }, ["VLLM_X"])],
  ]);
  const compact = compactVllm(versions, nothing, "2026-01-01");
  expect(compact.versions).toEqual(["0.9.2", "0.10.0", "0.12.1"]);
  expect(compact.flags["--a"]?.in).toEqual([["0.9", "0.10"]]);
  expect(compact.flags["--b"]?.in).toEqual([["0.10", null]]);
  expect(compact.environment.VLLM_X).toEqual([
    ["0.9", "0.9"],
    ["0.12", null],
  ]);
});

test("a default that changed is kept by the version from which it holds", () => {
  const versions = new Map([
    ["0.19.1", release({ "--u": { default: 0.9 } })],
    ["0.20.2", release({ "--u": { default: 0.92, aliases: ["--v"] } })],
    ["0.21.0", release({ "--u": {} })],
  ]);
  expect(compactVllm(versions, nothing, "2026-01-01").flags["--u"]).toEqual({
    in: [["0.19", null]],
    default: { "0.19": 0.9, "0.20": 0.92, "0.21": null },
    aliases: { "0.19": [], "0.20": ["--v"], "0.21": [] },
  });
});

test("folding and unfolding gives back every release", () => {
  const versions = new Map<string, RawVllmVersion>([
    [
      "0.31.0",
      {
        flags: { "--a": { boolean: true, default: false }, "--b": { choices: ["x"] } },
        metrics: { "vllm:m": "gauge" },
        env: ["VLLM_A", "VLLM_B"],
      },
    ],
    ["0.32.0", { flags: { "--b": { choices: ["x", "y"], aliases: ["-b"] } }, metrics: {}, env: ["VLLM_B"] }],
    [
      "0.33.0",
      {
        flags: { "--a": { boolean: true, default: true } },
        metrics: { "vllm:m": "gauge", "vllm:n": "counter" },
        env: ["VLLM_A"],
      },
    ],
  ]);
  const compact = compactVllm(versions, nothing, "2026-01-01");
  expect(expandVllm(compact)).toEqual(versions);
  expect(compactVllm(expandVllm(compact), nothing, "2026-01-01")).toEqual(compact);
});

test("what the wheels do not show is added for the versions that were looked at, and no others", () => {
  const versions = new Map([
    ["0.18.1", release({ "--kv": {}, "--headless": {} })],
    ["0.19.1", release({ "--kv": {}, "--headless": {} })],
    ["0.34.0", release({ "--kv": { choices: ["z"] }, "--headless": {} })],
  ]);
  const compact = compactVllm(
    versions,
    {
      ...nothing,
      metrics: { "vllm:spec": { in: ["0.19", "0.33"], type: "counter" } },
      booleans: ["--headless"],
      choices: { "--kv": { "0.19": ["x"], "0.20": ["y"] } },
    },
    "2026-01-01",
  );
  expect(compact.metrics["vllm:spec"]).toEqual({ in: [["0.19", "0.19"]], type: "counter" });
  expect(compact.flags["--headless"]?.boolean).toBe(true);
  expect(compact.flags["--kv"]?.choices).toEqual({ "0.18": null, "0.19": ["x"], "0.34": ["z"] });
});

test("a metric whose type nobody says is an error that says where to put it", () => {
  const versions = new Map([["0.33.0", { flags: {}, metrics: { "vllm:new": null }, env: [] }]]);
  expect(() => compactVllm(versions, nothing, "2026-01-01")).toThrow(/vllm:new.*vllm-additions/);
  expect(
    compactVllm(versions, { ...nothing, metricTypes: { "vllm:new": "gauge" } }, "2026-01-01").metrics["vllm:new"]?.type,
  ).toBe("gauge");
});

test("versions are ordered as numbers", () => {
  expect(["0.9.2", "0.33.0", "0.10.0", "0.10"].sort(byVersion)).toEqual(["0.9.2", "0.10.0", "0.10", "0.33.0"]);
});
