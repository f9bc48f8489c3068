import { ConfigReader } from "../reader.ts";
import type { MultimodalFamily } from "./family.ts";
import { clip, llama4Vision, pixtral, qwen2Vision, qwen3Vision, qwen25Vision, siglip } from "./towers.ts";

/** Models that read images. The tower stays in 16 bits and is held by every rank's share alike. */
export const multimodalFamilies: Readonly<Record<string, MultimodalFamily>> = {
  Gemma3ForConditionalGeneration: family("text_config", "Gemma3ForCausalLM", gemma3),
  Mistral3ForConditionalGeneration: family("text_config", null, mistral3),
  LlavaForConditionalGeneration: family("text_config", null, (config, text) => llava(config, text)),
  LlavaNextForConditionalGeneration: family("text_config", null, (config, text) => llava(config, text) + text),
  Llama4ForConditionalGeneration: family("text_config", "Llama4ForCausalLM", llama4),
  Idefics3ForConditionalGeneration: family("text_config", null, idefics3),
  SmolVLMForConditionalGeneration: family("text_config", null, idefics3),
  Qwen2VLForConditionalGeneration: family("text_config", "Qwen2ForCausalLM", (c) =>
    qwen2Vision(section(c, "vision_config")),
  ),
  Qwen2_5_VLForConditionalGeneration: family("text_config", "Qwen2ForCausalLM", (c) =>
    qwen25Vision(section(c, "vision_config")),
  ),
  Qwen3VLForConditionalGeneration: family("text_config", "Qwen3ForCausalLM", (c) =>
    qwen3Vision(section(c, "vision_config")),
  ),
  Qwen3VLMoeForConditionalGeneration: family("text_config", "Qwen3MoeForCausalLM", (c) =>
    qwen3Vision(section(c, "vision_config")),
  ),
  InternVLForConditionalGeneration: family("text_config", null, null),
  InternVLChatModel: { ...family("llm_config", null, null), shipsCode: true },
  AyaVisionForConditionalGeneration: family("text_config", null, null),
  Cohere2VisionForConditionalGeneration: family("text_config", null, null),
  KimiVLForConditionalGeneration: { ...family("text_config", "DeepseekV3ForCausalLM", null), shipsCode: true },
  KimiK25ForConditionalGeneration: { ...family("text_config", "DeepseekV3ForCausalLM", null), shipsCode: true },
};

function family(text: string, textArchitecture: string | null, tower: MultimodalFamily["tower"]): MultimodalFamily {
  return { text, textArchitecture, tower };
}

function section(config: ConfigReader, name: string): ConfigReader {
  const found = config.section(name);
  if (found === null) config.refuse(`${name} is missing: it has the sizes of the vision tower`);
  return found ?? new ConfigReader({});
}

function visionHidden(vision: ConfigReader, fallback: number): number {
  return vision.countOr(fallback, "hidden_size");
}

/** A projection without bias behind a norm. */
function gemma3(config: ConfigReader, text: number): number {
  const vision = section(config, "vision_config");
  const hidden = visionHidden(vision, 768);
  return siglip(vision) + hidden * text + hidden;
}

/** A norm, the merging of patch squares, and two projections. */
function mistral3(config: ConfigReader, text: number): number {
  const vision = section(config, "vision_config");
  const hidden = visionHidden(vision, 1024);
  const merge = config.countOr(2, "spatial_merge_size") ** 2;
  const bias = config.flag(false, "multimodal_projector_bias") ? 2 * text : 0;
  const features = hidden * featureLayers(config);
  return pixtral(vision) + hidden + merge * hidden * hidden + features * text + text * text + bias;
}

/** Two projections behind whichever tower the file names. */
function llava(config: ConfigReader, text: number): number {
  const vision = section(config, "vision_config");
  const type = vision.text("model_type") ?? "clip_vision_model";
  const towers: Readonly<Record<string, readonly [(vision: ConfigReader) => number, number]>> = {
    clip_vision_model: [clip, 768],
    siglip_vision_model: [siglip, 768],
    pixtral: [pixtral, 1024],
  };
  const tower = Object.hasOwn(towers, type) ? towers[type] : undefined;
  if (tower === undefined) {
    config.refuse(`vision_config.model_type "${type}" is not read here; known are ${Object.keys(towers).join(", ")}`);
    return 0;
  }
  const [count, fallback] = tower;
  const features = visionHidden(vision, fallback) * featureLayers(config);
  const bias = config.flag(true, "multimodal_projector_bias") ? 2 * text : 0;
  return count(vision) + features * text + text * text + bias;
}

/** Features of several layers of the tower may be put side by side. */
function featureLayers(config: ConfigReader): number {
  return config.list("vision_feature_layer")?.length ?? 1;
}

function llama4(config: ConfigReader, text: number): number {
  const vision = section(config, "vision_config");
  return llama4Vision(vision) + vision.countOr(7680, "vision_output_dim") * text;
}

function idefics3(config: ConfigReader, text: number): number {
  const vision = section(config, "vision_config");
  const hidden = visionHidden(vision, 1152);
  return siglipWithoutHead(vision) + hidden * config.countOr(2, "scale_factor") ** 2 * text;
}

function siglipWithoutHead(vision: ConfigReader): number {
  return siglip(vision.with({ vision_use_head: false }));
}
