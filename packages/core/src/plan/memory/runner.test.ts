import type { Precision } from "@capstan/catalog";
import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import { runnerOf } from "./runner.ts";
import { model } from "./testing/cases.ts";

/** First of these versions whose default runner is V2. */
function firstV2(id: string, precision: Precision): string | undefined {
  const versions = ["0.19.1", "0.21.0", "0.22.1", "0.23.0", "0.24.0", "0.25.1", "0.28.0", "0.29.0"];
  return versions.find((version) => runnerOf(exactVersion(version), model(id), precision) === "v2");
}

test("the default runner changes by architecture, quantisation and version", () => {
  expect(firstV2("Qwen/Qwen3-8B", "bf16")).toBe("0.22.1");
  expect(firstV2("Qwen/Qwen3-8B", "awq")).toBe("0.24.0");
  expect(firstV2("meta-llama/Llama-3.1-8B-Instruct", "bf16")).toBe("0.23.0");
  expect(firstV2("meta-llama/Llama-3.1-8B-Instruct", "fp8")).toBe("0.24.0");
  expect(firstV2("deepseek-ai/DeepSeek-V2-Lite-Chat", "bf16")).toBe("0.24.0");
  expect(firstV2("Qwen/Qwen1.5-MoE-A2.7B", "bf16")).toBe("0.24.0");
  expect(firstV2("google/gemma-3-27b-it", "bf16")).toBe("0.25.1");
  expect(firstV2("Qwen/Qwen3-30B-A3B", "bf16")).toBe("0.29.0");
  expect(firstV2("openai/gpt-oss-20b", "mxfp4")).toBe("0.29.0");
});
