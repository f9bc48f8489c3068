/**
 * Where a resolved value came from, and the value: a reader asks for `cpus`, which the resolved object keeps among the
 * resources of a container, in millicores.
 */
export type Origin = { readonly value: unknown } & (
  | { readonly from: "given" }
  | { readonly from: "default"; readonly why: string }
  | { readonly from: "derived"; readonly of: readonly string[]; readonly why: string }
);

/** Origins by path inside the resolved object (`size.min`, `tensorParallel`). */
export type Origins = Readonly<Record<string, Origin>>;

/** Fills defaults and remembers for each value whether it was given, a default, or derived from other values. */
export class OriginLog {
  readonly #origins: Record<string, Origin> = {};

  /** The given value, or the default. */
  orDefault<T>(path: string, given: T | undefined, value: T, why: string): T {
    if (given !== undefined) return this.given(path, given);
    this.#origins[path] = { from: "default", value, why };
    return value;
  }

  /** The given value, or one computed from other values. */
  orDerived<T>(path: string, given: T | undefined, derive: () => T, of: readonly string[], why: string): T {
    if (given !== undefined) return this.given(path, given);
    return this.derived(path, derive(), of, why);
  }

  given<T>(path: string, value: T): T {
    this.#origins[path] = { from: "given", value };
    return value;
  }

  derived<T>(path: string, value: T, of: readonly string[], why: string): T {
    this.#origins[path] = { from: "derived", value, of, why };
    return value;
  }

  done(): Origins {
    return Object.freeze({ ...this.#origins });
  }
}
