import { expect, test } from "vitest";
import { publishedConfig, read, refusalOf } from "./testing/published.ts";

const llama = publishedConfig("meta-llama/Llama-3.1-8B");
const quantised = (quantization_config: unknown) => ({ ...llama, quantization_config });
const group = (weights: unknown) => ({ quant_method: "compressed-tensors", config_groups: { group_0: { weights } } });

test.each([
  [{ quant_method: "fp8", activation_scheme: "dynamic" }, "fp8"],
  [{ quant_method: "fbgemm_fp8" }, "fp8"],
  [{ quant_method: "awq", bits: 4, group_size: 128 }, "awq"],
  [{ quant_method: "gptq", bits: 4, group_size: 128 }, "gptq"],
  [{ quant_method: "gptq", bits: 8 }, "int8"],
  [{ quant_method: "bitsandbytes", load_in_4bit: true }, "bnb-4bit"],
  [{ quant_method: "mxfp4" }, "mxfp4"],
  [group({ num_bits: 8, type: "float" }), "fp8"],
  [group({ num_bits: 8, type: "int" }), "int8"],
  [group({ num_bits: 4, type: "int" }), "w4a16"],
  [group({ num_bits: 4, type: "float" }), "nvfp4"],
  [{ quant_algo: "FP8", producer: { name: "modelopt" } }, "fp8"],
  [{ quant_method: "modelopt", quant_algo: "NVFP4" }, "nvfp4"],
])("%j is %s", (config, precision) => {
  const { facts, precision: found } = read(quantised(config));
  expect(found).toBe(precision);
  expect(facts.nativeQuantization).toBe(precision);
});

test("a checkpoint that is not quantised has the precision of its type", () => {
  expect(read(llama)).toMatchObject({
    precision: "bf16",
    facts: { nativeQuantization: null, checkpointBytes: 16_060_522_496 },
  });
  expect(read({ ...llama, torch_dtype: "float16" }).precision).toBe("fp16");
});

test("embeddings and head of a quantised checkpoint stay in 16 bits", () => {
  // 8,030,261,248 parameters, of which 2 x 525,336,576 in embedding and head.
  const { facts } = read(quantised({ quant_method: "fp8" }));
  expect(facts.checkpointBytes).toBe(8_030_261_248 - 1_050_673_152 + 2 * 1_050_673_152);
});

test.each([
  [{ quant_method: "aqlm" }, "quant_method aqlm"],
  [{ quant_method: "gptq", bits: 3 }, "GPTQ of 3 bits"],
  [{ quant_method: "compressed-tensors" }, "compressed-tensors without config_groups"],
  [
    {
      quant_method: "compressed-tensors",
      config_groups: { a: { weights: { num_bits: 8, type: "int" } }, b: { weights: { num_bits: 4, type: "int" } } },
    },
    "int of 8 bits and int of 4 bits",
  ],
])("%j is refused with the way out", (config, reason) => {
  const message = refusalOf(quantised(config));
  expect(message).toContain(reason);
  expect(message).toContain("--quantization");
  expect(read(quantised(config), { precision: "int8" }).precision).toBe("int8");
});
