import { arithmeticOf, memoryOf } from "./arithmetic.ts";
import { overflows, type Situation, type StageBudget, situationOf, stageBudgets } from "./budget.ts";
import { calibration } from "./calibration.ts";
import type { MemoryCalibration } from "./calibration-types.ts";
import {
  bytesPerBlock,
  type KvBlocks,
  type KvPool,
  kvBlocks,
  loggedTokens,
  longestLength,
  maxConcurrency,
  requestBlocks,
  verdictOf,
} from "./kv-capacity.ts";
import { concurrentBatches, kvGroups } from "./kv-groups.ts";
import { kvBytesPerTokenPerLayer } from "./kv-pages.ts";
import { computeDtype } from "./precision.ts";
import type { VllmMemoryInput, VllmMemoryResult, VllmVerdict } from "./types.ts";
import { uncertaintyGib } from "./uncertainty.ts";
import { bytesToGib, GIB } from "./units.ts";
import { describeUnsupported } from "./unsupported.ts";

/**
 * What a vLLM start would log about memory, without starting it: the budget of each GPU, the KV blocks and tokens as
 * exact integers, whether one request of maxModelLen tokens can be served, and the longest length that can.
 */
export function vllmMemory(input: VllmMemoryInput): VllmMemoryResult {
  return vllmMemoryWith(input, calibration);
}

/** The same with constants of one's own: how the calibration tests itself. */
export function vllmMemoryWith(input: VllmMemoryInput, constants: MemoryCalibration): VllmMemoryResult {
  const unsupported = describeUnsupported(input);
  if (unsupported !== null) return unsupported;
  const situation = situationOf(input, constants);
  const pool = kvPool(situation);
  const budgets = stageBudgets(situation);
  const kv = kvBlocks(
    pool,
    budgets.map((budget) => budget.memory),
  );
  const limiting = budgets.find((budget) => budget.memory === kv.limiting) as StageBudget;
  const limit = Math.max(
    input.model.maxPositionEmbeddings,
    typeof input.maxModelLen === "number" ? input.maxModelLen : 0,
  );
  const overflow = (gib: number): boolean =>
    budgets.some((budget) => overflows(situation, budget, bytesPerBlock(pool, budget.memory.stage), gib));
  const longest = overflow(0) ? 0 : longestLength(pool, kv.blocks, limit);
  const maxModelLen = lengthOf(input, longest);
  const uncertainty = uncertaintyOf(situation, limiting);
  const shifted = (gib: number): KvBlocks => shiftedBlocks(situation, pool, budgets, gib);
  const low = shifted(-uncertainty.gib);
  const high = shifted(uncertainty.gib);
  const judge = (blocks: KvBlocks, gib: number): VllmVerdict =>
    overflow(gib) ? "does-not-load" : verdictAt(input, pool, blocks, maxModelLen);
  return {
    supported: true,
    verdict: judge(kv, 0),
    verdictRange: { pessimistic: judge(low, -uncertainty.gib), optimistic: judge(high, uncertainty.gib) },
    memory: memoryOf(situation, limiting, uncertainty.gib),
    kvCache: {
      blockSize: pool.blockSize,
      bytesPerBlock: kv.bytesPerBlock,
      blocks: kv.blocks,
      tokens: loggedTokens(pool, kv.blocks, maxModelLen),
      tokensRange: {
        low: loggedTokens(pool, low.blocks, maxModelLen),
        high: loggedTokens(pool, high.blocks, maxModelLen),
      },
      maxConcurrency: maxConcurrency(pool, kv.blocks, maxModelLen),
      blocksPerRequest: requestBlocks(pool, maxModelLen),
    },
    resolved: {
      maxModelLen,
      maxNumSeqs: situation.defaults.maxNumSeqs,
      maxNumBatchedTokens: situation.defaults.maxNumBatchedTokens,
      gpuMemoryUtilization: situation.utilisation,
      prefixCaching: input.prefixCaching ?? true,
      runner: situation.band.runner,
    },
    calibration: {
      band: situation.band.id,
      runner: situation.band.runner,
      extrapolated: !situation.constants.measured,
      medianErrorPercent: situation.constants.medianErrorPercent,
    },
    longestContextTokens: longest,
    arithmetic: arithmeticOf(situation, limiting, uncertainty),
  };
}

function kvPool({ input, version, band, defaults }: Situation): KvPool {
  const compute = computeDtype(input.model, input.precision);
  return {
    version,
    groups: kvGroups(input.model, version),
    bytesPerTokenPerLayer: kvBytesPerTokenPerLayer(input.model, input.kvCacheDtype, input.tensorParallel, compute),
    blockSize: input.blockSize ?? defaults.blockSize,
    maxNumBatchedTokens: defaults.maxNumBatchedTokens,
    batches: concurrentBatches(version, band.runner, input.pipelineParallel),
    numGpuBlocksOverride: input.numGpuBlocksOverride ?? null,
  };
}

function shiftedBlocks(situation: Situation, pool: KvPool, budgets: readonly StageBudget[], gib: number): KvBlocks {
  // A fixed KV size is what it is; the uncertainty is whether the rest leaves room for it.
  const shift = situation.input.kvCacheMemoryBytes === undefined ? gib * GIB : 0;
  return kvBlocks(
    pool,
    budgets.map(({ memory }) => ({ ...memory, availableBytes: memory.availableBytes + shift })),
  );
}

function lengthOf(input: VllmMemoryInput, longest: number): number {
  if (input.maxModelLen === "auto") return Math.max(1, longest);
  return input.maxModelLen ?? input.model.maxPositionEmbeddings;
}

/** `auto` lowers the length until one request fits, so it fails only where not even one token does. */
function verdictAt(input: VllmMemoryInput, pool: KvPool, kv: KvBlocks, maxModelLen: number): VllmVerdict {
  return verdictOf(pool, kv, input.maxModelLen === "auto" ? 1 : maxModelLen);
}

function uncertaintyOf(situation: Situation, budget: StageBudget): { readonly gib: number; readonly how: string } {
  const { input, band, constants } = situation;
  return uncertaintyGib({
    model: input.model,
    band,
    measured: constants.measured,
    tensorParallel: input.tensorParallel,
    pipelineParallel: input.pipelineParallel,
    cudaGraphGib: bytesToGib(budget.graphs.bytes),
    nonTorchGib: bytesToGib(budget.nonTorch.bytes),
  });
}
