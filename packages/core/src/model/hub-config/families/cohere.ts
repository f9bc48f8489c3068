import { decoder, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import { patternWindows, windowOf } from "../windows.ts";
import type { Families } from "./family.ts";

/** Attention and MLP side by side under one norm without bias; the head is the embedding. */
export const cohereFamilies: Families = {
  CohereForCausalLM: { read: cohere },
  Cohere2ForCausalLM: { read: cohere, windows: cohere2Windows },
};

function cohere(config: ConfigReader) {
  const bias = config.flag(false, "attention_bias");
  return decoder(config, {
    normsPerLayer: 1,
    tiedByDefault: true,
    queryKeyNorm: config.flag(false, "use_qk_norm") ? "all" : "none",
    biases: { ...noBiases, qkv: bias, output: bias },
  });
}

/** Three local layers, then one that sees everything. */
function cohere2Windows(config: ConfigReader, layers: number) {
  const pattern = config.countOr(4, "sliding_window_pattern", "_sliding_window_pattern");
  return patternWindows(config, layers, windowOf(config, 4096), (layer) =>
    (layer + 1) % pattern === 0 ? "full" : "sliding",
  );
}
