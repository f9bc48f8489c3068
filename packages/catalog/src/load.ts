import { readFileSync } from "node:fs";
import type { Provenance } from "./facts.ts";

export type DataFile =
  | "artefacts"
  | "charts"
  | "eks"
  | "engines"
  | "gpus"
  | "instances"
  | "metrics"
  | "models"
  | "prices"
  | "quotas"
  | "tools"
  | "vllm-versions";

/**
 * Reads a data file on first use, so that importing the catalog costs nothing.
 * `data/` is a sibling of both `src/` and `dist/`. The shape is checked by a test, not here.
 */
export function lazy<T extends object>(name: DataFile): () => T & Provenance {
  let loaded: (T & Provenance) | undefined;
  return () => {
    loaded ??= deepFreeze(JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8")));
    return loaded as T & Provenance;
  };
}

/** Builds something from loaded facts once, on first use. */
export function once<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

export function provenanceOf({ asOf, sources }: Provenance): Provenance {
  return { asOf, sources };
}

/** Facts are shared by every caller: nobody may change them for the others. */
function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object") {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
