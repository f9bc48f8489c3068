import { type DecoderShape, decoder, type LatentShape, type MixtureShape } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { Families } from "./family.ts";

/** Multi-head latent attention: one compressed vector a token is cached for all heads. */
export const latentFamilies: Families = {
  DeepseekForCausalLM: { read: deepSeek1, shipsCode: true },
  DeepseekV2ForCausalLM: { read: (config) => deepSeek(config, false), shipsCode: true },
  DeepseekV3ForCausalLM: { read: (config) => deepSeek(config, true), shipsCode: true },
  Glm4MoeLiteForCausalLM: { read: (config) => deepSeek(config, true) },
  MiniCPM3ForCausalLM: { read: miniCpm3, shipsCode: true },
};

/** The first DeepSeek mixture, with ordinary attention. */
function deepSeek1(config: ConfigReader): DecoderShape {
  const shape = decoder(config);
  return config.has("n_routed_experts") ? { ...shape, mixture: mixture(config, shape, false) } : shape;
}

/** `routerBias`: V3 corrects the router's scores by a learned bias. */
function deepSeek(config: ConfigReader, routerBias: boolean): DecoderShape {
  const shape = decoder(config);
  return {
    ...shape,
    latent: latent(config),
    cachesLatent: true,
    mixture: config.has("n_routed_experts") ? mixture(config, shape, routerBias) : null,
  };
}

function latent(config: ConfigReader): LatentShape {
  const queryRank = config.amountOr(0, "q_lora_rank");
  return {
    queryRank: queryRank === 0 ? null : queryRank,
    kvRank: config.count("kv_lora_rank"),
    nopeHeadDim: config.count("qk_nope_head_dim"),
    ropeHeadDim: config.count("qk_rope_head_dim"),
    valueHeadDim: config.count("v_head_dim"),
  };
}

function mixture(config: ConfigReader, shape: DecoderShape, routerBias: boolean): MixtureShape {
  const experts = config.count("n_routed_experts");
  const width = config.count("moe_intermediate_size");
  const first = config.amountOr(0, "first_k_dense_replace");
  const every = config.countOr(1, "moe_layer_freq");
  let mixed = 0;
  for (let layer = first; layer < shape.layers; layer++) if (layer % every === 0) mixed += 1;
  return {
    experts,
    perToken: config.count("num_experts_per_tok"),
    width,
    sharedWidth: config.amountOr(0, "n_shared_experts") * width,
    denseLayers: shape.layers - mixed,
    extraPerLayer: shape.hidden * experts + (routerBias ? experts : 0),
  };
}

/** Latent weights, but engines unfold the latent and cache full heads, values padded to the width of keys. */
function miniCpm3(config: ConfigReader): DecoderShape {
  const fields = latent(config);
  const shape = decoder(config, { tiedByDefault: true }, { headDim: fields.nopeHeadDim + fields.ropeHeadDim });
  return { ...shape, latent: fields, cachesLatent: false, kvHeads: shape.heads };
}
