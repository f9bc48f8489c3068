import { decoder, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import { patternWindows, windowOf } from "../windows.ts";
import { type Families, flaggedBiases } from "./family.ts";

/** Mixtures of experts with ordinary attention. */
export const mixtureFamilies: Families = {
  MixtralForCausalLM: { read: mixtral },
  OlmoeForCausalLM: { read: olmoe },
  GraniteMoeForCausalLM: { read: graniteMixture },
  GraniteMoeSharedForCausalLM: { read: graniteMixture },
  DbrxForCausalLM: { read: dbrx, shipsCode: true },
  ArcticForCausalLM: { read: arctic, shipsCode: true },
  GptOssForCausalLM: { read: gptOss },
  Llama4ForCausalLM: { read: llama4, windows: llama4Windows },
  MiniMaxM2ForCausalLM: { read: miniMax2, shipsCode: true },
  Ernie4_5_MoeForCausalLM: { read: ernieMixture, shipsCode: true },
  HunYuanMoEV1ForCausalLM: { read: hunYuanMixture, shipsCode: true },
  Dots1ForCausalLM: { read: dots, shipsCode: true },
};

function mixtral(config: ConfigReader) {
  const shape = decoder(config, {}, { mlp: null });
  const experts = config.count("num_local_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.countOr(2, "num_experts_per_tok"),
      width: config.count("intermediate_size"),
      sharedWidth: 0,
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts,
    },
  };
}

function olmoe(config: ConfigReader) {
  const shape = decoder(config, { queryKeyNorm: "all", biases: flaggedBiases(config) }, { mlp: null });
  const experts = config.count("num_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("intermediate_size"),
      sharedWidth: 0,
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts,
    },
  };
}

function graniteMixture(config: ConfigReader) {
  const shape = decoder(config, { tiedByDefault: true, biases: flaggedBiases(config) }, { mlp: null });
  const experts = config.count("num_local_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("intermediate_size"),
      sharedWidth: config.amountOr(0, "shared_intermediate_size"),
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts,
    },
  };
}

function dbrx(config: ConfigReader) {
  const attention = config.section("attn_config");
  const ffn = config.section("ffn_config");
  if (ffn === null) config.refuse("ffn_config is missing: it has the experts of DBRX");
  const heads = config.count("n_heads");
  const shape = decoder(config, {}, { heads, kvHeads: attention?.countOr(1, "kv_n_heads") ?? 1, mlp: null });
  const experts = ffn?.count("moe_num_experts") ?? 1;
  return {
    ...shape,
    mixture: {
      experts,
      perToken: ffn?.count("moe_top_k") ?? 1,
      width: ffn?.count("ffn_hidden_size") ?? 1,
      sharedWidth: 0,
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts,
    },
  };
}

/** Every layer has experts, beside them a dense MLP as wide as the model, and a norm for each. */
function arctic(config: ConfigReader) {
  const shape = decoder(config, {}, { mlp: null });
  const experts = config.count("num_local_experts");
  const every = config.countOr(2, "moe_layer_frequency");
  const mixed = Math.floor(shape.layers / every);
  const width = config.count("intermediate_size");
  const besides = config.flag(false, "parallel_attn_mlp_res", "use_residual");
  return {
    ...shape,
    mlp: { width, matrices: 3 as const },
    mixture: {
      experts,
      perToken: config.countOr(1, "num_experts_per_tok"),
      width,
      sharedWidth: 0,
      denseLayers: shape.layers - mixed,
      extraPerLayer: shape.hidden * experts + (besides ? 3 * shape.hidden * shape.hidden + shape.hidden : 0),
    },
  };
}

/** Biases on attention, router and experts, and a sink for each head. */
function gptOss(config: ConfigReader) {
  const bias = config.flag(true, "attention_bias");
  const shape = decoder(config, { biases: { ...noBiases, qkv: bias, output: bias } }, { mlp: null });
  const experts = config.count("num_local_experts", "num_experts");
  const width = config.count("intermediate_size");
  return {
    ...shape,
    perLayer: shape.perLayer + shape.heads,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok", "experts_per_token"),
      width,
      sharedWidth: 0,
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts + experts + experts * (2 * width + shape.hidden),
    },
  };
}

/** A shared expert in every mixture layer; the norms of queries and keys have no weights. */
function llama4(config: ConfigReader) {
  const width = config.count("intermediate_size");
  const shape = decoder(
    config,
    { biases: flaggedBiases(config) },
    { mlp: { width: config.countOr(width, "intermediate_size_mlp"), matrices: 3 } },
  );
  const experts = config.count("num_local_experts");
  const listed = config.list("moe_layers");
  const step = config.countOr(1, "interleave_moe_layer_step");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.countOr(1, "num_experts_per_tok"),
      width,
      sharedWidth: width,
      denseLayers: shape.layers - (listed?.length ?? Math.floor(shape.layers / step)),
      extraPerLayer: shape.hidden * experts,
    },
  };
}

/** Chunked attention where positions are rotary, full attention where there are none: every fourth layer. */
function llama4Windows(config: ConfigReader, layers: number) {
  const every = config.countOr(4, "no_rope_layer_interval");
  const rotary = config.list("no_rope_layers");
  return patternWindows(config, layers, windowOf(config, 8192), (layer) => {
    const chunked = rotary === null ? (layer + 1) % every !== 0 : rotary[layer] === 1;
    return chunked ? "chunked" : "full";
  });
}

/** Full attention everywhere; one norm over all query heads and one over all key heads. */
function miniMax2(config: ConfigReader) {
  const normed = config.flag(false, "use_qk_norm");
  const shape = decoder(
    config,
    { queryKeyNorm: normed ? "all" : "none", biases: flaggedBiases(config) },
    { mlp: null },
  );
  const experts = config.count("num_local_experts");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width: config.count("intermediate_size"),
      sharedWidth: config.amountOr(0, "shared_intermediate_size"),
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts + (config.flag(false, "use_routing_bias") ? experts : 0),
    },
  };
}

function ernieMixture(config: ConfigReader) {
  const bias = config.flag(false, "use_bias");
  const shape = decoder(config, { tiedByDefault: true, biases: { qkv: bias, output: bias, mlp: bias, head: false } });
  const experts = config.count("moe_num_experts");
  const width = config.count("moe_intermediate_size");
  const first = config.amountOr(1, "moe_layer_start_index");
  const last = config.amountOr(shape.layers - 1, "moe_layer_end_index");
  const every = config.countOr(1, "moe_layer_interval");
  let mixed = 0;
  for (let layer = first; layer <= last; layer++) if ((layer + 1) % every === 0) mixed += 1;
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("moe_k"),
      width,
      sharedWidth: config.amountOr(0, "moe_num_shared_experts") * width,
      denseLayers: shape.layers - mixed,
      extraPerLayer: shape.hidden * experts + (config.flag(true, "moe_use_aux_free") ? experts : 0),
    },
  };
}

/** Files repeat for each layer what is the same in all of them. */
function hunYuanMixture(config: ConfigReader) {
  const normed = config.flag(true, "use_qk_norm");
  const shape = decoder(
    config,
    { tiedByDefault: true, queryKeyNorm: normed ? "head" : "none", biases: flaggedBiases(config) },
    { mlp: null },
  );
  const experts = config.count("num_experts");
  const width = first(config, "moe_intermediate_size") ?? config.count("intermediate_size");
  const shared = config.flag(true, "use_mixed_mlp_moe") ? (first(config, "num_shared_expert") ?? 1) : 0;
  return {
    ...shape,
    mixture: {
      experts,
      perToken: first(config, "moe_topk") ?? 1,
      width,
      sharedWidth: shared * config.count("intermediate_size"),
      denseLayers: 0,
      extraPerLayer: shape.hidden * experts,
    },
  };
}

function first(config: ConfigReader, name: string): number | null {
  const value = config.list(name)?.[0];
  if (typeof value === "number") return value;
  return config.has(name) ? config.count(name) : null;
}

function dots(config: ConfigReader) {
  const shape = decoder(config, { queryKeyNorm: "head", biases: flaggedBiases(config) });
  const experts = config.count("n_routed_experts");
  const width = config.count("moe_intermediate_size");
  return {
    ...shape,
    mixture: {
      experts,
      perToken: config.count("num_experts_per_tok"),
      width,
      sharedWidth: config.amountOr(0, "n_shared_experts") * width,
      denseLayers: config.amountOr(0, "first_k_dense_replace"),
      extraPerLayer: shape.hidden * experts + experts,
    },
  };
}
