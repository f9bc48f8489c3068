import { expect, test } from "vitest";
import { knownArchitectures } from "./registry.ts";
import { publishedConfig, publishedConfigs, read } from "./testing/published.ts";

const counted = publishedConfigs.flatMap(({ id, parameters, config }) =>
  parameters === null ? [] : [{ id, parameters, config }],
);

test.each(counted)("$id has $parameters parameters", ({ parameters, config }) => {
  const { facts, parametersBasis } = read(config);
  expect(facts.parameters.total).toBe(parameters);
  expect(parametersBasis).toBe("computed");
});

test("files of more than forty architectures are read", () => {
  const architectures = new Set(publishedConfigs.map(({ config }) => (config.architectures as string[])[0]));
  expect(architectures.size).toBeGreaterThan(60);
  for (const architecture of architectures) expect(knownArchitectures).toContain(architecture);
});

test("Kimi K2: experts, latent attention and two vocabularies by hand", () => {
  // Experts: 60 mixture layers x (384 routed + 1 shared) x 3 x 7168 x 2048, router 7168 x 384 + 384.
  const mixture = 60 * (385 * 3 * 7168 * 2048 + 7168 * 384 + 384);
  const dense = 3 * 7168 * 18432;
  // Attention: queries through rank 1536 for 64 heads of 128 + 64, latent of 512 and 64, 64 heads of 128 + 128 out of it.
  const attention = 7168 * 1536 + 1536 * 64 * 192 + 1536 + 7168 * 576 + 512 + 512 * 64 * 256 + 64 * 128 * 7168;
  const norms = 61 * 2 * 7168 + 7168;
  const total = mixture + dense + 61 * attention + norms + 2 * 163840 * 7168;
  const { facts, precision } = read(publishedConfig("moonshotai/Kimi-K2-Instruct"));
  expect(facts.parameters.total).toBe(total);
  // 8 of 384 routed experts work on a token.
  expect(facts.parameters.active).toBe(total - 60 * 376 * 3 * 7168 * 2048);
  expect(facts.mla).toEqual({ kvLoraRank: 512, ropeHeadDim: 64 });
  expect(precision).toBe("fp8");
});

test("MiniCPM3: latent weights, but the full heads are cached", () => {
  const attention = 2560 * 768 + 768 * 40 * 96 + 768 + 2560 * 288 + 256 + 256 * 40 * 128 + 40 * 64 * 2560;
  const layer = attention + 3 * 2560 * 6400 + 2 * 2560;
  const { facts } = read(publishedConfig("openbmb/MiniCPM3-4B"));
  expect(facts.parameters.total).toBe(62 * layer + 73448 * 2560 + 2560);
  expect(facts).toMatchObject({ attention: "mha", mla: null, kvHeads: 40, headDim: 96 });
});

test("Arctic: a dense MLP as wide as the model beside the experts of each layer", () => {
  const experts = 35 * 128 * 3 * 7168 * 4864;
  const beside = 35 * (7168 * 128 + 3 * 7168 * 7168 + 7168);
  const attention = 35 * (2 * 7168 * 7168 + 2 * 7168 * 1024 + 2 * 7168);
  const { facts } = read(publishedConfig("Snowflake/snowflake-arctic-instruct"));
  expect(facts.parameters.total).toBe(experts + beside + attention + 7168 + 2 * 32000 * 7168);
});

test("Jais: GPT-2 with ALiBi and a gate", () => {
  const layer = 4 * 5120 * 5120 + 4 * 5120 + 3 * 5120 * 13653 + 2 * 13653 + 5120 + 4 * 5120;
  const { facts } = read(publishedConfig("inceptionai/jais-13b"));
  expect(facts.parameters.total).toBe(40 * layer + 84992 * 5120 + 2 * 5120);
});

test("MiniMax M2: norms over all query and all key heads", () => {
  const attention = 2 * 3072 * 48 * 128 + 2 * 3072 * 8 * 128 + (48 + 8) * 128 + 2 * 3072;
  const mixture = 256 * 3 * 3072 * 1536 + 3072 * 256 + 256;
  const { facts } = read(publishedConfig("MiniMaxAI/MiniMax-M2"));
  expect(facts.parameters.total).toBe(62 * (attention + mixture) + 3072 + 2 * 200064 * 3072);
});

test.each([
  ["google/gemma-2-9b", 4096, { full: 21, sliding: 21 }, "sliding"],
  ["google/gemma-3-1b-it", 512, { full: 4, sliding: 22 }, "sliding"],
  ["google/gemma-3-4b-it", 1024, { full: 5, sliding: 29 }, "sliding"],
  ["CohereForAI/c4ai-command-r7b-12-2024", 4096, { full: 8, sliding: 24 }, "sliding"],
  ["openai/gpt-oss-20b", 128, { full: 12, sliding: 12 }, "sliding"],
  ["meta-llama/Llama-4-Scout-17B-16E-Instruct", 8192, { full: 12, chunked: 36 }, "chunked"],
] as const)("%s has windows of %d tokens", (id, window, counts, first) => {
  const { facts } = read(publishedConfig(id));
  expect(facts.slidingWindow).toBe(window);
  expect(facts.layerTypes?.[0]).toBe(first);
  const found: Record<string, number> = {};
  for (const type of facts.layerTypes ?? []) found[type] = (found[type] ?? 0) + 1;
  expect(found).toEqual(counts);
});

test.each([
  ["mistralai/Mistral-7B-v0.1", 4096],
  ["microsoft/Phi-3-mini-4k-instruct", 2047],
  ["bigcode/starcoder2-7b", 4096],
  ["Qwen/Qwen2-7B", null],
  ["Qwen/Qwen3-8B", null],
  ["HuggingFaceTB/SmolLM3-3B", null],
])("%s has one window of %s for all layers", (id, window) => {
  const { facts } = read(publishedConfig(id));
  expect(facts).toMatchObject({ slidingWindow: window, layerTypes: null });
});

test.each([
  ["tiiuae/falcon-7b", "mqa", 1, 64],
  ["tiiuae/falcon-40b", "gqa", 8, 64],
  ["THUDM/chatglm3-6b", "gqa", 2, 128],
  ["bigcode/starcoder", "mqa", 1, 128],
  ["microsoft/phi-1_5", "mha", 32, 64],
  ["google/gemma-2b", "mqa", 1, 256],
  ["databricks/dbrx-instruct", "gqa", 8, 128],
  ["deepseek-ai/DeepSeek-V3", "mla", 128, 128],
  ["BAAI/bge-m3", "encoder", 16, 64],
  ["openai/whisper-large-v3", "encoder-decoder", 20, 64],
])("%s caches by %s: %d KV heads of %d", (id, attention, kvHeads, headDim) => {
  expect(read(publishedConfig(id)).facts).toMatchObject({ attention, kvHeads, headDim });
});
