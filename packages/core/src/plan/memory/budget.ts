import { activationPeak } from "./activation.ts";
import { type MemoryBand, memoryBand } from "./bands.ts";
import type { BandConstants, MemoryCalibration } from "./calibration-types.ts";
import { cudaGraphs } from "./cuda-graphs.ts";
import { type VllmDefaults, vllmDefaults } from "./defaults.ts";
import { type EngineVersion, exactVersion } from "./engine-version.ts";
import type { StageMemory } from "./kv-capacity.ts";
import { nonTorch } from "./non-torch.ts";
import type { VllmMemoryInput } from "./types.ts";
import { gibToBytes } from "./units.ts";
import { type StageWeights, weightBytesPerRank } from "./weights.ts";

/** Streaming multiprocessors of the H100 that the calibration ran on. */
const calibratedMultiprocessors = 132;
/** Runner V2's tables of output counts (4 B) and prompt bits, per sequence and vocabulary entry. */
export const samplerTableBytes = 4.125;

export interface Situation {
  readonly input: VllmMemoryInput;
  readonly version: EngineVersion;
  readonly band: MemoryBand;
  readonly constants: BandConstants;
  readonly defaults: VllmDefaults;
  readonly utilisation: number;
}

/** Memory of one stage's GPU, bytes. */
export interface StageBudget {
  readonly weights: StageWeights;
  readonly weightBytes: number;
  readonly activation: { readonly bytes: number; readonly how: string };
  readonly nonTorch: { readonly bytes: number; readonly how: string };
  readonly graphs: { readonly bytes: number; readonly how: string };
  readonly tableBytes: number;
  /** Taken by this version without being counted. */
  readonly outsideBytes: number;
  readonly memory: StageMemory;
}

export function situationOf(input: VllmMemoryInput, constants: MemoryCalibration): Situation {
  const version = exactVersion(input.version);
  const defaults = vllmDefaults(input);
  const band = memoryBand(version, defaults.runner) as MemoryBand;
  const found = constants.bands.find((each) => each.band === band.id && each.runner === band.runner);
  if (found === undefined) throw new Error(`no calibration for band ${band.id} of runner ${band.runner}`);
  const utilisation = input.gpuMemoryUtilization ?? defaults.gpuMemoryUtilization;
  return { input, version, band, constants: found, defaults, utilisation };
}

export function requestedBytes({ input, utilisation }: Situation): number {
  return Math.ceil(gibToBytes(input.device.totalGib) * utilisation);
}

export function stageBudgets(situation: Situation): readonly StageBudget[] {
  const { input, version, band, constants, defaults } = situation;
  return weightBytesPerRank({ ...input, version }).map((weights): StageBudget => {
    const { stage } = weights;
    const weightBytes = input.weightsGibOverride === undefined ? weights.bytes : gibToBytes(input.weightsGibOverride);
    const activation = activationPeak({
      ...defaults,
      model: input.model,
      precision: input.precision,
      version,
      stage,
      tensorParallel: input.tensorParallel,
      streamingMultiprocessors: input.device.streamingMultiprocessors ?? calibratedMultiprocessors,
      band,
      constants,
    });
    const other = nonTorch(constants, input.tensorParallel, input.pipelineParallel);
    const graphs = cudaGraphs({
      ...defaults,
      model: input.model,
      version,
      computeCapability: input.device.computeCapability,
      layers: stage.layers,
      enforceEager: input.enforceEager ?? false,
      constants,
    });
    const tableBytes =
      band.samplerTables !== "none" && stage.last ? samplerTableBytes * defaults.maxNumSeqs * input.model.vocabSize : 0;
    const counted =
      weightBytes +
      activation.bytes +
      other.bytes +
      (band.samplerTables === "counted" ? tableBytes : 0) +
      (band.graphsSubtracted ? graphs.bytes : 0);
    return {
      weights,
      weightBytes,
      activation,
      nonTorch: other,
      graphs,
      tableBytes,
      outsideBytes: (band.samplerTables === "outside" ? tableBytes : 0) + (band.graphsSubtracted ? 0 : graphs.bytes),
      memory: {
        stage,
        availableBytes: input.kvCacheMemoryBytes ?? Math.floor(requestedBytes(situation) - counted),
      },
    };
  });
}

/**
 * More than the device has. A fixed KV size or number of blocks is not checked by the engine against anything, and graphs that a version
 * does not count come on top of its budget; both end in an out-of-memory error.
 */
export function overflows(situation: Situation, budget: StageBudget, blockBytes: number, spareGib: number): boolean {
  const { input } = situation;
  const total = gibToBytes(input.device.totalGib);
  const blocks = input.numGpuBlocksOverride;
  const kvBytes = blocks === undefined ? input.kvCacheMemoryBytes : blocks * blockBytes;
  if (kvBytes === undefined) return requestedBytes(situation) + budget.outsideBytes > total;
  const everything =
    budget.weightBytes +
    budget.activation.bytes +
    budget.nonTorch.bytes +
    budget.tableBytes +
    budget.graphs.bytes +
    kvBytes;
  return everything > total + gibToBytes(spareGib);
}
