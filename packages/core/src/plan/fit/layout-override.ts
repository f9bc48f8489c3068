import { weightLayout } from "../memory/layout.ts";
import { linearBytesPerParameter } from "../memory/precision.ts";
import { bytesToGib } from "../memory/units.ts";
import type { FitModel } from "./model.ts";
import type { Parallel } from "./parallel.ts";

const RATIO = 1.005;

/**
 * Weights per GPU for a model whose layers are smaller than heads x head size makes them (unfolded latent attention),
 * from the number of its parameters; undefined: the layers are what they seem, and the memory model counts them itself.
 */
export function loggedByLayout(
  { facts, precision }: Pick<FitModel, "facts" | "precision">,
  parallel: Parallel,
): number | undefined {
  if (facts.moe !== null || facts.attention === "encoder" || facts.attention === "encoder-decoder") return undefined;
  const layout = weightLayout(facts);
  const { total, embedding, lmHead } = facts.parameters;
  const body = total - embedding - lmHead;
  const counted = facts.layers * (layout.attentionPerLayer + layout.mlpPerLayer) + layout.norms + layout.extras;
  if (counted <= body * RATIO) return undefined;
  const ranks = parallel.tensorParallel * parallel.pipelineParallel;
  const word = precision === "fp32" ? 4 : 2;
  const table = facts.maxPositionEmbeddings * facts.headDim * word;
  return bytesToGib((body * linearBytesPerParameter(precision) + (embedding + lmHead) * word) / ranks + table);
}
