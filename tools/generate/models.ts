import type { RawArtefact, RawModel } from "./raw.ts";

const ATTENTION = ["mha", "gqa", "mqa", "mla"];

export function modelsDocument(models: readonly RawModel[], artefacts: readonly RawArtefact[]): object {
  return {
    asOf: "2026-08-21",
    sources: [
      "github.com/ai-dynamo/aiconfigurator@095f58a51c4c aic-core/src/aiconfigurator_core/model_configs (copies of the hub's config.json)",
      "github.com/kaito-project/kaito presets/workspace/models/model_catalog.yaml",
      "start-up logs of vLLM 0.19.0 in llm-d-planner pull request 205 (weights and KV bytes per token agree)",
    ],
    notes: [
      "Every record names its own source; confidence says how far the fields were checked against published sizes.",
      "An alias has the architecture of the record, with the differences that are listed beside it.",
    ],
    models: models.map((model) => modelRecord(model, artefacts)),
  };
}

function modelRecord(model: RawModel, artefacts: readonly RawArtefact[]): object {
  const encoder = model.attention.startsWith("encoder");
  const embedding = model.params.embedding ?? model.vocab_size * model.hidden_size;
  return {
    id: model.model_id,
    aliases: aliases(model, embedding, artefacts),
    architecture: model.architecture,
    generative: !model.attention.startsWith("encoder-only"),
    layers: model.num_hidden_layers,
    hiddenSize: model.hidden_size,
    attentionHeads: model.num_attention_heads,
    kvHeads: model.num_key_value_heads,
    headDim: model.head_dim,
    intermediateSize: model.intermediate_size,
    vocabSize: model.vocab_size,
    tiedEmbeddings: model.tie_word_embeddings ?? false,
    maxPositionEmbeddings: model.max_position_embeddings,
    dtype: model.torch_dtype,
    attention: attention(model),
    slidingWindow: model.sliding_window,
    layerTypes: model.layer_types?.map((type) => type.replace(/_attention$/, "")) ?? null,
    moe:
      model.moe === null
        ? null
        : {
            experts: model.moe.num_experts,
            expertsPerToken: model.moe.experts_per_token,
            expertIntermediateSize: model.moe.moe_intermediate_size,
            sharedExpertIntermediateSize: model.moe.shared_expert_intermediate_size,
            firstDenseLayers: model.moe.first_dense_layers,
          },
    mla: model.mla === null ? null : { kvLoraRank: model.mla.kv_lora_rank, ropeHeadDim: model.mla.qk_rope_head_dim },
    parameters: {
      total: model.params.total,
      active: model.params.active ?? (model.moe === null ? model.params.total : null),
      embedding,
      lmHead: model.params.lm_head ?? (encoder || model.tie_word_embeddings ? 0 : embedding),
    },
    checkpointBytes: model.safetensors_total_bytes,
    nativeQuantization: model.quantization?.method ?? null,
    gated: gated(model.model_id, artefacts),
    confidence: model.confidence,
    source: model.source,
  };
}

function attention(model: RawModel): string {
  if (model.attention.startsWith("encoder-only")) return "encoder";
  if (model.attention.startsWith("encoder-decoder")) return "encoder-decoder";
  if (ATTENTION.includes(model.attention)) return model.attention;
  throw new Error(`${model.model_id}: attention "${model.attention}" is new`);
}

/** Whether the hub asks for a licence: read from the artefact that is the model's own repository. */
function gated(id: string, artefacts: readonly RawArtefact[]): boolean | null {
  return artefacts.find((artefact) => artefact.repository === id)?.gated ?? null;
}

/** Raw aliases carry their differences in words (`meta-llama/Llama-2-7b-hf (vocab 32000, 4096 ctx)`). */
function aliases(model: RawModel, embedding: number, artefacts: readonly RawArtefact[]): object[] {
  const named = model.aliases.map((text) => {
    const [, id, words] = /^(\S+)(?: \((.+)\))?$/.exec(text) ?? [];
    if (id === undefined) throw new Error(`${model.model_id}: alias "${text}" has an unknown form`);
    return { id, differences: words?.split(", ") ?? [] };
  });
  const served = artefacts.flatMap((artefact) =>
    artefact.model === model.model_id && artefact.alias !== undefined ? [artefact.alias] : [],
  );
  for (const id of new Set(served)) {
    if (!named.some((alias) => alias.id === id)) named.push({ id, differences: [] });
  }
  return named.map(({ id, differences }) => ({
    id,
    gated: gated(id, artefacts),
    ...Object.assign({}, ...differences.map((words) => difference(model, embedding, words))),
  }));
}

function difference(model: RawModel, embedding: number, words: string): object {
  const context = /^(?:(\d+) ctx|max_position_embeddings (\d+))$/.exec(words);
  if (context !== null) return { maxPositionEmbeddings: Number(context[1] ?? context[2]) };
  const vocab = /^vocab (\d+)$/.exec(words)?.[1];
  if (vocab !== undefined) return otherVocabulary(model, embedding, Number(vocab));
  const layers = /^(\d+) decoder layers$/.exec(words)?.[1];
  if (layers !== undefined) return { layers: Number(layers) };
  const millions = /^(\d+) M params$/.exec(words)?.[1];
  if (millions !== undefined) {
    const total = Number(millions) * 1_000_000;
    return { parameters: { total, active: total, embedding, lmHead: 0 }, checkpointBytes: 2 * total };
  }
  throw new Error(`${model.model_id}: alias difference "${words}" is not understood`);
}

/** Another vocabulary changes the embedding and, where it is not tied, the head: two bytes a parameter. */
function otherVocabulary(model: RawModel, embedding: number, vocabSize: number): object {
  const changed = vocabSize * model.hidden_size;
  const matrices = model.tie_word_embeddings ? 1 : 2;
  const total = model.params.total + matrices * (changed - embedding);
  return {
    vocabSize,
    parameters: { total, active: total, embedding: changed, lmHead: model.tie_word_embeddings ? 0 : changed },
    checkpointBytes: 2 * total,
  };
}
