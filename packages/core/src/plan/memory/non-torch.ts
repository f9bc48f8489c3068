import type { BandConstants } from "./calibration-types.ts";
import { gibToBytes } from "./units.ts";

/** A stage of a pipeline without tensor parallelism stays below this (facts/serving.md B4). */
const pipelineOnlyGib = 0.1;

/** Memory of a GPU that PyTorch does not own: NCCL, all-reduce workspaces, kernels (facts/serving.md B4). */
export function nonTorch(
  constants: Pick<BandConstants, "nonTorchGib">,
  tensorParallel: number,
  pipelineParallel: number,
): { readonly bytes: number; readonly how: string } {
  if (tensorParallel === 1 && pipelineParallel > 1) {
    return { bytes: gibToBytes(pipelineOnlyGib), how: "stage of a pipeline without tensor parallelism" };
  }
  const measured = Object.keys(constants.nonTorchGib)
    .map(Number)
    .sort((a, b) => a - b);
  const nearest = measured.filter((size) => size <= tensorParallel).at(-1) ?? measured[0];
  if (nearest === undefined) throw new Error("no non-torch memory in the calibration");
  const gib = constants.nonTorchGib[nearest] ?? 0;
  return { bytes: gibToBytes(gib), how: `measured at TP ${nearest}` };
}
