import type { EngineConstants, SpeedCalibration } from "../../packages/core/src/plan/speed/calibration-types.ts";

/** The constants as source text, in the formatter's own layout. */
export function calibrationSource({ asOf, source, hardware, engines, coverage }: SpeedCalibration): string {
  const { compute, ...rest } = hardware;
  return `// Written by tools/calibrate-speed.ts. Do not edit: run it again with newer points.
import type { SpeedCalibration } from "./calibration-types.ts";

export const calibration: SpeedCalibration = {
  asOf: ${JSON.stringify(asOf)},
  source: ${JSON.stringify(source)},
  hardware: {
    compute: { half: ${compute.half}, byte: ${compute.byte}, nibble: ${compute.nibble} },
${Object.entries(rest)
  .map(([name, value]) => `    ${name}: ${value},`)
  .join("\n")}
  },
  engines: [
${engines.map(engineText).join("\n")}
  ],
  coverage: {
${Object.entries(coverage)
  .map(([key, count]) => `    ${JSON.stringify(key)}: ${count},`)
  .join("\n")}
  },
};
`;
}

function engineText(each: EngineConstants): string {
  return `    {
      engine: ${JSON.stringify(each.engine)},
      band: ${JSON.stringify(each.band)},
      from: ${JSON.stringify(each.from)},
      stepSeconds: ${each.stepSeconds},
      sequenceSeconds: ${each.sequenceSeconds},
      rangeFactor: ${each.rangeFactor},
      medianErrorPercent: ${each.medianErrorPercent},
      worstFactor: ${each.worstFactor},
${list("fittedPoints", each.fittedPoints)}
${list("heldOutPoints", each.heldOutPoints)}
    },`;
}

const lineWidth = 120;

function list(name: string, ids: readonly string[]): string {
  const flat = `      ${name}: [${ids.map((id) => JSON.stringify(id)).join(", ")}],`;
  if (flat.length <= lineWidth) return flat;
  return [`      ${name}: [`, ...ids.map((id) => `        ${JSON.stringify(id)},`), "      ],"].join("\n");
}
