import { expect, test } from "vitest";
import { maxPositions } from "./max-length.ts";
import { ConfigReader } from "./reader.ts";

const at = (fields: Record<string, unknown>, type = "") => maxPositions(new ConfigReader(fields), type);

test.each([
  [{ max_position_embeddings: 8192 }, 8192],
  [{ n_positions: 1024 }, 1024],
  [{ max_seq_len: 2048 }, 2048],
  [{}, 2048],
  // Command R states both; the longer one is what it was trained for.
  [{ max_position_embeddings: 8192, model_max_length: 131_072 }, 131_072],
])("%j is a context of %d tokens", (fields, tokens) => {
  expect(at(fields)).toBe(tokens);
});

test("scaled positions: YaRN from the original length, dynamic from the stated one, llama3 not again", () => {
  const yarn = { type: "yarn", factor: 40, original_max_position_embeddings: 4096 };
  expect(at({ max_position_embeddings: 163_840, rope_scaling: yarn })).toBe(163_840);
  expect(at({ max_position_embeddings: 32_768, rope_scaling: { type: "dynamic", factor: 2 } })).toBe(65_536);
  expect(at({ max_position_embeddings: 131_072, rope_scaling: { rope_type: "llama3", factor: 8 } })).toBe(131_072);
  expect(at({ max_position_embeddings: 131_072, rope_scaling: { rope_type: "longrope" } })).toBe(131_072);
  expect(
    at({ max_position_embeddings: 131_072, rope_scaling: { rope_type: "linear", factor: 8 } }, "gemma3_text"),
  ).toBe(131_072);
});
