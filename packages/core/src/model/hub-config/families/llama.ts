import { decoder, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import { patternWindows, windowOf, windows } from "../windows.ts";
import { type Families, type Family, flaggedBiases } from "./family.ts";

/** Gate, up and down; RMS norms; biases only where the file asks for them. */
const plain: Family = { read: (config) => decoder(config, { biases: flaggedBiases(config) }) };
const bare: Family = { read: (config) => decoder(config), shipsCode: true };

/** Architectures whose tensors are those of Llama but for biases and norms. */
export const llamaFamilies: Families = {
  LlamaForCausalLM: plain,
  LLaMAForCausalLM: plain,
  MistralForCausalLM: { read: (config) => decoder(config) },
  MinistralForCausalLM: { read: (config) => decoder(config) },
  AquilaForCausalLM: { ...plain, shipsCode: true },
  YiForCausalLM: bare,
  XverseForCausalLM: bare,
  InternLMForCausalLM: { read: internLm, shipsCode: true },
  InternLM2ForCausalLM: { read: internLm, shipsCode: true },
  InternLM3ForCausalLM: { read: internLm3, shipsCode: true },
  SolarForCausalLM: plain,
  SmolLM3ForCausalLM: { read: (config) => decoder(config, { tiedByDefault: true, biases: flaggedBiases(config) }) },
  SeedOssForCausalLM: { read: seedOss },
  ArceeForCausalLM: { read: (config) => decoder(config, { matrices: 2, biases: flaggedBiases(config) }) },
  HeliumForCausalLM: plain,
  GraniteForCausalLM: { read: (config) => decoder(config, { tiedByDefault: true, biases: flaggedBiases(config) }) },
  Ernie4_5ForCausalLM: { read: ernie, shipsCode: true },
  HunYuanDenseV1ForCausalLM: { read: hunYuan, shipsCode: true },
  MiMoForCausalLM: { read: (config) => decoder(config, { biases: { ...noBiases, qkv: true } }), shipsCode: true },
  MiniCPMForCausalLM: { read: (config) => decoder(config, { tiedByDefault: true }), shipsCode: true },
  BaichuanForCausalLM: bare,
  BaiChuanForCausalLM: bare,
  OrionForCausalLM: { read: (config) => decoder(config, { normVectors: 2 }), shipsCode: true },
  ExaoneForCausalLM: { read: exaone, shipsCode: true },
  Exaone4ForCausalLM: { read: (config) => decoder(config, { queryKeyNorm: "head" }), windows: exaone4Windows },
  OlmoForCausalLM: { read: (config) => decoder(config, { normVectors: 0, biases: flaggedBiases(config) }) },
  Olmo2ForCausalLM: { read: olmo2 },
  Olmo3ForCausalLM: { read: olmo2 },
  ApertusForCausalLM: { read: apertus },
};

/** One flag for queries, keys, values and output. */
function internLm(config: ConfigReader) {
  const bias = config.flag(false, "bias");
  return decoder(config, { biases: { ...noBiases, qkv: bias, output: bias } });
}

function internLm3(config: ConfigReader) {
  const bias = config.flag(false, "bias");
  const qkv = config.flag(false, "qkv_bias");
  return decoder(config, { biases: { ...noBiases, qkv, output: bias, mlp: bias } });
}

function seedOss(config: ConfigReader) {
  const qkv = config.flag(true, "attention_bias");
  const output = config.flag(false, "attention_out_bias");
  return decoder(config, { biases: { ...noBiases, qkv, output, mlp: config.flag(false, "mlp_bias") } });
}

function ernie(config: ConfigReader) {
  const bias = config.flag(false, "use_bias");
  return decoder(config, { tiedByDefault: true, biases: { qkv: bias, output: bias, mlp: bias, head: false } });
}

function hunYuan(config: ConfigReader) {
  const normed = config.flag(true, "use_qk_norm");
  return decoder(config, {
    tiedByDefault: true,
    biases: flaggedBiases(config),
    queryKeyNorm: normed ? "head" : "none",
  });
}

/** The third generation of EXAONE has no biases, whatever its fields are called. */
function exaone(config: ConfigReader) {
  return decoder(config, {});
}

/** `LLLG`: three local layers, then a global one; the last layer is always global. */
function exaone4Windows(config: ConfigReader, layers: number, maxPositions: number) {
  const pattern = config.text("sliding_window_pattern");
  if (config.list("layer_types") !== null || pattern === null) return windows(config, layers, maxPositions);
  return patternWindows(config, layers, windowOf(config), (layer) =>
    pattern[layer % pattern.length] === "L" && layer !== layers - 1 ? "sliding" : "full",
  );
}

/** Norms after attention and MLP, and over all heads of queries and keys. */
function olmo2(config: ConfigReader) {
  return decoder(config, { queryKeyNorm: "all", biases: flaggedBiases(config) });
}

/** No gate, but an activation with two learned numbers a layer. */
function apertus(config: ConfigReader) {
  const shape = decoder(config, { matrices: 2, queryKeyNorm: "head", biases: flaggedBiases(config) });
  return { ...shape, perLayer: shape.perLayer + 2 };
}
