import { type DecoderShape, decoder, type WindowShape } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import { patternWindows, windowOf } from "../windows.ts";
import type { Families } from "./family.ts";

export const gemmaFamilies: Families = {
  GemmaForCausalLM: { read: (config) => decoder(config, { tiedByDefault: true }) },
  Gemma2ForCausalLM: { read: gemma2, windows: gemma2Windows },
  Gemma3ForCausalLM: { read: gemma3, windows: gemma3Windows, maxPositions: 131_072 },
};

/** Norms before and after attention and MLP. */
function gemma2(config: ConfigReader) {
  return decoder(config, { tiedByDefault: true, normsPerLayer: 4 });
}

/** Every other layer is local, the first one too. */
function gemma2Windows(config: ConfigReader, layers: number): WindowShape {
  return patternWindows(config, layers, windowOf(config, 4096), (layer) => (layer % 2 === 0 ? "sliding" : "full"));
}

/** Published files leave out what equals the defaults of the transformers library, so those are facts here. */
function gemma3(config: ConfigReader): DecoderShape {
  const known = {
    heads: config.countOr(8, "num_attention_heads"),
    kvHeads: config.countOr(4, "num_key_value_heads"),
    headDim: config.countOr(256, "head_dim"),
    vocab: config.countOr(262_208, "vocab_size"),
  };
  return decoder(config, { tiedByDefault: true, normsPerLayer: 4, queryKeyNorm: "head" }, known);
}

function gemma3Windows(config: ConfigReader, layers: number): WindowShape {
  const pattern = config.countOr(6, "sliding_window_pattern", "_sliding_window_pattern");
  return patternWindows(config, layers, windowOf(config, 4096), (layer) =>
    (layer + 1) % pattern === 0 ? "full" : "sliding",
  );
}
