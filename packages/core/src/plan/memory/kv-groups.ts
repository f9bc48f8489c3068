import type { ModelFacts } from "@capstan/catalog";
import { atLeast, type EngineVersion } from "./engine-version.ts";
import type { PipelineStage } from "./stages.ts";
import { ceilDiv } from "./units.ts";

export type AttentionKind = "full" | "sliding" | "chunked";

/** Layers that share block tables. All groups take blocks from one pool. */
export interface KvGroup {
  readonly kind: AttentionKind;
  /** Tokens of the window or chunk; null for full attention. */
  readonly window: number | null;
  /** Indices of the layers. Fewer than the widest group's where padding layers fill up. */
  readonly layers: readonly number[];
}

/** What each layer is to the KV cache manager. */
export function layerKinds(model: ModelFacts, version: EngineVersion): readonly AttentionKind[] {
  if (model.layerTypes === null) {
    // A window without layer types holds for all layers (Phi-3, the first Mistral).
    const kind: AttentionKind = model.slidingWindow === null ? "full" : "sliding";
    return Array.from({ length: model.layers }, () => kind);
  }
  // Chunked attention switched the hybrid manager off until late 2025 (vllm pull request 29627): all layers counted full.
  const hybridChunks = atLeast(version, "0.13.0");
  if (!hybridChunks && model.layerTypes.includes("chunked")) return model.layerTypes.map(() => "full");
  return model.layerTypes;
}

/**
 * Groups of layers with equal block needs (facts/serving.md B5): a group has as many layers as the rarest kind, or as
 * the commonest when that has less than half as many again; each kind is cut into groups of that size.
 */
export function kvGroups(model: ModelFacts, version: EngineVersion): readonly KvGroup[] {
  const buckets = new Map<AttentionKind, number[]>();
  layerKinds(model, version).forEach((kind, layer) => {
    buckets.set(kind, [...(buckets.get(kind) ?? []), layer]);
  });
  const sizes = [...buckets.values()].map((layers) => layers.length);
  const smallest = Math.min(...sizes);
  const largest = Math.max(...sizes);
  const groupSize = largest < 1.5 * smallest ? largest : smallest;
  const groups: KvGroup[] = [];
  for (const [kind, layers] of buckets) {
    const count = ceilDiv(layers.length, groupSize);
    // Every count-th layer, so that each pipeline stage gets its part of every group.
    for (let first = 0; first < count; first++) {
      groups.push({
        kind,
        window: kind === "full" ? null : model.slidingWindow,
        layers: layers.filter((_, position) => position % count === first),
      });
    }
  }
  return groups;
}

/** Layers of the widest group on a stage: what one block costs is one page for each of them. */
export function groupWidth(groups: readonly KvGroup[], stage: Pick<PipelineStage, "start" | "end">): number {
  return Math.max(
    0,
    ...groups.map((group) => group.layers.filter((layer) => layer >= stage.start && layer < stage.end).length),
  );
}

export interface RequestShape {
  readonly maxModelLen: number;
  readonly maxNumBatchedTokens: number;
  readonly blockSize: number;
  /** Steps that may be in flight at once; see `concurrentBatches`. */
  readonly batches: number;
}

/** Blocks that one request of maxModelLen tokens may hold, over all groups (facts/vllm-by-version.md 2.6). */
export function blocksPerRequest(groups: readonly KvGroup[], shape: RequestShape): number {
  return groups.reduce((sum, group) => sum + groupBlocks(group, shape), 0);
}

function groupBlocks(group: KvGroup, shape: RequestShape): number {
  const { maxModelLen, blockSize } = shape;
  const inFlight = shape.batches * shape.maxNumBatchedTokens;
  switch (group.kind) {
    case "full":
      return ceilDiv(maxModelLen, blockSize);
    case "sliding":
      // One block more than the tokens need: a window may start in the middle of a block.
      return ceilDiv(Math.min((group.window ?? 0) - 1 + inFlight, maxModelLen), blockSize) + 1;
    case "chunked":
      return ceilDiv(Math.min((group.window ?? 0) + inFlight, maxModelLen), blockSize);
  }
}

/** Counted since 0.26: asynchronous scheduling keeps steps in flight, which sliding windows have to make room for. */
export function concurrentBatches(version: EngineVersion, runner: "v1" | "v2", pipelineParallel: number): number {
  if (!atLeast(version, "0.26.0")) return 1;
  if (runner === "v2") return pipelineParallel + 1;
  return pipelineParallel === 1 ? 2 : pipelineParallel;
}
