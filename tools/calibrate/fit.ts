import { activationPeak } from "../../packages/core/src/plan/memory/activation.ts";
import { type MemoryBand, memoryBand, memoryBands } from "../../packages/core/src/plan/memory/bands.ts";
import type { BandConstants, MemoryCalibration } from "../../packages/core/src/plan/memory/calibration-types.ts";
import { captureSizes } from "../../packages/core/src/plan/memory/cuda-graphs.ts";
import { vllmDefaults } from "../../packages/core/src/plan/memory/defaults.ts";
import { exactVersion } from "../../packages/core/src/plan/memory/engine-version.ts";
import { vllmMemoryWith } from "../../packages/core/src/plan/memory/index.ts";
import { bytesToGib } from "../../packages/core/src/plan/memory/units.ts";
import type { UsablePoint } from "./points.ts";

/**
 * Sampler bytes per row and vocabulary entry where no start was measured, from reading the sampler
 * (facts/vllm-by-version.md 2.2).
 */
const samplerBytesRead: Readonly<Record<string, number>> = {
  "v1 0.20-0.26": 14,
  "v1 0.27-0.28": 14,
  "v2 0.22-0.26": 6,
  "v2 0.27": 6,
  "v2 0.28": 2,
  "v2 0.29-0.30": 2,
  "v2 0.31-0.32": 2,
  "v2 0.33": 14,
};

const calibrationSource = "vllm-memory-points.json: start-up logs of public vLLM runs, each point with its source";

/** First guesses that tell which peak of the profile run a point shows, and stand in where a band has no such point. */
const start = { samplerBytes: 14, forwardFactor: 1, fixedActivationGib: 0 };
const samplerGuess: Readonly<Record<string, number>> = { "0.11-0.16": 38 };

export function bandOf(point: UsablePoint): MemoryBand | null {
  const version = exactVersion(point.input.version);
  return memoryBand(version, vllmDefaults(point.input).runner);
}

/** Every second point of each kind (tensor parallelism, experts) is held out: the fit never sees it. */
function split(points: readonly UsablePoint[]): {
  readonly fitted: readonly UsablePoint[];
  readonly heldOut: readonly UsablePoint[];
} {
  const kinds = new Map<string, UsablePoint[]>();
  for (const point of points) {
    const kind = `${point.input.tensorParallel} ${point.model.moe === null}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), point]);
  }
  const groups = [...kinds.values()];
  return {
    fitted: groups.flatMap((group) => group.filter((_, at) => at % 2 === 0)),
    heldOut: groups.flatMap((group) => group.filter((_, at) => at % 2 === 1)),
  };
}

export function fitCalibration(points: readonly UsablePoint[], asOf: string): MemoryCalibration {
  const complete = points.filter((each) => each.succeeded && each.assumed.length === 0);
  const measured = new Map<MemoryBand, BandConstants>();
  for (const band of memoryBands) {
    const own = complete.filter((point) => bandOf(point) === band);
    const { fitted, heldOut } = split(own);
    if (fitted.length > 0) measured.set(band, fitBand(band, fitted, heldOut));
  }
  const newest = [...measured.values()].at(-1);
  if (newest === undefined) throw new Error("no point can be used: nothing to fit");
  const bands = memoryBands.map((band) => {
    const own = measured.get(band);
    return own === undefined ? carried(band, newest) : mended(own, newest);
  });
  const calibration = { asOf, source: calibrationSource, bands };
  return { ...calibration, bands: bands.map((band) => withErrors(band, calibration, complete)) };
}

function fitBand(band: MemoryBand, fitted: readonly UsablePoint[], heldOut: readonly UsablePoint[]): BandConstants {
  const sampler = fitSampler(band, fitted);
  return {
    band: band.id,
    runner: band.runner,
    measured: true,
    carriedFrom: null,
    ...sampler,
    forwardFactor: fitForward(band, fitted, sampler),
    nonTorchGib: fitNonTorch(fitted),
    cudaGraphGibPerLayer: { dense: fitGraphs(fitted, false), mixture: fitGraphs(fitted, true) },
    medianErrorPercent: null,
    worstErrorPercent: null,
    fittedPoints: fitted.map(({ point }) => point.id).sort(),
    heldOutPoints: heldOut.map(({ point }) => point.id).sort(),
  };
}

type ActivationConstants = Pick<BandConstants, "samplerBytes" | "forwardFactor" | "fixedActivationGib">;

function peakOf(band: MemoryBand, { input }: UsablePoint, constants: ActivationConstants) {
  return activationPeak({
    ...vllmDefaults(input),
    model: input.model,
    precision: input.precision,
    version: exactVersion(input.version),
    stage: { first: true, last: true },
    tensorParallel: input.tensorParallel,
    streamingMultiprocessors: 132,
    band,
    constants,
  });
}

/**
 * The sampler allocates whole bytes per logit, so only whole numbers are tried; the fixed part is the median rest. The
 * number with the smallest mean deviation wins.
 */
function fitSampler(
  band: MemoryBand,
  points: readonly UsablePoint[],
): Pick<BandConstants, "samplerBytes" | "fixedActivationGib"> {
  const guess = { ...start, samplerBytes: samplerGuess[band.id] ?? start.samplerBytes };
  const shown = points.filter(
    (point) => point.point.activation_peak_gib !== null && peakOf(band, point, guess).dominant === "sampler",
  );
  let best = { samplerBytes: guess.samplerBytes, fixedActivationGib: 0, deviation: Number.POSITIVE_INFINITY };
  for (let samplerBytes = 1; samplerBytes <= 64; samplerBytes++) {
    const rests = shown.map(
      (point) =>
        (point.point.activation_peak_gib as number) -
        bytesToGib(peakOf(band, point, { ...start, samplerBytes }).samplerBytes),
    );
    const fixed = Math.max(0, median(rests) ?? 0);
    const deviation = mean(rests.map((rest) => Math.abs(rest - fixed)));
    if (deviation < best.deviation) best = { samplerBytes, fixedActivationGib: round(fixed), deviation };
  }
  return { samplerBytes: best.samplerBytes, fixedActivationGib: best.fixedActivationGib };
}

function fitForward(
  band: MemoryBand,
  points: readonly UsablePoint[],
  sampler: Pick<BandConstants, "samplerBytes" | "fixedActivationGib">,
): number {
  const ratios = points.flatMap((point) => {
    const peak = peakOf(band, point, { ...start, ...sampler });
    const logged = point.point.activation_peak_gib;
    return logged === null || peak.dominant === "sampler" ? [] : [logged / bytesToGib(peak.forwardBytes)];
  });
  return round(median(ratios) ?? Number.NaN);
}

function fitNonTorch(points: readonly UsablePoint[]): Readonly<Record<number, number>> {
  const sizes = [...new Set(points.map((point) => point.input.tensorParallel))].sort((a, b) => a - b);
  return Object.fromEntries(
    sizes.flatMap((size) => {
      const logged = points
        .filter((point) => point.input.tensorParallel === size)
        .flatMap(({ point }) => point.non_torch_gib ?? []);
      const middle = median(logged);
      return middle === null ? [] : [[size, round(middle)]];
    }),
  );
}

function fitGraphs(points: readonly UsablePoint[], mixture: boolean): number {
  const logged = points.filter(({ point }) => point.cudagraph_gib !== null);
  // Figures below zero show that a page's graph sizes are differences of free memory with other things in them.
  if (logged.some(({ point }) => (point.cudagraph_gib as number) < 0)) return Number.NaN;
  const perLayer = logged
    .filter(({ model }) => (model.moe !== null) === mixture)
    .map(({ point, input, model }) => {
      const sizes = captureSizes({
        ...vllmDefaults(input),
        version: exactVersion(input.version),
        computeCapability: input.device.computeCapability,
      }).length;
      return (point.cudagraph_gib as number) / (model.layers / input.pipelineParallel) / (sizes / 51);
    });
  return round(median(perLayer) ?? Number.NaN);
}

/** A measured band that lacks one kind of point takes that constant from the newest measured band. */
function mended(own: BandConstants, newest: BandConstants): BandConstants {
  const or = (value: number, other: number): number => (Number.isNaN(value) ? other : value);
  return {
    ...own,
    forwardFactor: or(own.forwardFactor, newest.forwardFactor),
    cudaGraphGibPerLayer: {
      dense: or(own.cudaGraphGibPerLayer.dense, newest.cudaGraphGibPerLayer.dense),
      mixture: or(own.cudaGraphGibPerLayer.mixture, newest.cudaGraphGibPerLayer.mixture),
    },
  };
}

function carried(band: MemoryBand, newest: BandConstants): BandConstants {
  const samplerBytes = samplerBytesRead[`${band.runner} ${band.id}`];
  if (samplerBytes === undefined) throw new Error(`no sampler bytes for band ${band.id} of ${band.runner}`);
  return {
    ...newest,
    band: band.id,
    runner: band.runner,
    measured: false,
    carriedFrom: `${newest.runner} ${newest.band}`,
    samplerBytes,
    fittedPoints: [],
    heldOutPoints: [],
  };
}

function withErrors(
  band: BandConstants,
  calibration: MemoryCalibration,
  points: readonly UsablePoint[],
): BandConstants {
  const errors = points
    .filter(({ point }) => band.heldOutPoints.includes(point.id))
    .flatMap((point) => errorPercent(point, calibration) ?? [])
    .map(Math.abs);
  const middle = median(errors);
  return {
    ...band,
    medianErrorPercent: middle === null ? null : round(middle),
    worstErrorPercent: errors.length === 0 ? null : round(Math.max(...errors)),
  };
}

/** Signed error of the tokens, or of the available memory where no tokens were logged. */
export function errorPercent(point: UsablePoint, calibration: MemoryCalibration): number | null {
  const result = vllmMemoryWith(point.input, calibration);
  if (!result.supported) return null;
  const { kv_cache_tokens: tokens, available_kv_gib: available } = point.point;
  if (tokens !== null) return (result.kvCache.tokens / tokens - 1) * 100;
  return available === null ? null : (result.memory.availableKvGib / available - 1) * 100;
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.POSITIVE_INFINITY : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
