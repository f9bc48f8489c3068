import { expect, test } from "vitest";
import { isPinned, tolerates } from "./serving-pods.ts";

test("tolerations are read as the scheduler reads them", () => {
  const taint = { key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" };
  expect(tolerates({ key: "nvidia.com/gpu", operator: "Exists" }, taint)).toBe(true);
  expect(tolerates({ operator: "Exists" }, taint)).toBe(true);
  expect(tolerates({ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }, taint)).toBe(true);
  expect(tolerates({ key: "nvidia.com/gpu", value: "absent" }, taint)).toBe(false);
  expect(tolerates({ key: "other", operator: "Exists" }, taint)).toBe(false);
  expect(tolerates({ key: "nvidia.com/gpu", operator: "Exists", effect: "NoExecute" }, taint)).toBe(false);
});

test("a pinned image has a digest or a version", () => {
  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  const pinned = ["vllm/vllm-openai:v0.33.0", "ghcr.io/huggingface/tei:cpu-1.9", `registry:5000/a@${digest}`];
  const floating = ["vllm/vllm-openai", "vllm/vllm-openai:latest", "a/b:stable", "registry:5000/a"];
  expect([...pinned, ...floating].filter((image) => isPinned(image))).toEqual(pinned);
});
