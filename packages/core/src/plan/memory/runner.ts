import type { ModelFacts, Precision } from "@capstan/catalog";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import { isQuantised } from "./precision.ts";
import type { ModelRunner } from "./types.ts";

/** Mixtures of experts that ran on V2 before all models did, 0.24 to 0.28. */
const listedMixtures = new Set(["DeepseekV2ForCausalLM", "Qwen2MoeForCausalLM", "GraniteMoeForCausalLM"]);

/** The runner a version picks for a model by itself (facts/vllm-by-version.md 1.4). Logged as "Using V2 Model Runner". */
export function runnerOf(version: EngineVersion, model: ModelFacts, precision: Precision): ModelRunner {
  const { architecture } = model;
  const plain = !isQuantised(precision);
  if (atLeast(version, "0.29.0")) return "v2";
  if (atLeast(version, "0.25.0")) return model.moe === null || listedMixtures.has(architecture) ? "v2" : "v1";
  const dense = ["Qwen3ForCausalLM", "LlamaForCausalLM", "MistralForCausalLM"];
  if (atLeast(version, "0.24.0")) return dense.includes(architecture) || listedMixtures.has(architecture) ? "v2" : "v1";
  if (atLeast(version, "0.23.0")) return plain && dense.includes(architecture) ? "v2" : "v1";
  if (atLeast(version, "0.22.0")) return plain && architecture === "Qwen3ForCausalLM" ? "v2" : "v1";
  return "v1";
}
