import { expect, test } from "vitest";
import { publishedConfig, read, refusalOf } from "./testing/published.ts";

const llama = publishedConfig("meta-llama/Llama-3.1-8B");
const GIB = 2 ** 30;

test("the facts of Llama 3.1 8B, which the catalog has from elsewhere", () => {
  expect(read(llama, { id: "my/llama" }).facts).toMatchObject({
    id: "my/llama",
    generative: true,
    layers: 32,
    hiddenSize: 4096,
    intermediateSize: 14_336,
    attention: "gqa",
    kvHeads: 8,
    headDim: 128,
    maxPositionEmbeddings: 131_072,
    parameters: { total: 8_030_261_248, active: 8_030_261_248, embedding: 525_336_576, lmHead: 525_336_576 },
  });
});

test("a total that is given takes the place of the computed one", () => {
  expect(read(llama, { parameters: 9e9 })).toMatchObject({
    parametersBasis: "given",
    facts: { parameters: { total: 9e9 } },
  });
});

test("a checkpoint's size is turned into parameters, quantised or not", () => {
  const plain = read(llama, { weightsGib: 16_060_522_496 / GIB });
  expect(plain.facts.parameters.total).toBe(8_030_261_248);
  const bytes = 6_979_588_096 + 2 * 1_050_673_152;
  const fp8 = read({ ...llama, quantization_config: { quant_method: "fp8" } }, { weightsGib: bytes / GIB });
  expect(fp8.facts.parameters.total).toBe(8_030_261_248);
});

test("a size below that of the embeddings is absurd", () => {
  expect(refusalOf(llama, { parameters: 1_000_000 })).toContain(
    "fewer than the 1050673152 of the embedding and output head",
  );
});

const kimi = publishedConfig("moonshotai/Kimi-K2-Instruct");
const wrapped = { architectures: ["KimiK25ForConditionalGeneration"], text_config: kimi, vision_config: {} };

test("a tower that is not read asks for the total, and takes it", () => {
  expect(refusalOf(wrapped)).toContain("give --parameters N or --weights-gib X");
  const found = read(wrapped, { parameters: 1.03e12 });
  expect(found.facts.parameters.total).toBe(1.03e12);
  expect(found.facts.mla?.kvLoraRank).toBe(512);
});

test("with the total given, sizes of the tower may be missing", () => {
  const { vision_config: _, ...scout } = publishedConfig("meta-llama/Llama-4-Scout-17B-16E-Instruct");
  expect(refusalOf(scout)).toContain("vision_config is missing");
  expect(read(scout, { parameters: 108_641_793_536 }).facts.moe?.experts).toBe(16);
});

test("the tower of Qwen2-VL counts beside the text model's 7,615,616,512", () => {
  const { facts } = read(publishedConfig("Qwen/Qwen2-VL-7B-Instruct"));
  // Patches 3 x 2 x 14 x 14 x 1280; 32 blocks of 12 x 1280^2 + 13 x 1280; merger 5120^2 + 5120 + 5120 x 3584 + 3584, norm 2560.
  const tower = 1176 * 1280 + 32 * (12 * 1280 * 1280 + 13 * 1280) + 5120 * 5120 + 5120 + 5120 * 3584 + 3584 + 2560;
  expect(facts.parameters.total).toBe(7_615_616_512 + tower);
});

test("a text model that is not known is refused by its type", () => {
  const config = {
    architectures: ["LlavaForConditionalGeneration"],
    text_config: { model_type: "unheard" },
    vision_config: {},
  };
  expect(refusalOf(config)).toContain('model_type "unheard"');
});

test("experts that are not used for a token are not active", () => {
  const { facts } = read(publishedConfig("mistralai/Mixtral-8x7B-v0.1"));
  // 6 of the 8 experts of each of 32 layers rest.
  expect(facts.parameters.active).toBe(46_702_792_704 - 32 * 6 * 3 * 4096 * 14_336);
  expect(facts.moe).toEqual({
    experts: 8,
    expertsPerToken: 2,
    expertIntermediateSize: 14_336,
    sharedExpertIntermediateSize: 0,
    firstDenseLayers: 0,
  });
});

test("the caller's config is left as it was", () => {
  const config = structuredClone(llama);
  read(config);
  expect(config).toEqual(llama);
});
