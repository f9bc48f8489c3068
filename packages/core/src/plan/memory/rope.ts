import type { ModelFacts } from "@capstan/catalog";

/** Share of the head that is rotated, where it is not the whole head. */
const partialRotary: ReadonlyMap<string, number> = new Map(
  Object.entries({
    PhiForCausalLM: 0.4,
  }),
);

/**
 * Elements of the sine and cosine tables, which every rank keeps whole: positions x rotated dimensions. Llama-4-Scout's
 * ten million positions cost 2.5 GiB on each GPU.
 */
export function ropeElements(model: ModelFacts): number {
  const dimensions = model.mla?.ropeHeadDim ?? model.headDim * (partialRotary.get(model.architecture) ?? 1);
  const positions = model.maxPositionEmbeddings;
  if (model.architecture === "Gemma3ForConditionalGeneration") {
    // The full-attention layers scale positions linearly by 8 and tabulate all of them; the sliding layers have a table
    // of their own. That is the 0.3 to 0.6 GiB that Gemma 3 loads beyond its file.
    return (positions * 8 + positions) * dimensions;
  }
  if (model.architecture === "Gemma3ForCausalLM") return 2 * positions * dimensions;
  return positions * dimensions;
}
