import { distance } from "fastest-levenshtein";

/** Fewer letters than these are the beginning of too much. */
const SHORTEST_PREFIX = 3;

/**
 * The known value that was probably meant, or undefined when nothing is near. A beginning is the best sign (`h100` for
 * `h100-80`); else more than a third of the letters wrong is another word, not a slip.
 */
export function nearest(value: string, known: readonly string[]): string | undefined {
  const wanted = value.toLowerCase();
  if (wanted.length >= SHORTEST_PREFIX) {
    const begun = known.filter((candidate) => candidate.toLowerCase().startsWith(wanted));
    if (begun.length > 0) return begun.reduce((best, candidate) => (candidate.length < best.length ? candidate : best));
  }
  let best: { readonly value: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(wanted, candidate.toLowerCase());
    if (best === undefined || edits < best.edits) best = { value: candidate, edits };
  }
  if (best === undefined) return undefined;
  return best.edits <= Math.max(1, Math.floor(Math.max(wanted.length, best.value.length) / 3)) ? best.value : undefined;
}
