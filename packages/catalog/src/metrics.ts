import { lazy, once, provenanceOf } from "./load.ts";
import type { KnownMetrics } from "./platform-facts.ts";

const document = lazy<Omit<KnownMetrics, "provenance">>("metrics");

/** Metric names of exporters, CPU engines and gateways; vLLM's are with its versions. */
export const knownMetrics: () => KnownMetrics = once(() =>
  Object.freeze({ ...document(), provenance: provenanceOf(document()) }),
);
