import type { VllmMemory } from "../memory/index.ts";
import { memoryOf } from "./answer.ts";
import { fitCase } from "./case.ts";
import { FitError } from "./fit-error.ts";
import type { FitQuery } from "./types.ts";

/** One change that may help, and what it costs. */
export interface Candidate {
  readonly change: string;
  readonly query: FitQuery;
  readonly why: string;
  /** Buys hardware or takes something from the user: offered only where the model does not serve as asked. */
  readonly onlyIfFailing: boolean;
}

/** Null: the change is not possible with this model and GPU. */
export function attempt(query: FitQuery): VllmMemory | null {
  try {
    return memoryOf(fitCase(query));
  } catch (error) {
    if (error instanceof FitError) return null;
    throw error;
  }
}
