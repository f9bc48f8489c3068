import { expect, test } from "vitest";
import { modelAliases, modelIds } from "./generated/ids.ts";
import { findModel } from "./models.ts";

const all = [...modelIds, ...modelAliases].map((id) => findModel(id)!);

test("Llama-3.1-8B", () => {
  expect(findModel("meta-llama/Llama-3.1-8B-Instruct")).toMatchObject({
    architecture: "LlamaForCausalLM",
    layers: 32,
    hiddenSize: 4096,
    kvHeads: 8,
    headDim: 128,
    maxPositionEmbeddings: 131_072,
    attention: "gqa",
    parameters: { total: 8_030_261_248, embedding: 525_336_576, lmHead: 525_336_576 },
    checkpointBytes: 16_060_522_496,
    gated: true,
    nativeQuantization: null,
  });
});

test("an alias keeps the id that was asked, its own gate and what differs", () => {
  const distilled = findModel("deepseek-ai/DeepSeek-R1-Distill-Llama-8B");
  expect(distilled).toMatchObject({ id: "deepseek-ai/DeepSeek-R1-Distill-Llama-8B", layers: 32, gated: false });
  expect(findModel("meta-llama/Meta-Llama-3-8B")).toMatchObject({ maxPositionEmbeddings: 8192 });
});

test("Llama-2-7B is Code Llama with 16 words less: 6,738,415,616 parameters", () => {
  expect(findModel("meta-llama/Llama-2-7b-hf")).toMatchObject({
    vocabSize: 32_000,
    maxPositionEmbeddings: 4096,
    parameters: { total: 6_738_415_616, embedding: 131_072_000, lmHead: 131_072_000 },
    checkpointBytes: 13_476_831_232,
  });
});

test("layers that differ are told one by one", () => {
  const gemma = findModel("google/gemma-3-27b-it")!;
  expect(gemma.layerTypes).toHaveLength(62);
  expect(gemma.layerTypes?.slice(0, 6)).toEqual(["sliding", "sliding", "sliding", "sliding", "sliding", "full"]);
  expect(gemma.slidingWindow).toBe(1024);
  const scout = findModel("meta-llama/Llama-4-Scout-17B-16E-Instruct")!;
  expect(scout.layerTypes?.slice(0, 4)).toEqual(["chunked", "chunked", "chunked", "full"]);
  expect(scout.layerTypes?.filter((type) => type === "full")).toHaveLength(12);
  expect(findModel("openai/gpt-oss-20b")?.layerTypes?.filter((type) => type === "sliding")).toHaveLength(12);
  expect(findModel("Qwen/Qwen3-8B")?.layerTypes).toBeNull();
});

test("quantisation of the checkpoint itself", () => {
  expect(findModel("openai/gpt-oss-120b")?.nativeQuantization).toBe("mxfp4");
  expect(findModel("deepseek-ai/DeepSeek-R1")?.nativeQuantization).toBe("fp8");
});

test("mixtures of experts and latent attention", () => {
  expect(findModel("deepseek-ai/DeepSeek-V3")).toMatchObject({
    attention: "mla",
    mla: { kvLoraRank: 512, ropeHeadDim: 64 },
    moe: {
      experts: 256,
      expertsPerToken: 8,
      expertIntermediateSize: 2048,
      sharedExpertIntermediateSize: 2048,
      firstDenseLayers: 3,
    },
    intermediateSize: 18_432,
  });
  expect(findModel("mistralai/Mixtral-8x7B-Instruct-v0.1")).toMatchObject({
    intermediateSize: null,
    moe: { experts: 8 },
  });
});

test("encoders keep no KV cache and have no head", () => {
  expect(findModel("BAAI/bge-m3")).toMatchObject({
    generative: false,
    attention: "encoder",
    dtype: "float32",
    parameters: { lmHead: 0 },
  });
  expect(findModel("openai/whisper-large-v3")).toMatchObject({ generative: true, attention: "encoder-decoder" });
});

test("one layer type for each layer, and heads that divide", () => {
  for (const model of all) {
    if (model.layerTypes !== null) expect(model.layerTypes).toHaveLength(model.layers);
    expect(model.attentionHeads % model.kvHeads).toBe(0);
    expect(model.parameters.embedding).toBeLessThan(model.parameters.total);
    expect(model.tiedEmbeddings && model.parameters.lmHead > 0).toBe(false);
  }
});

test("an unknown model finds nothing", () => {
  expect(findModel("meta-llama/Llama-3.1-9B-Instruct")).toBeUndefined();
});
