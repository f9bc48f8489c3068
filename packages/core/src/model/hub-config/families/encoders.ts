import { names } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";
import type { EncoderFamily, EncoderShape } from "./family.ts";

const fields = (config: ConfigReader) => ({
  layers: config.count(...names.layers),
  hidden: config.count("hidden_size", "dim", "d_model"),
  heads: config.count(...names.heads),
  width: config.count("intermediate_size", "hidden_dim"),
  vocab: config.count("vocab_size"),
});

/** Encoders for embeddings, reranking and classification. A classifier's head is counted, a masked-language one is not. */
export const encoderFamilies: Readonly<Record<string, EncoderFamily>> = {
  BertModel: (config) => bert(config, true),
  BertForMaskedLM: (config) => bert(config, false),
  BertForSequenceClassification: (config) => bert(config, true),
  RobertaModel: roberta,
  RobertaForMaskedLM: roberta,
  RobertaForSequenceClassification: roberta,
  XLMRobertaModel: roberta,
  XLMRobertaForMaskedLM: roberta,
  XLMRobertaForSequenceClassification: roberta,
  CamembertModel: roberta,
  MPNetModel: mpnet,
  MPNetForMaskedLM: mpnet,
  DistilBertModel: distilBert,
  DistilBertForMaskedLM: distilBert,
  DistilBertForSequenceClassification: distilBert,
  ModernBertModel: modernBert,
  ModernBertForMaskedLM: modernBert,
  ModernBertForSequenceClassification: modernBert,
  WhisperForConditionalGeneration: whisper,
};

/** Query, key, value, output, two MLP matrices, two norms, with biases. */
function layer(hidden: number, width: number): number {
  return 4 * (hidden * hidden + hidden) + 2 * hidden * width + width + hidden + 4 * hidden;
}

function bert(config: ConfigReader, pooled: boolean, reservedPositions = 0): EncoderShape {
  const { layers, hidden, heads, width, vocab } = fields(config);
  const positions = config.count("max_position_embeddings");
  const embedding = (vocab + positions + config.countOr(2, "type_vocab_size")) * hidden + 2 * hidden;
  const pooler = pooled ? hidden * hidden + hidden : 0;
  return {
    attention: "encoder",
    layers,
    hidden,
    heads,
    width,
    vocab,
    maxPositions: positions - reservedPositions,
    tied: false,
    total: embedding + layers * layer(hidden, width) + pooler + classifier(config, hidden),
  };
}

/** Positions start after the padding token's, so two of the table are never used. */
function roberta(config: ConfigReader): EncoderShape {
  return bert(config, true, config.amountOr(1, "pad_token_id") + 1);
}

function classifier(config: ConfigReader, hidden: number): number {
  const architecture = config.list("architectures")?.[0];
  if (typeof architecture !== "string" || !architecture.endsWith("ForSequenceClassification")) return 0;
  const labels = config.countOr(config.size("id2label") ?? 2, "num_labels");
  return labels * (hidden + 1);
}

/** No token types; one table of relative positions for all layers. */
function mpnet(config: ConfigReader): EncoderShape {
  const shape = bert(config, true, config.amountOr(1, "pad_token_id") + 1);
  const types = config.countOr(2, "type_vocab_size") * shape.hidden;
  const relative = config.countOr(32, "relative_attention_num_buckets") * shape.heads;
  return { ...shape, total: shape.total - types + relative };
}

/** No token types and no pooler. */
function distilBert(config: ConfigReader): EncoderShape {
  const { layers, hidden, heads, width, vocab } = fields(config);
  const positions = config.count("max_position_embeddings");
  const embedding = (vocab + positions) * hidden + 2 * hidden;
  const head = classifier(config, hidden);
  return {
    attention: "encoder",
    layers,
    hidden,
    heads,
    width,
    vocab,
    maxPositions: positions,
    tied: false,
    total: embedding + layers * layer(hidden, width) + (head === 0 ? 0 : head + hidden * hidden + hidden),
  };
}

/** Gated, rotary positions, norms without bias; the first layer has no norm before its attention. */
function modernBert(config: ConfigReader): EncoderShape {
  const { layers, hidden, heads, width, vocab } = fields(config);
  const attention = config.flag(false, "attention_bias") ? 4 * hidden : 0;
  const mlp = config.flag(false, "mlp_bias") ? 2 * width + hidden : 0;
  const block = 4 * hidden * hidden + attention + 3 * hidden * width + mlp + 2 * hidden;
  const head = classifier(config, hidden);
  return {
    attention: "encoder",
    layers,
    hidden,
    heads,
    width,
    vocab,
    maxPositions: config.countOr(8192, "max_position_embeddings"),
    tied: false,
    total:
      vocab * hidden + hidden + layers * block - hidden + hidden + (head === 0 ? 0 : head + hidden * hidden + hidden),
  };
}

/** Audio frames through two convolutions and an encoder; a decoder that looks at them. Keys have no bias. */
function whisper(config: ConfigReader): EncoderShape {
  const hidden = config.count("d_model");
  const heads = config.count("decoder_attention_heads");
  const vocab = config.count("vocab_size");
  const width = config.count("decoder_ffn_dim");
  const layers = config.count("decoder_layers");
  const positions = config.countOr(448, "max_target_positions");
  const attention = 4 * hidden * hidden + 3 * hidden;
  const mlp = (inner: number): number => 2 * hidden * inner + inner + hidden;
  const convolutions = 3 * config.countOr(80, "num_mel_bins") * hidden + hidden + 3 * hidden * hidden + hidden;
  const encoder =
    convolutions +
    config.countOr(1500, "max_source_positions") * hidden +
    config.count("encoder_layers") * (attention + mlp(config.count("encoder_ffn_dim")) + 4 * hidden) +
    2 * hidden;
  const decoder = (vocab + positions) * hidden + layers * (2 * attention + mlp(width) + 6 * hidden) + 2 * hidden;
  return {
    attention: "encoder-decoder",
    layers,
    hidden,
    heads,
    width,
    vocab,
    maxPositions: positions,
    tied: true,
    total: encoder + decoder,
  };
}
