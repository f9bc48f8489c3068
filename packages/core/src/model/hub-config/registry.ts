import { cohereFamilies } from "./families/cohere.ts";
import { encoderFamilies } from "./families/encoders.ts";
import type { Families } from "./families/family.ts";
import { gemmaFamilies } from "./families/gemma.ts";
import { glmFamilies } from "./families/glm.ts";
import { gptFamilies } from "./families/gpt.ts";
import { latentFamilies } from "./families/latent.ts";
import { llamaFamilies } from "./families/llama.ts";
import { mixtureFamilies } from "./families/mixtures.ts";
import { multimodalFamilies } from "./families/multimodal.ts";
import { phiFamilies } from "./families/phi.ts";
import { qwenFamilies } from "./families/qwen.ts";

export const decoderFamilies: Families = {
  ...llamaFamilies,
  ...qwenFamilies,
  ...gemmaFamilies,
  ...phiFamilies,
  ...gptFamilies,
  ...cohereFamilies,
  ...glmFamilies,
  ...mixtureFamilies,
  ...latentFamilies,
};

/** Architectures whose config.json can be read. */
export const knownArchitectures: readonly string[] = [
  ...Object.keys(decoderFamilies),
  ...Object.keys(multimodalFamilies),
  ...Object.keys(encoderFamilies),
];

/** Architecture by `model_type`, for sections and files that name no class. */
const byType: Readonly<Record<string, string>> = {
  llama: "LlamaForCausalLM",
  mistral: "MistralForCausalLM",
  ministral: "MinistralForCausalLM",
  mixtral: "MixtralForCausalLM",
  qwen2: "Qwen2ForCausalLM",
  qwen2_vl_text: "Qwen2ForCausalLM",
  qwen2_5_vl_text: "Qwen2ForCausalLM",
  qwen2_moe: "Qwen2MoeForCausalLM",
  qwen3: "Qwen3ForCausalLM",
  qwen3_moe: "Qwen3MoeForCausalLM",
  gemma: "GemmaForCausalLM",
  gemma2: "Gemma2ForCausalLM",
  gemma3_text: "Gemma3ForCausalLM",
  phi: "PhiForCausalLM",
  phi3: "Phi3ForCausalLM",
  granite: "GraniteForCausalLM",
  granitemoe: "GraniteMoeForCausalLM",
  cohere: "CohereForCausalLM",
  cohere2: "Cohere2ForCausalLM",
  internlm2: "InternLM2ForCausalLM",
  deepseek_v2: "DeepseekV2ForCausalLM",
  deepseek_v3: "DeepseekV3ForCausalLM",
  kimi_k2: "DeepseekV3ForCausalLM",
  llama4_text: "Llama4ForCausalLM",
  smollm3: "SmolLM3ForCausalLM",
  gpt2: "GPT2LMHeadModel",
  gpt_neox: "GPTNeoXForCausalLM",
  bert: "BertModel",
  roberta: "RobertaModel",
  "xlm-roberta": "XLMRobertaModel",
};

export function architectureOfType(modelType: string | null): string | null {
  return modelType !== null && Object.hasOwn(byType, modelType) ? (byType[modelType] ?? null) : null;
}

/** The entry of a table by a name that came from a file. */
export function entry<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
