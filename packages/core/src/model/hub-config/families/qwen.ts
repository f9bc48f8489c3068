import { decoder, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { Families } from "./family.ts";
import { sparseLayers } from "./mixture-fields.ts";

/** Biases on queries, keys and values alone. */
const qwenBiases = { ...noBiases, qkv: true };

export const qwenFamilies: Families = {
  QWenLMHeadModel: { read: qwen1, shipsCode: true },
  Qwen2ForCausalLM: { read: qwen2 },
  Qwen2MoeForCausalLM: { read: qwen2Mixture },
  Qwen3ForCausalLM: { read: qwen3 },
  Qwen3MoeForCausalLM: { read: qwen3Mixture },
};

/** The field counts gate and up together, so each is half as wide. */
function qwen1(config: ConfigReader) {
  const width = Math.floor(config.count("intermediate_size") / 2);
  return decoder(config, { biases: qwenBiases }, { mlp: { width, matrices: 3 } });
}

export function qwen2(config: ConfigReader) {
  return decoder(config, { biases: qwenBiases });
}

export function qwen3(config: ConfigReader) {
  const bias = config.flag(false, "attention_bias");
  return decoder(config, { queryKeyNorm: "head", biases: { ...noBiases, qkv: bias, output: bias } });
}

/** A shared expert with a gate of its own beside the routed ones. */
function qwen2Mixture(config: ConfigReader) {
  const shape = qwen2(config);
  const experts = config.count("num_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("moe_intermediate_size"),
      sharedWidth: config.amountOr(0, "shared_expert_intermediate_size"),
      denseLayers: sparseLayers(config, shape.layers),
      extraPerLayer: shape.hidden * experts + shape.hidden,
    },
  };
}

export function qwen3Mixture(config: ConfigReader) {
  const shape = qwen3(config);
  const experts = config.count("num_experts", "num_local_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("moe_intermediate_size"),
      sharedWidth: 0,
      denseLayers: sparseLayers(config, shape.layers),
      extraPerLayer: shape.hidden * experts,
    },
  };
}
