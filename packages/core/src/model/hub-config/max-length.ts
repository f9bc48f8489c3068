import type { ConfigReader } from "./reader.ts";

const lengthNames = [
  "max_position_embeddings",
  "n_positions",
  "max_seq_len",
  "seq_length",
  "max_sequence_length",
  "max_seq_length",
  "seq_len",
  "n_ctx",
] as const;

/** What vLLM takes where no field gives a length (model_arch_config of 0.19). */
const unstatedLength = 2048;

/**
 * The longest context as vLLM derives it: `model_max_length` wins; YaRN stretches the original length by its factor, other
 * scalings the stated one; llama3 and longrope state the stretched length already, and so does Gemma 3.
 */
export function maxPositions(config: ConfigReader, modelType: string, fallback = unstatedLength): number {
  const stated = config.countOr(fallback, "model_max_length", ...lengthNames);
  const rope = config.section("rope_scaling", "rope_parameters");
  const type = rope?.text("rope_type", "type") ?? null;
  if (
    rope === null ||
    type === null ||
    ["default", "su", "longrope", "llama3", "mrope", "proportional"].includes(type)
  ) {
    return stated;
  }
  if (modelType.includes("gemma3")) return stated;
  const factor = rope.numberOr(1, "factor");
  const original = type === "yarn" ? rope.countOr(stated, "original_max_position_embeddings") : stated;
  return Math.floor(original * factor);
}
