import { findModel, type ModelFacts, modelIds } from "@capstan/catalog";
import { expect, test } from "vitest";
import { publishedConfig, read } from "./testing/published.ts";

const siglip = {
  model_type: "siglip_vision_model",
  hidden_size: 1152,
  intermediate_size: 4304,
  num_attention_heads: 16,
  num_hidden_layers: 27,
  patch_size: 14,
  image_size: 896,
  vision_use_head: false,
};

/** Fields of the published file that a record of the catalog has no place for, by architecture. */
const besides: Readonly<Record<string, (facts: ModelFacts) => Readonly<Record<string, unknown>>>> = {
  PhiMoEForCausalLM: () => ({ attention_bias: true, lm_head_bias: true }),
  Gemma3ForConditionalGeneration: (facts) => ({ text_config: textFields(facts), vision_config: siglip }),
  Mistral3ForConditionalGeneration: (facts) => ({
    text_config: { ...textFields(facts), model_type: "mistral" },
    vision_config: publishedConfig("mistralai/Mistral-Small-3.1-24B-Instruct-2503").vision_config,
  }),
  Llama4ForConditionalGeneration: (facts) => ({
    text_config: {
      ...textFields(facts),
      intermediate_size: facts.moe?.expertIntermediateSize,
      intermediate_size_mlp: facts.intermediateSize,
    },
    vision_config: publishedConfig("meta-llama/Llama-4-Scout-17B-16E-Instruct").vision_config,
  }),
  DeepseekV3ForCausalLM: () => ({ q_lora_rank: 1536, qk_nope_head_dim: 128, v_head_dim: 128, n_shared_experts: 1 }),
  DeepseekV2ForCausalLM: () => ({ qk_nope_head_dim: 128, v_head_dim: 128, n_shared_experts: 2 }),
  MixtralForCausalLM: (facts) => ({ intermediate_size: facts.moe?.expertIntermediateSize }),
  GptOssForCausalLM: (facts) => ({ intermediate_size: facts.moe?.expertIntermediateSize }),
  XLMRobertaModel: () => ({ max_position_embeddings: 514, type_vocab_size: 1 }),
};
const ownPositions: Readonly<Record<string, number>> = { "BAAI/bge-m3": 8194 };

/** A record of the catalog under the names that files use. */
function textFields(facts: ModelFacts): Record<string, unknown> {
  return {
    num_hidden_layers: facts.layers,
    hidden_size: facts.hiddenSize,
    num_attention_heads: facts.attentionHeads,
    num_key_value_heads: facts.kvHeads,
    head_dim: facts.headDim,
    intermediate_size: facts.intermediateSize,
    vocab_size: facts.vocabSize,
    max_position_embeddings: facts.maxPositionEmbeddings,
    tie_word_embeddings: facts.tiedEmbeddings,
    sliding_window: facts.slidingWindow,
    layer_types: facts.layerTypes?.map((type) => `${type}_attention`),
    ...(facts.moe === null
      ? {}
      : {
          num_experts: facts.moe.experts,
          num_local_experts: facts.moe.experts,
          n_routed_experts: facts.moe.experts,
          num_experts_per_tok: facts.moe.expertsPerToken,
          moe_intermediate_size: facts.moe.expertIntermediateSize,
          shared_expert_intermediate_size: facts.moe.sharedExpertIntermediateSize,
          first_k_dense_replace: facts.moe.firstDenseLayers,
        }),
    ...(facts.mla === null ? {} : { kv_lora_rank: facts.mla.kvLoraRank, qk_rope_head_dim: facts.mla.ropeHeadDim }),
  };
}

function configOf(facts: ModelFacts): Record<string, unknown> {
  if (facts.architecture === "WhisperForConditionalGeneration") return publishedConfig(facts.id);
  const positions = ownPositions[facts.id];
  return {
    architectures: [facts.architecture],
    ...textFields(facts),
    ...besides[facts.architecture]?.(facts),
    ...(positions === undefined ? {} : { max_position_embeddings: positions }),
  };
}

const records = modelIds.map((id) => findModel(id) as ModelFacts);

test("the catalog has the records of the data set", () => {
  expect(records).toHaveLength(58);
});

test.each(records)("$id: the count is within half a per cent of the catalog's", (facts) => {
  const { total } = read(configOf(facts)).facts.parameters;
  expect(Math.abs(total / facts.parameters.total - 1)).toBeLessThan(0.005);
});

test.each(records.filter((facts) => facts.generative && facts.attention !== "encoder-decoder"))(
  "$id: what memory depends on is read as the catalog has it",
  (facts) => {
    const found = read(configOf(facts)).facts;
    expect(found).toMatchObject({
      attention: facts.attention,
      layers: facts.layers,
      kvHeads: facts.kvHeads,
      headDim: facts.headDim,
      vocabSize: facts.vocabSize,
      slidingWindow: facts.slidingWindow,
      layerTypes: facts.layerTypes,
      tiedEmbeddings: facts.tiedEmbeddings,
      mla: facts.mla,
    });
    expect(found.parameters).toMatchObject({ embedding: facts.parameters.embedding, lmHead: facts.parameters.lmHead });
  },
);
