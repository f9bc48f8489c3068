import { decoder, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { Families } from "./family.ts";

export const glmFamilies: Families = {
  ChatGLMModel: { read: chatGlm, shipsCode: "ChatGLMForConditionalGeneration" },
  ChatGLMForConditionalGeneration: { read: chatGlm, shipsCode: true },
  GlmForCausalLM: { read: (config) => glm(config, 2) },
  Glm4ForCausalLM: { read: (config) => glm(config, 4) },
  Glm4MoeForCausalLM: { read: glm4Mixture },
};

/** ChatGLM2, 3 and GLM-4 as first published: fields of their own. */
function chatGlm(config: ConfigReader) {
  if (!config.has("multi_query_group_num") && !config.has("multi_query_attention")) {
    config.refuse("the first ChatGLM has prefix attention, which is not modelled: multi_query_attention is missing");
  }
  const heads = config.count("num_attention_heads");
  const grouped = config.flag(false, "multi_query_attention");
  const linear = config.flag(false, "add_bias_linear");
  return decoder(
    config,
    { biases: { qkv: linear || config.flag(false, "add_qkv_bias"), output: linear, mlp: linear, head: false } },
    { heads, kvHeads: grouped ? config.count("multi_query_group_num") : heads },
  );
}

function glm(config: ConfigReader, normsPerLayer: number) {
  const qkv = config.flag(false, "attention_bias");
  return decoder(config, { normsPerLayer, biases: { ...noBiases, qkv } });
}

/** Dense layers first, then routed experts with a bias on the router and a shared one beside them. */
function glm4Mixture(config: ConfigReader) {
  const qkv = config.flag(false, "attention_bias");
  const normed = config.flag(false, "use_qk_norm");
  const shape = decoder(config, { biases: { ...noBiases, qkv }, queryKeyNorm: normed ? "head" : "none" });
  const experts = config.count("n_routed_experts");
  const width = config.count("moe_intermediate_size");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width,
      sharedWidth: config.amountOr(1, "n_shared_experts") * width,
      denseLayers: config.amountOr(1, "first_k_dense_replace"),
      extraPerLayer: shape.hidden * experts + experts,
    },
  };
}
