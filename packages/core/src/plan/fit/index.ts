export { answerQuery, fit } from "./fit.ts";
export { FitError, type FitProblem } from "./fit-error.ts";
export { queryKeys } from "./query.ts";
export { rankFits } from "./rank.ts";
export type {
  FitAnswer,
  FitCost,
  FitMemory,
  FitObjective,
  FitOption,
  FitQuery,
  FitRanking,
  FitRemedy,
  FitResolved,
  FitThroughput,
} from "./types.ts";
