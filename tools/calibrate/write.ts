import type { BandConstants, MemoryCalibration } from "../../packages/core/src/plan/memory/calibration-types.ts";

/** The constants as source text, in the formatter's own layout. */
export function calibrationSource(calibration: MemoryCalibration): string {
  return `// Written by tools/calibrate.ts. Do not edit: run it again with newer points.
import type { MemoryCalibration } from "./calibration-types.ts";

export const calibration: MemoryCalibration = {
  asOf: ${JSON.stringify(calibration.asOf)},
  source: ${JSON.stringify(calibration.source)},
  bands: [
${calibration.bands.map(bandText).join("\n")}
  ],
};
`;
}

function bandText(band: BandConstants): string {
  return `    {
      band: ${JSON.stringify(band.band)},
      runner: ${JSON.stringify(band.runner)},
      measured: ${band.measured},
      carriedFrom: ${JSON.stringify(band.carriedFrom)},
      samplerBytes: ${band.samplerBytes},
      forwardFactor: ${band.forwardFactor},
      fixedActivationGib: ${band.fixedActivationGib},
      nonTorchGib: { ${Object.entries(band.nonTorchGib)
        .map(([size, gib]) => `${size}: ${gib}`)
        .join(", ")} },
      cudaGraphGibPerLayer: { dense: ${band.cudaGraphGibPerLayer.dense}, mixture: ${band.cudaGraphGibPerLayer.mixture} },
      medianErrorPercent: ${band.medianErrorPercent},
      worstErrorPercent: ${band.worstErrorPercent},
      fittedPoints: ${list(band.fittedPoints)},
      heldOutPoints: ${list(band.heldOutPoints)},
    },`;
}

function list(ids: readonly string[]): string {
  return `[${ids.map((id) => JSON.stringify(id)).join(", ")}]`;
}
