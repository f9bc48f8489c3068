/** One line of the table. */
export interface Line {
  readonly what: string;
  readonly measured: string;
  readonly limit?: string;
  /** Left out where there is no limit. */
  readonly good?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error("a median of nothing");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
