import { answerQuery } from "../fit.ts";
import { FitError } from "../fit-error.ts";

/** What is wrong with a query, key by key; empty: it is answered. */
export function problemsOf(query: unknown): Readonly<Record<string, string>> {
  try {
    answerQuery(query);
  } catch (error) {
    if (error instanceof FitError) return Object.fromEntries(error.problems.map(({ key, message }) => [key, message]));
    throw error;
  }
  return {};
}
