import fc from "fast-check";
import { expect, test } from "vitest";
import { vllmVersions } from "./generated/ids.ts";
import { findVllm, latestVllm, vllmFlagHistory } from "./vllm.ts";

test("a version is found by its exact name, its minor version, with a v, and by any of its patch releases", () => {
  expect(latestVllm).toBe("0.33.0");
  for (const name of ["0.33.0", "0.33", "v0.33.0", "0.33.7", "0.33.0.post1"])
    expect(findVllm(name)?.version).toBe("0.33.0");
  expect(findVllm("0.20.0")).toMatchObject({ version: "0.20.2", minor: "0.20" });
});

test("a version that nobody read is not guessed", () => {
  for (const name of ["0.13.0", "0.34", "1.33.0", "0.33.x", "latest", "", "0.33.0rc1"])
    expect(findVllm(name)).toBeUndefined();
});

test("--swap-space is there in 0.17.1 and gone in 0.18.1", () => {
  expect(findVllm("0.17.1")?.flags.has("--swap-space")).toBe(true);
  expect(findVllm("0.18.1")?.flags.has("--swap-space")).toBe(false);
  expect(vllmFlagHistory("--swap-space")).toEqual({ since: null, until: "0.18" });
});

test("--kv-cache-memory-bytes is in every release, --watermark came in 0.24, a made-up flag has no history", () => {
  for (const version of vllmVersions) expect(findVllm(version)?.flags.has("--kv-cache-memory-bytes")).toBe(true);
  expect(vllmFlagHistory("--kv-cache-memory-bytes")).toEqual({ since: null, until: null });
  expect(vllmFlagHistory("--watermark")).toEqual({ since: "0.24", until: null });
  expect(vllmFlagHistory("--calculate-kv-scales")).toEqual({ since: null, until: "0.28" });
  expect(vllmFlagHistory("--guided-everything")).toBeUndefined();
  expect(vllmFlagHistory("constructor")).toBeUndefined();
});

test("how much each release knows: the counts of the raw tables, and the speculative decoding metrics that they miss", () => {
  const counts = (version: string) => {
    const facts = findVllm(version)!;
    return [facts.flags.size, facts.metrics.size, facts.environment.size];
  };
  expect(counts("0.12.0")).toEqual([194, 36, 202]);
  expect(counts("0.19.1")).toEqual([231, 42 + 3, 223]);
  expect(counts("0.33.0")).toEqual([320, 47 + 6, 303]);
});

test("metrics by version", () => {
  expect(findVllm("0.19.1")?.metrics.has("vllm:num_requests_waiting_by_reason")).toBe(false);
  expect(findVllm("0.20.2")?.metrics.get("vllm:num_requests_waiting_by_reason")).toBe("gauge");
  expect(findVllm("0.14.1")?.metrics.has("vllm:time_per_output_token_seconds")).toBe(true);
  expect(findVllm("0.16.0")?.metrics.has("vllm:time_per_output_token_seconds")).toBe(false);
  expect(findVllm("0.33.0")?.metrics.get("vllm:num_requests_waiting")).toBe("gauge");
  expect(findVllm("0.33.0")?.metrics.get("vllm:cache_config_info")).toBe("info");
  expect(findVllm("0.19.1")?.metrics.get("vllm:spec_decode_num_drafts")).toBe("counter");
});

test("defaults, aliases and choices follow the version", () => {
  const flag = (version: string, name: string) => findVllm(version)?.flags.get(name);
  expect(flag("0.19.1", "--gpu-memory-utilization")?.default).toBe(0.9);
  expect(flag("0.20.2", "--gpu-memory-utilization")?.default).toBe(0.92);
  expect(flag("0.30.0", "--gpu-memory-utilization")?.aliases).toEqual([]);
  expect(flag("0.31.0", "--gpu-memory-utilization")?.aliases).toEqual(["--device-memory-utilization"]);
  expect(flag("0.33.0", "--tensor-parallel-size")).toMatchObject({ aliases: ["-tp"], default: 1, boolean: false });
  expect(flag("0.19.1", "--kv-cache-dtype")?.choices).not.toContain("nvfp4");
  expect(flag("0.20.2", "--kv-cache-dtype")?.choices).toContain("nvfp4");
  expect(flag("0.18.1", "--kv-cache-dtype")?.choices).toBeNull();
  expect(flag("0.33.0", "--enable-prefix-caching")?.boolean).toBe(true);
  expect(flag("0.33.0", "--headless")?.boolean).toBe(true);
});

test("environment variables by version", () => {
  expect(findVllm("0.19.1")?.environment.has("VLLM_ENABLE_STARTUP_PLAN")).toBe(false);
  expect(findVllm("0.26.0")?.environment.has("VLLM_ENABLE_STARTUP_PLAN")).toBe(true);
  // It went for some releases and came back: two ranges.
  const present = vllmVersions.filter((version) =>
    findVllm(version)?.environment.has("VLLM_ROCM_USE_AITER_FP4_ASM_GEMM"),
  );
  const first = vllmVersions.indexOf(present[0]!);
  const last = vllmVersions.indexOf(present[present.length - 1]!);
  expect(last - first + 1).toBeGreaterThan(present.length);
});

test("a flag's history agrees with every release", () => {
  const names = [...new Set(vllmVersions.flatMap((version) => [...findVllm(version)!.flags.keys()]))];
  fc.assert(
    fc.property(fc.constantFrom(...names), (name) => {
      const { since, until } = vllmFlagHistory(name)!;
      const minors = vllmVersions.map((version) => findVllm(version)!.minor);
      const from = since === null ? 0 : minors.indexOf(since);
      const to = until === null ? minors.length : minors.indexOf(until);
      const present = vllmVersions.map((version) => findVllm(version)!.flags.has(name));
      expect(present).toEqual(minors.map((_, position) => position >= from && position < to));
    }),
  );
});
