import type { ModelFacts } from "@capstan/catalog";

/** Far above any model that exists: past these a number is a slip, and loops over it would not end. */
const MOST_LAYERS = 1_000;
const MOST = 2 ** 40;

/**
 * Facts of a model that describe nothing: missing, negative, fractional or astronomical numbers, as they come from a
 * file. The catalog's own are checked by its schema.
 */
export function impossibleFacts(facts: ModelFacts): { readonly path: string; readonly value: unknown }[] {
  const read = facts as Partial<ModelFacts>;
  const found = COUNTS.map((key) => ({ path: key as string, value: read[key] as unknown })).filter(
    ({ value }) => !isCount(value, MOST),
  );
  if (!isCount(read.layers, MOST_LAYERS)) found.push({ path: "layers", value: read.layers });
  if (read.intermediateSize !== null && !isCount(read.intermediateSize, MOST)) {
    found.push({ path: "intermediateSize", value: read.intermediateSize });
  }
  if (read.slidingWindow !== null && !isCount(read.slidingWindow, MOST)) {
    found.push({ path: "slidingWindow", value: read.slidingWindow });
  }
  if (read.layerTypes !== null && !Array.isArray(read.layerTypes))
    found.push({ path: "layerTypes", value: read.layerTypes });
  const { total, embedding, lmHead } = read.parameters ?? {};
  for (const [path, value] of Object.entries({ total, embedding, lmHead })) {
    if (!isAmount(value)) found.push({ path: `parameters.${path}`, value });
  }
  for (const [key, value] of Object.entries(read.moe ?? {}))
    if (!isAmount(value)) found.push({ path: `moe.${key}`, value });
  for (const [key, value] of Object.entries(read.mla ?? {}))
    if (!isAmount(value)) found.push({ path: `mla.${key}`, value });
  return found;
}

const COUNTS = ["hiddenSize", "attentionHeads", "kvHeads", "headDim", "vocabSize", "maxPositionEmbeddings"] as const;

function isCount(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= most;
}

/** Zero is an answer: no shared expert, a tied head. */
function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST * 1024;
}
