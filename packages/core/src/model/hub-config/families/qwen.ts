import { type DecoderShape, decoder, names, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { Families } from "./family.ts";
import { sparseLayers } from "./mixture-fields.ts";

/** Biases on queries, keys and values alone. */
const qwenBiases = { ...noBiases, qkv: true };

export const qwenFamilies: Families = {
  QWenLMHeadModel: { read: qwen1, shipsCode: true },
  Qwen2ForCausalLM: { read: (config) => qwen2(config) },
  Qwen2MoeForCausalLM: { read: qwen2Mixture },
  Qwen3ForCausalLM: { read: (config) => qwen3(config) },
  Qwen3MoeForCausalLM: { read: qwen3Mixture },
};

/** The field counts gate and up together, so each is half as wide. */
function qwen1(config: ConfigReader) {
  const width = Math.floor(config.count("intermediate_size") / 2);
  return decoder(config, { biases: qwenBiases }, { mlp: { width, matrices: 3 } });
}

function qwen2(config: ConfigReader, known: Partial<DecoderShape> = {}) {
  return decoder(config, { biases: qwenBiases }, known);
}

function qwen3(config: ConfigReader, known: Partial<DecoderShape> = {}) {
  const bias = config.flag(false, "attention_bias");
  return decoder(config, { queryKeyNorm: "head", biases: { ...noBiases, qkv: bias, output: bias } }, known);
}

/** Without dense layers files may leave the width of their MLP out. */
function dense(config: ConfigReader): { readonly denseLayers: number; readonly known: Partial<DecoderShape> } {
  const layers = config.count(...names.layers);
  const denseLayers = sparseLayers(config, layers);
  return { denseLayers, known: denseLayers === 0 ? { layers, mlp: null } : { layers } };
}

/** A shared expert with a gate of its own beside the routed ones. */
function qwen2Mixture(config: ConfigReader) {
  const { denseLayers, known } = dense(config);
  const shape = qwen2(config, known);
  const experts = config.count("num_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("moe_intermediate_size"),
      sharedWidth: config.amountOr(0, "shared_expert_intermediate_size"),
      denseLayers,
      extraPerLayer: shape.hidden * experts + shape.hidden,
    },
  };
}

function qwen3Mixture(config: ConfigReader) {
  const { denseLayers, known } = dense(config);
  const shape = qwen3(config, known);
  const experts = config.count("num_experts", "num_local_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("moe_intermediate_size"),
      sharedWidth: 0,
      denseLayers,
      extraPerLayer: shape.hidden * experts,
    },
  };
}
