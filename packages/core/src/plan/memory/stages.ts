/** A pipeline stage and the layers it holds, `[start, end)`. */
export interface PipelineStage {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly layers: number;
  readonly first: boolean;
  readonly last: boolean;
}

/**
 * How vLLM spreads layers over stages. Left-over layers go one each to the stages before the last, counted from the
 * back, because the last stage has the output head and the sampler to carry.
 */
export function pipelineStages(layers: number, pipelineParallel: number): readonly PipelineStage[] {
  const base = Math.floor(layers / pipelineParallel);
  const counts = Array.from({ length: pipelineParallel }, () => base);
  const left = layers - base * pipelineParallel;
  for (let i = 0; i < left; i++) {
    const stage = pipelineParallel - 2 - i;
    const at = stage >= 0 ? stage : pipelineParallel - 1;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  let start = 0;
  return counts.map((count, index) => {
    const stage = {
      index,
      start,
      end: start + count,
      layers: count,
      first: index === 0,
      last: index === pipelineParallel - 1,
    };
    start += count;
    return stage;
  });
}
