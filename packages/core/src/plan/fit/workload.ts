import type { FitQuery } from "./types.ts";

/** A chat turn, where the query does not say. */
const usual = { promptTokens: 1024, outputTokens: 256 } as const;

export interface Workload {
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** What was not given, for the notes; null: all was. */
  readonly assumed: string | null;
}

/** Lengths of a request; those that were not given are cut to the context. */
export function workloadOf(query: FitQuery, maxModelLen: number): Workload {
  const outputTokens =
    query.outputTokens ??
    Math.max(
      1,
      Math.min(
        usual.outputTokens,
        Math.floor((maxModelLen - (query.promptTokens ?? 0)) / (query.promptTokens ? 1 : 4)),
      ),
    );
  const promptTokens = query.promptTokens ?? Math.max(1, Math.min(usual.promptTokens, maxModelLen - outputTokens));
  const missing = [
    query.promptTokens ? null : `${promptTokens} prompt tokens`,
    query.outputTokens ? null : `${outputTokens} output tokens`,
  ].filter((each) => each !== null);
  return {
    promptTokens,
    outputTokens,
    assumed: missing.length > 0 ? `speed and cost for ${missing.join(" and ")} a request, which were not given` : null,
  };
}
