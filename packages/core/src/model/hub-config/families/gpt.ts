import { allBiases, decoder, names, noBiases } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { Families } from "./family.ts";

/** Layer norms and an MLP without a gate, four times as wide as the model where the file does not say. */
export const gptFamilies: Families = {
  GPT2LMHeadModel: { read: (config) => gpt2(config) },
  GPTBigCodeForCausalLM: { read: gptBigCode },
  GPTJForCausalLM: { read: gptJ },
  GPTNeoXForCausalLM: { read: gptNeoX },
  OPTForCausalLM: { read: opt },
  BloomForCausalLM: { read: bloom },
  MptForCausalLM: { read: mpt, shipsCode: true },
  MPTForCausalLM: { read: mpt, shipsCode: true },
  FalconForCausalLM: { read: falcon, shipsCode: true },
  RWForCausalLM: { read: falcon, shipsCode: true },
  Starcoder2ForCausalLM: { read: starCoder2 },
  StableLmForCausalLM: { read: stableLm },
  StableLMEpochForCausalLM: { read: stableLm, shipsCode: true },
  PersimmonForCausalLM: { read: persimmon },
  NemotronForCausalLM: { read: nemotron },
  JAISLMHeadModel: { read: jais, shipsCode: true },
};

/** Width of an MLP that files state only where it is not four times the model's. */
function plainMlp(config: ConfigReader, hidden: number, ratio = 4): { width: number; matrices: 2 } {
  return { width: config.countOr(ratio * hidden, ...names.width), matrices: 2 };
}

function gpt2(config: ConfigReader, kvHeads?: number) {
  const hidden = config.count(...names.hidden);
  const positions = config.count("n_positions", "n_ctx", "max_position_embeddings");
  const shape = decoder(
    config,
    { matrices: 2, normVectors: 2, biases: allBiases, tiedByDefault: true },
    { hidden, mlp: plainMlp(config, hidden), ...(kvHeads === undefined ? {} : { kvHeads }) },
  );
  return { ...shape, extras: shape.extras + positions * hidden };
}

function gptBigCode(config: ConfigReader) {
  return gpt2(config, config.flag(true, "multi_query") ? 1 : undefined);
}

/** Attention and MLP share a norm; biases on MLP and output head, none on attention. */
function gptJ(config: ConfigReader) {
  const hidden = config.count(...names.hidden);
  return decoder(
    config,
    { matrices: 2, normVectors: 2, normsPerLayer: 1, biases: { ...noBiases, mlp: true, head: true } },
    { hidden, mlp: plainMlp(config, hidden) },
  );
}

function gptNeoX(config: ConfigReader) {
  const attention = config.flag(true, "attention_bias");
  return decoder(config, {
    matrices: 2,
    normVectors: 2,
    biases: { ...noBiases, qkv: attention, output: attention, mlp: true },
  });
}

/** Learned positions start at 2. The 350M model embeds in fewer dimensions and projects, and norms last in each layer. */
function opt(config: ConfigReader) {
  const hidden = config.count("hidden_size");
  const embedded = config.countOr(hidden, "word_embed_proj_dim");
  const vocab = config.count("vocab_size");
  const shape = decoder(
    config,
    { matrices: 2, normVectors: 2, biases: allBiases, tiedByDefault: true },
    { hidden, vocab },
  );
  const positions = (config.count("max_position_embeddings") + 2) * hidden;
  const projections = embedded === hidden ? 0 : 2 * embedded * hidden - vocab * (hidden - embedded);
  const normedAtEnd = config.flag(true, "do_layer_norm_before");
  return { ...shape, extras: positions + projections + (normedAtEnd ? 2 * hidden : 0) };
}

/** A norm right after the embedding. */
function bloom(config: ConfigReader) {
  const hidden = config.count("hidden_size", "n_embed");
  const shape = decoder(
    config,
    { matrices: 2, normVectors: 2, biases: allBiases, tiedByDefault: true },
    { hidden, mlp: { width: 4 * hidden, matrices: 2 } },
  );
  return { ...shape, extras: shape.extras + 2 * hidden };
}

/** No biases, norms included; ALiBi in place of learned positions. */
function mpt(config: ConfigReader) {
  const hidden = config.count("d_model");
  const heads = config.count("n_heads");
  const attention = config.section("attn_config");
  const shape = decoder(
    config,
    { matrices: 2, normVectors: config.flag(true, "no_bias") ? 1 : 2, tiedByDefault: true },
    {
      hidden,
      heads,
      kvHeads:
        attention?.text("attn_type") === "multiquery_attention"
          ? 1
          : (attention?.countOr(heads, "kv_n_heads") ?? heads),
      mlp: { width: config.countOr(4, "expansion_ratio") * hidden, matrices: 2 },
      tied: true,
    },
  );
  const learned = config.flag(true, "learned_pos_emb") && attention?.flag(false, "alibi") !== true;
  return { ...shape, extras: shape.extras + (learned ? config.count("max_seq_len") * hidden : 0) };
}

/** The newer architecture has KV heads in groups and two norms side by side; the older one a single KV head. */
function falcon(config: ConfigReader) {
  const hidden = config.count(...names.hidden);
  const heads = config.count(...names.heads);
  const grouped = config.flag(false, "new_decoder_architecture");
  const kvHeads = grouped
    ? config.countOr(heads, "num_kv_heads", "n_head_kv")
    : config.flag(true, "multi_query")
      ? 1
      : heads;
  const sideBySide = config.flag(true, "parallel_attn");
  const bias = config.flag(false, "bias");
  const norms = grouped ? config.countOr(2, "num_ln_in_parallel_attn") : sideBySide ? 1 : 2;
  return decoder(
    config,
    {
      matrices: 2,
      normVectors: 2,
      normsPerLayer: sideBySide ? norms : 2,
      biases: { qkv: bias, output: bias, mlp: bias, head: false },
      tiedByDefault: true,
    },
    { hidden, heads, kvHeads, mlp: plainMlp(config, hidden) },
  );
}

function starCoder2(config: ConfigReader) {
  const bias = config.flag(true, "use_bias");
  return decoder(config, {
    matrices: 2,
    normVectors: 2,
    biases: { qkv: bias, output: bias, mlp: bias, head: false },
    tiedByDefault: true,
  });
}

/** Gated, but with layer norms; the 12B model norms each head by itself and runs attention and MLP side by side. */
function stableLm(config: ConfigReader) {
  const shape = decoder(config, {
    normVectors: 2,
    normsPerLayer: config.flag(false, "use_parallel_residual") ? 1 : 2,
    biases: { ...noBiases, qkv: config.flag(false, "use_qkv_bias") },
  });
  const perHead = config.flag(false, "qk_layernorm") ? (shape.heads + shape.kvHeads) * shape.headDim : 0;
  return { ...shape, perLayer: shape.perLayer + perHead };
}

function persimmon(config: ConfigReader) {
  const shape = decoder(config, { matrices: 2, normVectors: 2, biases: allBiases });
  return config.flag(true, "qk_layernorm") ? { ...shape, perLayer: shape.perLayer + 4 * shape.headDim } : shape;
}

function nemotron(config: ConfigReader) {
  const attention = config.flag(false, "attention_bias");
  const mlp = config.flag(false, "mlp_bias");
  return decoder(config, {
    matrices: 2,
    normVectors: 2,
    biases: { qkv: attention, output: attention, mlp, head: false },
  });
}

/** GPT-2 with ALiBi and a gate. */
function jais(config: ConfigReader) {
  const hidden = config.count(...names.hidden);
  const matrices = config.text("activation_function") === "swiglu" ? 3 : 2;
  const shape = decoder(
    config,
    { matrices, normVectors: 2, biases: allBiases, tiedByDefault: true },
    { hidden, mlp: { width: config.countOr(4 * hidden, ...names.width), matrices } },
  );
  const learned = config.text("position_embedding_type") !== "alibi";
  return { ...shape, extras: shape.extras + (learned ? config.count("n_positions") * hidden : 0) };
}
