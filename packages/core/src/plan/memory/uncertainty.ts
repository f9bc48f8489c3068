import type { ModelFacts } from "@capstan/catalog";
import { isMultimodal } from "./activation.ts";
import type { MemoryBand } from "./bands.ts";

/** One GPU, a dense text model, a band with measured starts (facts/serving.md B6). */
const measuredGib = 0.3;
/** Everything else. */
const otherwiseGib = 0.8;
/** Half of a part that no start of the band ever showed. */
const unseenShare = 0.5;

export interface UncertaintyInput {
  readonly model: ModelFacts;
  readonly band: MemoryBand;
  readonly measured: boolean;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly cudaGraphGib: number;
  readonly nonTorchGib: number;
}

/**
 * How far the available KV memory may be off, in GiB. In a band without a measured start, the graph estimate that is
 * subtracted and the memory of tensor parallelism (0.5 GiB in one measured band, 2 in the next) are carried over
 * unseen, so half of each comes on top.
 */
export function uncertaintyGib(input: UncertaintyInput): { readonly gib: number; readonly how: string } {
  const { model, band, measured, tensorParallel, pipelineParallel } = input;
  const simple = measured && tensorParallel * pipelineParallel === 1 && model.moe === null && !isMultimodal(model);
  if (simple) return { gib: measuredGib, how: "dense text model on one GPU, measured band" };
  if (measured) return { gib: otherwiseGib, how: "measured band, but several GPUs, experts or a vision tower" };
  const graphs = band.graphsSubtracted ? unseenShare * input.cudaGraphGib : 0;
  const parallel = tensorParallel > 1 ? unseenShare * input.nonTorchGib : 0;
  return {
    gib: otherwiseGib + graphs + parallel,
    how: `no measured start of this band: ${otherwiseGib} GiB, half of the graph estimate, half of tensor-parallel non-torch memory`,
  };
}
