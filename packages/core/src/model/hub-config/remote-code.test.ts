import { expect, test } from "vitest";
import { publishedConfig, publishedConfigs, read, refusalOf } from "./testing/published.ts";

const shipped = publishedConfigs.filter(({ config }) => config.auto_map !== undefined);

test.each(shipped)("$id ships the code of an architecture that engines have too", ({ config }) => {
  expect(read(config).facts.parameters.total).toBeGreaterThan(0);
});

test("there are such files to test", () => {
  expect(shipped.length).toBeGreaterThan(12);
});

test.each([
  [
    "a library architecture has no reason to bring code",
    "meta-llama/Llama-3.1-8B",
    { AutoModelForCausalLM: "modeling_llama.LlamaForCausalLM" },
  ],
  ["another class", "deepseek-ai/DeepSeek-V3", { AutoModelForCausalLM: "modeling_mine.MyForCausalLM" }],
  [
    "a second file",
    "deepseek-ai/DeepSeek-V3",
    { AutoModel: "patched.Model", AutoModelForCausalLM: "modeling_deepseek.DeepseekV3ForCausalLM" },
  ],
  [
    "a configuration of its own without a model",
    "deepseek-ai/DeepSeek-V3",
    { AutoConfig: "configuration_deepseek.DeepseekV3Config" },
  ],
  ["no text", "deepseek-ai/DeepSeek-V3", { AutoModelForCausalLM: [7] }],
])("%s is refused", (_, id, auto_map) => {
  const message = refusalOf({ ...publishedConfig(id), auto_map }, { parameters: 8e9 });
  expect(message).toContain("auto_map runs code of the repository");
  expect(message).toContain("was not read");
});

test("an empty map brings nothing", () => {
  expect(read({ ...publishedConfig("meta-llama/Llama-3.1-8B"), auto_map: {} }).parametersBasis).toBe("computed");
});
