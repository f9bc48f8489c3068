import { allBiases, decoder } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import { type Families, flaggedBiases } from "./family.ts";

export const phiFamilies: Families = {
  PhiForCausalLM: { read: phi, shipsCode: true },
  Phi3ForCausalLM: { read: (config) => decoder(config), shipsCode: true },
  PhiMoEForCausalLM: { read: phiMixture, shipsCode: true },
  PhimoeForCausalLM: { read: phiMixture, shipsCode: true },
};

/** One norm for attention and MLP, which run side by side; biases everywhere, the output head included. */
function phi(config: ConfigReader) {
  const normed = config.flag(false, "qk_layernorm");
  const shape = decoder(config, {
    matrices: 2,
    normVectors: 2,
    normsPerLayer: 1,
    biases: { ...allBiases, head: true },
  });
  return normed ? { ...shape, perLayer: shape.perLayer + 4 * shape.headDim } : shape;
}

function phiMixture(config: ConfigReader) {
  const biases = { ...flaggedBiases(config), head: config.flag(false, "lm_head_bias") };
  const shape = decoder(config, { normVectors: 2, biases }, { mlp: null });
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
