import { nearest } from "@capstan/catalog";

/** What is wrong with one key of a query. */
export interface FitProblem {
  readonly key: string;
  /** As given; undefined: it is missing. */
  readonly value: unknown;
  /** Names key and value, what is valid, and the nearest valid value where there is one. */
  readonly message: string;
}

/** A query that cannot be answered, with everything that is wrong with it. */
export class FitError extends Error {
  override readonly name = "FitError";
  readonly problems: readonly FitProblem[];

  constructor(problems: readonly FitProblem[]) {
    super(problems.map((problem) => problem.message).join("\n"));
    this.problems = problems;
  }
}

/** Collects problems so that all are told at once. */
export class Problems {
  readonly #found: FitProblem[] = [];

  add(key: string, value: unknown, what: string): void {
    const got = value === undefined ? "is missing" : `is ${shown(value)}`;
    this.#found.push({ key, value, message: `${key} ${got}: ${what}` });
  }

  /** A sentence of its own about a key. */
  say(key: string, value: unknown, sentence: string): void {
    this.#found.push({ key, value, message: `${key}: ${sentence}` });
  }

  /** A value that is not one of the known ones. */
  unknown(key: string, value: string, known: readonly string[], kind: string): void {
    const near = nearest(value, known);
    const some =
      known.length > MOST_SHOWN
        ? `${known.slice(0, MOST_SHOWN).join(", ")} and ${known.length - MOST_SHOWN} more`
        : known.join(", ");
    this.add(key, value, `not ${kind}${near === undefined ? "" : `; did you mean "${near}"?`} Known: ${some}`);
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw new FitError(this.#found);
  }
}

const MOST_SHOWN = 16;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
