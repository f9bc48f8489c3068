import type { ConfigReader } from "../reader.ts";

/** Tensors of an ordinary transformer layer with biases and layer norms. */
function layer(hidden: number, width: number): number {
  return 4 * (hidden * hidden + hidden) + 2 * hidden * width + width + hidden + 4 * hidden;
}

const channels = 3;

/** CLIP: a class token, learned positions, norms before and after. */
export function clip(vision: ConfigReader): number {
  const hidden = vision.countOr(768, "hidden_size");
  const patch = vision.countOr(32, "patch_size");
  const patches = Math.floor(vision.countOr(224, "image_size") / patch) ** 2;
  const layers = vision.countOr(12, "num_hidden_layers");
  const embedding = hidden + channels * patch * patch * hidden + (patches + 1) * hidden;
  return embedding + layers * layer(hidden, vision.countOr(3072, "intermediate_size")) + 4 * hidden;
}

/** SigLIP: a bias on the patches, no class token, a pooling head that most models leave out. */
export function siglip(vision: ConfigReader): number {
  const hidden = vision.countOr(768, "hidden_size");
  const width = vision.countOr(3072, "intermediate_size");
  const patch = vision.countOr(16, "patch_size");
  const patches = Math.floor(vision.countOr(224, "image_size") / patch) ** 2;
  const embedding = channels * patch * patch * hidden + hidden + patches * hidden;
  const pooling = hidden + layer(hidden, width) - 2 * hidden;
  const head = vision.flag(true, "vision_use_head") ? pooling : 0;
  return embedding + vision.countOr(12, "num_hidden_layers") * layer(hidden, width) + 2 * hidden + head;
}

/** Pixtral: gated, no biases, RMS norms, rotary positions. */
export function pixtral(vision: ConfigReader): number {
  const hidden = vision.countOr(1024, "hidden_size");
  const width = vision.countOr(4096, "intermediate_size");
  const patch = vision.countOr(16, "patch_size");
  const layers = vision.countOr(24, "num_hidden_layers");
  return channels * patch * patch * hidden + hidden + layers * (4 * hidden * hidden + 3 * hidden * width + 2 * hidden);
}

/** Qwen towers merge a square of patches into one token before the text model. */
function merger(hidden: number, merge: number, out: number): number {
  const merged = hidden * merge * merge;
  return merged * merged + merged + merged * out + out;
}

interface QwenFields {
  readonly depth: number;
  readonly merge: number;
  readonly patches: number;
}

function qwenFields(vision: ConfigReader, patchSize: number): QwenFields {
  const patch = vision.countOr(patchSize, "patch_size");
  return {
    depth: vision.countOr(patchSize === 16 ? 27 : 32, "depth"),
    merge: vision.countOr(2, "spatial_merge_size"),
    patches: channels * vision.countOr(2, "temporal_patch_size") * patch * patch,
  };
}

/** Here `hidden_size` is what the merger gives to the text model. */
export function qwen2Vision(vision: ConfigReader): number {
  const hidden = vision.countOr(1280, "embed_dim");
  const { depth, merge, patches } = qwenFields(vision, 14);
  const out = vision.countOr(3584, "hidden_size");
  const width = vision.countOr(4, "mlp_ratio") * hidden;
  return patches * hidden + depth * layer(hidden, width) + 2 * hidden + merger(hidden, merge, out);
}

/** Gated with biases, RMS norms. */
export function qwen25Vision(vision: ConfigReader): number {
  const hidden = vision.countOr(1280, "hidden_size");
  const width = vision.countOr(3420, "intermediate_size");
  const { depth, merge, patches } = qwenFields(vision, 14);
  const out = vision.countOr(3584, "out_hidden_size");
  const block = 4 * (hidden * hidden + hidden) + 3 * hidden * width + 2 * width + hidden + 2 * hidden;
  return patches * hidden + depth * block + hidden + merger(hidden, merge, out);
}

/** Learned positions, and a merger of its own for each layer whose features go deep into the text model. */
export function qwen3Vision(vision: ConfigReader): number {
  const hidden = vision.countOr(1152, "hidden_size");
  const width = vision.countOr(4304, "intermediate_size");
  const { depth, merge, patches } = qwenFields(vision, 16);
  const out = vision.countOr(3584, "out_hidden_size");
  const positions = vision.countOr(2304, "num_position_embeddings") * hidden;
  const deep = (vision.list("deepstack_visual_indexes") ?? []).length;
  const one = merger(hidden, merge, out);
  const embedding = patches * hidden + hidden + positions;
  return embedding + depth * layer(hidden, width) + 2 * hidden + one + deep * (one + 2 * hidden * merge * merge);
}

/** With the adapter that shuffles pixels together. */
export function llama4Vision(vision: ConfigReader): number {
  const hidden = vision.countOr(768, "hidden_size");
  const width = vision.countOr(5632, "intermediate_size");
  const patch = vision.countOr(14, "patch_size");
  const patches = Math.floor(vision.countOr(448, "image_size") / patch) ** 2;
  const embedding = channels * patch * patch * hidden + hidden + (patches + 1) * hidden + 4 * hidden;
  const out = vision.countOr(4096, "projector_output_dim");
  const adapter = width * vision.countOr(4096, "projector_input_dim") + out * out;
  return embedding + vision.countOr(34, "num_hidden_layers") * layer(hidden, width) + adapter;
}
