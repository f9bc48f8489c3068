import { expect, test } from "vitest";
import { publishedConfig, read, refusalOf } from "./testing/published.ts";

const llama = publishedConfig("meta-llama/Llama-3.1-8B");

test.each([
  ["JambaForCausalLM", {}, "state-space"],
  ["FalconH1ForCausalLM", {}, "state-space"],
  ["BambaForCausalLM", {}, "state-space"],
  ["MambaForCausalLM", {}, "state-space"],
  ["Qwen3NextForCausalLM", {}, "linear-attention"],
  ["Gemma3nForConditionalGeneration", {}, "share the KV cache"],
  ["DeepseekV32ForCausalLM", {}, "sparse attention"],
  ["DeciLMForCausalLM", {}, "block_configs"],
  ["MllamaForConditionalGeneration", {}, "cross attention"],
  ["SomethingNewForCausalLM", { ssm_state_size: 128 }, "ssm_state_size"],
  ["SomethingNewForCausalLM", { text_config: { linear_num_value_heads: 32 } }, "linear_num_value_heads"],
  ["MiniMaxM2ForCausalLM", { attn_type_list: [1, 0, 1] }, "attn_type_list"],
])("%s %j is refused: %s", (architecture, fields, reason) => {
  expect(refusalOf({ ...llama, architectures: [architecture], ...fields })).toContain(reason);
});

test("a state-space model is refused whatever parameters are given", () => {
  expect(refusalOf({ ...llama, architectures: ["JambaForCausalLM"] }, { parameters: 52e9 })).toContain("state-space");
});

test("an architecture that is not known is refused with the nearest one", () => {
  const message = refusalOf({ ...llama, architectures: ["LamaForCausalLM"] }, { parameters: 8e9 });
  expect(message).toContain('"LamaForCausalLM" is not known');
  expect(message).toContain("LlamaForCausalLM");
});

test("without architectures the type decides, and without both the message says what to add", () => {
  expect(read({ ...llama, architectures: null }).facts.architecture).toBe("LlamaForCausalLM");
  expect(refusalOf({ ...llama, architectures: null, model_type: null })).toContain('add "architectures"');
});

test.each([null, [], "text", 7])("%j is no config", (config) => {
  expect(refusalOf(config)).toContain("JSON object");
});

test("all missing fields are told at once, with their other names", () => {
  const { hidden_size: _hidden, num_hidden_layers: _layers, ...rest } = llama;
  const message = refusalOf(rest);
  expect(message).toContain("num_hidden_layers is missing (also read as n_layer, n_layers, num_layers)");
  expect(message).toContain("hidden_size is missing");
});
