import type { ModelFacts } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";

/** The engine pads the vocabulary to this before it divides it. */
const VOCABULARY_STEP = 64;

/** What of the model does not divide over that many ranks; null: all of it does. */
export function indivisibleBy(facts: ModelFacts, size: number): string | null {
  if (facts.attentionHeads % size !== 0) return `the ${facts.attentionHeads} attention heads`;
  // Multi-head latent attention has one latent for all heads, which every rank holds whole.
  if (facts.mla === null && facts.kvHeads % size !== 0 && size % facts.kvHeads !== 0)
    return `the ${facts.kvHeads} key-value heads`;
  const rows = Math.ceil(facts.vocabSize / VOCABULARY_STEP) * VOCABULARY_STEP;
  return rows % size === 0 ? null : `the ${rows} vocabulary rows (padded to ${VOCABULARY_STEP})`;
}

/** Sizes that divide the model and that one node of the pool has GPUs for. */
export function validSizes(service: ResolvedVllm, facts: ModelFacts): number[] {
  const most = service.slot.migProfile === null && service.slot.sharedBy === 1 ? service.slot.slotsPerNode : 1;
  return Array.from({ length: most }, (_, i) => i + 1).filter((size) => indivisibleBy(facts, size) === null);
}
