import { answerOf, memoryOf } from "./answer.ts";
import { fitCase } from "./case.ts";
import { parseQuery } from "./query.ts";
import { rankFits } from "./rank.ts";
import { remediesOf } from "./remedies.ts";
import type { FitAnswer, FitQuery, FitRanking } from "./types.ts";

/**
 * Does the model fit, how many tokens and requests, how fast, at what price, on one GPU or instance type; and what would
 * help. Pure: the same query gives the same answer.
 *
 * @throws FitError with everything that is wrong with the query
 */
export function fit(query: FitQuery): FitAnswer {
  const of = fitCase(query);
  const judged = { of, memory: memoryOf(of) };
  return answerOf(judged, remediesOf(judged));
}

/** The answer to a query as it came: on its target, or the ranking of all targets where it names none. */
export function answerQuery(query: unknown): FitAnswer | FitRanking {
  const parsed = parseQuery(query);
  return parsed.gpu || parsed.instanceType ? fit(parsed) : rankFits(parsed);
}
