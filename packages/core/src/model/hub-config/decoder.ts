import type { ConfigReader } from "./reader.ts";

/** A mixture of experts as it is counted. */
export interface MixtureShape {
  readonly experts: number;
  readonly perToken: number;
  /** Width of one expert. */
  readonly width: number;
  /** Width of all shared experts together; 0: none. */
  readonly sharedWidth: number;
  /** Layers with a plain MLP. */
  readonly denseLayers: number;
  /** Of one mixture layer: router, expert biases, gate of the shared expert. */
  readonly extraPerLayer: number;
}

/** Latent attention (MLA). */
export interface LatentShape {
  /** null: queries are projected in one step. */
  readonly queryRank: number | null;
  readonly kvRank: number;
  readonly nopeHeadDim: number;
  readonly ropeHeadDim: number;
  readonly valueHeadDim: number;
}

/** Layers with a window, in the order of the layers; null: all of one kind. */
export interface WindowShape {
  readonly slidingWindow: number | null;
  readonly layerTypes: readonly ("full" | "sliding" | "chunked")[] | null;
}

/** What a decoder is made of. `perLayer` and `extras` hold all that is not a matrix of attention, MLP or experts. */
export interface DecoderShape {
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly vocab: number;
  readonly tied: boolean;
  /** null: every layer is a mixture of experts. */
  readonly mlp: { readonly width: number; readonly matrices: 2 | 3 } | null;
  readonly mixture: MixtureShape | null;
  readonly latent: LatentShape | null;
  /** The latent is what is cached; false where an engine unfolds it into ordinary heads (MiniCPM3). */
  readonly cachesLatent: boolean;
  /** Biases and norms of one layer. */
  readonly perLayer: number;
  /** Final norm, learned positions, projections around the embedding. */
  readonly extras: number;
}

/** Fields with the names that config.json files of one or another family give them. */
export const names = {
  layers: ["num_hidden_layers", "n_layer", "n_layers", "num_layers"],
  hidden: ["hidden_size", "n_embd", "d_model", "n_embed"],
  heads: ["num_attention_heads", "n_head", "n_heads", "num_heads"],
  kvHeads: ["num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"],
  headDim: ["head_dim", "kv_channels"],
  width: ["intermediate_size", "ffn_dim", "ffn_hidden_size", "n_inner", "d_inner"],
  vocab: ["vocab_size", "padded_vocab_size"],
} as const;

export interface DecoderTraits {
  /** 3: gate, up and down; 2: up and down. */
  readonly matrices: 2 | 3;
  /** Of RMS norm 1 vector, of layer norm 2, 1 without bias, 0 without weights. */
  readonly normVectors: 0 | 1 | 2;
  readonly normsPerLayer: number;
  readonly finalNorm: boolean;
  readonly biases: { readonly qkv: boolean; readonly output: boolean; readonly mlp: boolean; readonly head: boolean };
  /** Norms of queries and keys: `head` one vector each for all heads, `all` over every head's dimensions. */
  readonly queryKeyNorm: "none" | "head" | "all";
  readonly tiedByDefault: boolean;
}

/** The commonest: RMS norms before attention and MLP, a gate, no biases. */
const llamaTraits: DecoderTraits = {
  matrices: 3,
  normVectors: 1,
  normsPerLayer: 2,
  finalNorm: true,
  biases: { qkv: false, output: false, mlp: false, head: false },
  queryKeyNorm: "none",
  tiedByDefault: false,
};

export const noBiases: DecoderTraits["biases"] = { qkv: false, output: false, mlp: false, head: false };
export const allBiases: DecoderTraits["biases"] = { qkv: true, output: true, mlp: true, head: false };

/** Reads an ordinary decoder: the fields under their usual names, counted by the traits of the family. */
export function decoder(
  config: ConfigReader,
  traits: Partial<DecoderTraits> = {},
  known: Partial<DecoderShape> = {},
): DecoderShape {
  const all = { ...llamaTraits, ...traits };
  const hidden = known.hidden ?? config.count(...names.hidden);
  const heads = known.heads ?? config.count(...names.heads);
  const layers = known.layers ?? config.count(...names.layers);
  const kvHeads = known.kvHeads ?? config.countOr(heads, ...names.kvHeads);
  const headDim = known.headDim ?? config.countOr(Math.max(1, Math.floor(hidden / heads)), ...names.headDim);
  const vocab = known.vocab ?? config.count(...names.vocab);
  const tied = known.tied ?? config.flag(all.tiedByDefault, "tie_word_embeddings");
  const mlp = known.mlp === undefined ? { width: config.count(...names.width), matrices: all.matrices } : known.mlp;
  return {
    layers,
    hidden,
    heads,
    kvHeads,
    headDim,
    vocab,
    tied,
    mlp,
    mixture: null,
    latent: null,
    cachesLatent: false,
    perLayer: smallTensors(all, { hidden, heads, kvHeads, headDim, width: mlp?.width ?? 0 }),
    extras: (all.finalNorm ? all.normVectors * hidden : 0) + (all.biases.head && !tied ? vocab : 0),
    ...known,
  };
}

/** Norms and biases of one layer. */
function smallTensors(
  traits: DecoderTraits,
  shape: Pick<DecoderShape, "hidden" | "heads" | "kvHeads" | "headDim"> & { readonly width: number },
): number {
  const { hidden, heads, kvHeads, headDim, width } = shape;
  const norms = traits.normsPerLayer * traits.normVectors * hidden;
  const qkv = traits.biases.qkv ? (heads + 2 * kvHeads) * headDim : 0;
  const output = traits.biases.output ? hidden : 0;
  const mlp = traits.biases.mlp ? (traits.matrices - 1) * width + hidden : 0;
  const queryKey = { none: 0, head: 2 * headDim, all: (heads + kvHeads) * headDim }[traits.queryKeyNorm];
  return norms + qkv + output + mlp + queryKey;
}

export interface ParameterCount {
  readonly total: number;
  readonly active: number;
  readonly embedding: number;
  readonly lmHead: number;
}

/** Every tensor of the decoder, without a vision tower. */
export function countDecoder(shape: DecoderShape): ParameterCount {
  const { layers, hidden, vocab, mixture, mlp } = shape;
  const embedding = vocab * hidden;
  const lmHead = shape.tied ? 0 : vocab * hidden;
  const perLayer = attentionMatrices(shape) + shape.perLayer;
  const plainLayers = mixture === null ? layers : mixture.denseLayers;
  const plain = plainLayers * (mlp === null ? 0 : mlp.matrices * hidden * mlp.width);
  const mixed = mixture === null ? 0 : layers - mixture.denseLayers;
  const expert = mixture === null ? 0 : 3 * hidden * mixture.width;
  const around = mixture === null ? 0 : mixed * (3 * hidden * mixture.sharedWidth + mixture.extraPerLayer);
  const common = embedding + lmHead + layers * perLayer + plain + around + shape.extras;
  return {
    total: common + mixed * (mixture?.experts ?? 0) * expert,
    active: common + mixed * (mixture?.perToken ?? 0) * expert,
    embedding,
    lmHead,
  };
}

function attentionMatrices(shape: DecoderShape): number {
  const { hidden, heads, kvHeads, headDim, latent } = shape;
  if (latent === null) return 2 * hidden * heads * headDim + 2 * hidden * kvHeads * headDim;
  const queryHead = latent.nopeHeadDim + latent.ropeHeadDim;
  const query =
    latent.queryRank === null
      ? hidden * heads * queryHead
      : hidden * latent.queryRank + latent.queryRank * heads * queryHead + latent.queryRank;
  const down = hidden * (latent.kvRank + latent.ropeHeadDim) + latent.kvRank;
  const up = latent.kvRank * heads * (latent.nopeHeadDim + latent.valueHeadDim);
  return query + down + up + heads * latent.valueHeadDim * hidden;
}
