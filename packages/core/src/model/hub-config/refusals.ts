import type { ConfigReader } from "./reader.ts";

const state = "has state-space or recurrent layers, whose state per request is not planned";
const linear = "has linear-attention layers, whose state per request is not planned";
const sparse = "has sparse attention with an index cache of its own, which is not modelled";

/** Architectures that are understood well enough to know that the memory model does not hold for them. */
const refused: Readonly<Record<string, string>> = {
  MambaForCausalLM: state,
  Mamba2ForCausalLM: state,
  FalconMambaForCausalLM: state,
  JambaForCausalLM: state,
  BambaForCausalLM: state,
  FalconH1ForCausalLM: state,
  Zamba2ForCausalLM: state,
  ZambaForCausalLM: state,
  NemotronHForCausalLM: state,
  GraniteMoeHybridForCausalLM: state,
  Plamo2ForCausalLM: state,
  RecurrentGemmaForCausalLM: state,
  RwkvForCausalLM: state,
  Lfm2ForCausalLM: "has convolution layers, whose state per request is not planned",
  Lfm2MoeForCausalLM: "has convolution layers, whose state per request is not planned",
  Qwen3NextForCausalLM: linear,
  Qwen3_5ForConditionalGeneration: linear,
  Qwen3_5MoeForConditionalGeneration: linear,
  MiniMaxText01ForCausalLM: linear,
  MiniMaxM1ForCausalLM: linear,
  KimiLinearForCausalLM: linear,
  OlmoHybridForCausalLM: linear,
  DeepseekV32ForCausalLM: sparse,
  DeepseekV4ForCausalLM: sparse,
  GlmMoeDsaForCausalLM: sparse,
  Phi3SmallForCausalLM: "has block-sparse attention, which is not modelled",
  Gemma3nForCausalLM: "has layers that share the KV cache of others, which is not modelled",
  Gemma3nForConditionalGeneration: "has layers that share the KV cache of others, which is not modelled",
  Gemma4ForCausalLM: "has attention heads of two sizes, which is not modelled",
  Gemma4ForConditionalGeneration: "has attention heads of two sizes, which is not modelled",
  MiMoV2FlashForCausalLM: "has attention heads of two sizes, which is not modelled",
  DeciLMForCausalLM: "has layers of different sizes (block_configs), which is not modelled",
  OpenELMForCausalLM: "has layers of different sizes, which is not modelled",
  MllamaForConditionalGeneration: "has cross attention to images, whose KV cache is not modelled",
  T5ForConditionalGeneration: "is an encoder with a decoder, whose cross attention is not modelled",
  MT5ForConditionalGeneration: "is an encoder with a decoder, whose cross attention is not modelled",
  BartForConditionalGeneration: "is an encoder with a decoder, whose cross attention is not modelled",
};

/** Fields that only files of such models have: a family's name may be new, its fields give it away. */
const telling: readonly (readonly [field: string, reason: string])[] = [
  ["mamba_d_state", state],
  ["ssm_state_size", state],
  ["ssm_cfg", state],
  ["state_size", state],
  ["attn_layer_period", state],
  ["hybrid_override_pattern", state],
  ["layers_block_type", state],
  ["conv_L_cache", state],
  ["linear_attn_config", linear],
  ["linear_num_value_heads", linear],
  ["full_attention_interval", linear],
  ["index_topk", sparse],
  ["block_configs", "has layers of different sizes (block_configs), which is not modelled"],
  ["num_kv_shared_layers", "has layers that share the KV cache of others, which is not modelled"],
  ["cross_attention_layers", "has cross attention, whose KV cache is not modelled"],
];

/** Why a model of this architecture is not planned; null: nothing speaks against it. */
export function refusal(architecture: string, config: ConfigReader): string | null {
  if (Object.hasOwn(refused, architecture)) return `${architecture} ${refused[architecture]}`;
  const text = config.section("text_config", "llm_config");
  // MiniMax lists a kind for each layer: 1 is full attention, 0 linear.
  if (config.list("attn_type_list")?.some((kind) => kind !== 1)) {
    return `attn_type_list says that ${architecture} ${linear}`;
  }
  for (const [field, reason] of telling) {
    const where = [config, text].find((section) => section?.isSet(field));
    if (where !== undefined) return `${field} says that ${architecture} ${reason}`;
  }
  return null;
}
