import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import {
  bytesPerBlock,
  type KvPool,
  kvBlocks,
  loggedTokens,
  longestLength,
  maxConcurrency,
  requestBlocks,
  verdictOf,
} from "./kv-capacity.ts";
import { kvGroups } from "./kv-groups.ts";
import { pipelineStages } from "./stages.ts";
import { model } from "./testing/cases.ts";
import { GIB, MIB } from "./units.ts";

function pool(id: string, version: string, rest: Partial<KvPool> = {}): KvPool {
  return {
    version: exactVersion(version),
    groups: kvGroups(model(id), exactVersion(version)),
    bytesPerTokenPerLayer: 4096,
    blockSize: 16,
    maxNumBatchedTokens: 8192,
    batches: 1,
    numGpuBlocksOverride: null,
    ...rest,
  };
}

const llama = "meta-llama/Llama-3.1-8B-Instruct";
const [whole] = pipelineStages(32, 1);
const stage = whole as NonNullable<typeof whole>;

test("a block of Llama-3.1-8B is 2 MiB, and 61.66 GiB hold 31,569 of them", () => {
  const of = pool(llama, "0.19.0");
  expect(bytesPerBlock(of, stage)).toBe(2 * MIB);
  // 61.66 x 512 = 31,569.92.
  expect(kvBlocks(of, [{ stage, availableBytes: 61.66 * GIB }]).blocks).toBe(31_569);
});

test("a block of Gemma 3 27B is a page in each of ten layers", () => {
  const gemma = pool("google/gemma-3-27b-it", "0.19.0", { bytesPerTokenPerLayer: 8192 });
  expect(bytesPerBlock(gemma, { start: 0, end: 62 })).toBe(1.25 * MIB);
});

test("the pipeline gets the blocks of its poorest stage", () => {
  const of = pool(llama, "0.19.0");
  const [first, second] = pipelineStages(32, 2);
  const stages = [
    { stage: first as typeof stage, availableBytes: 3 * GIB },
    { stage: second as typeof stage, availableBytes: 2 * GIB },
  ];
  const kv = kvBlocks(of, stages);
  // 16 layers a stage: 1 MiB a block.
  expect(kv.blocks).toBe(2048);
  expect(kv.limiting).toBe(stages[1]);
});

test("both ways of logging the tokens", () => {
  // One group, 512 blocks a request of 8192: 7,891 x 16 either way, as a 0.19.0 start logged it.
  expect(loggedTokens(pool(llama, "0.19.0"), 7891, 8192)).toBe(126_256);
  expect(loggedTokens(pool(llama, "0.20.2"), 7891, 8192)).toBe(126_256);
  // Two groups, 513 + 512 blocks a request: 1000 // 2 x 16, or 1000 x 8192 / 1025 = 7992.2.
  expect(loggedTokens(pool("google/gemma-2-2b-it", "0.20.1"), 1000, 8192)).toBe(8000);
  expect(loggedTokens(pool("google/gemma-2-2b-it", "0.20.2"), 1000, 8192)).toBe(7992);
  expect(maxConcurrency(pool("google/gemma-2-2b-it", "0.20.2"), 1025, 8192)).toBe(1);
});

test("from 0.29 one block is held back: what just fitted fails", () => {
  const kv = (blocks: number) => ({
    blocks,
    limiting: { stage, availableBytes: blocks * 2 * MIB },
    bytesPerBlock: 2 * MIB,
  });
  expect(requestBlocks(pool(llama, "0.28.0"), 8192)).toBe(512);
  expect(verdictOf(pool(llama, "0.28.0"), kv(512), 8192)).toBe("serves");
  expect(verdictOf(pool(llama, "0.28.0"), kv(511), 8192)).toBe("cannot-serve-one-request");
  expect(verdictOf(pool(llama, "0.29.0"), kv(512), 8192)).toBe("cannot-serve-one-request");
  expect(verdictOf(pool(llama, "0.29.0"), kv(513), 8192)).toBe("serves");
  expect(verdictOf(pool(llama, "0.28.0"), { ...kv(0), limiting: { stage, availableBytes: -1 } }, 1)).toBe(
    "does-not-load",
  );
});

test("the longest length that one request can have", () => {
  expect(longestLength(pool(llama, "0.28.0"), 512, 131_072)).toBe(8192);
  expect(longestLength(pool(llama, "0.29.0"), 512, 131_072)).toBe(8176);
  expect(longestLength(pool(llama, "0.28.0"), 512, 4096)).toBe(4096);
  expect(longestLength(pool(llama, "0.28.0"), 0, 131_072)).toBe(0);
});
