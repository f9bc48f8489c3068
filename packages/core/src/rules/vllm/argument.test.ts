import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import type { VllmProps } from "../../service/vllm-props.ts";
import { argumentsOf, flagNumber, flagValue, formProblem, isFurtherValue } from "./argument.ts";
import { llama8b } from "./example-services.ts";

function service(extraArgs: readonly string[], props: Partial<VllmProps> = {}): ResolvedVllm {
  const resolved = resolveService(llama8b({ extraArgs, ...props })).service;
  if (resolved?.kind !== "vllm") throw new Error("not resolved");
  return resolved;
}

function parsed(text: string, props: Partial<VllmProps> = {}) {
  const [argument] = argumentsOf(service([text], props));
  if (!argument) return null;
  const { name, negated, abbreviated, key, value, flag } = argument;
  return { name, negated, abbreviated, key, value, known: flag !== null };
}

const plain = { negated: false, abbreviated: false, key: null, value: null, known: true };

test.each([
  ["--seed=1", { ...plain, name: "--seed", value: "1" }],
  ["--max_model_len=4096", { ...plain, name: "--max-model-len", value: "4096" }],
  ["--device-memory-utilization=0.5", { ...plain, name: "--gpu-memory-utilization", value: "0.5" }],
  ["--no-enforce-eager", { ...plain, name: "--enforce-eager", negated: true }],
  ["--no-enable-chunked-prefill", { ...plain, name: "--enable-chunked-prefill", negated: true }],
  ["--disable-chunked-prefill", { ...plain, name: "--enable-chunked-prefill", negated: true }],
  ["--enable-uvicorn-access-log", { ...plain, name: "--disable-uvicorn-access-log", negated: true }],
  ["--tensor-parallel=2", { ...plain, name: "--tensor-parallel-size", abbreviated: true, value: "2" }],
  ["--compilation-config.mode=3", { ...plain, name: "--compilation-config", key: "mode", value: "3" }],
  ['--hf-overrides={"a.b":"c=d"}', { ...plain, name: "--hf-overrides", value: '{"a.b":"c=d"}' }],
  ["--max-num=8", { ...plain, name: "--max-num", value: "8", known: false }],
  ["--no-disable-log-stats", { ...plain, name: "--no-disable-log-stats", known: false }],
])("%s is read as the engine's parser reads it", (text, expected) => {
  expect(parsed(text)).toEqual(expected);
});

test("opposites are flags from 0.33 only", () => {
  expect(parsed("--disable-chunked-prefill", { engineVersion: "0.32.0" })?.known).toBe(false);
  expect(parsed("--no-enable-chunked-prefill", { engineVersion: "0.32.0" })?.negated).toBe(true);
});

test.each([
  ["", "empty"],
  ["--", "empty"],
  ["-tp=2", "short"],
  ["-O3", "short"],
  ["seed=1", "value"],
  ["--seed 1", "two-in-one"],
  ["--seed=1", null],
  ['--hf-overrides={"a": 1}', null],
])("%j is %s", (text, expected) => {
  expect(formProblem(text)).toBe(expected);
});

test("further values belong to a bare flag that takes several", () => {
  const all = ["--lora-modules", "a=/a", "b=/b", "--seed", "1", "--lora-modules=a=/a", "b=/b"];
  expect(all.map((_, index) => isFurtherValue(all, index))).toEqual([false, true, true, false, false, false, false]);
});

test("the last value of a flag counts", () => {
  const given = service(["--data-parallel-size=2", "--data-parallel-size=4", "--no-async-scheduling", "--seed=x"]);
  expect(flagValue(given, "--data-parallel-size")).toBe("4");
  expect(flagNumber(given, "--data-parallel-size")).toBe(4);
  expect(flagValue(given, "--async-scheduling")).toBe(false);
  expect(flagNumber(given, "--seed")).toBeUndefined();
  expect(flagValue(given, "--block-size")).toBeUndefined();
});
