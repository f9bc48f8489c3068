import { findVllm, knownMetrics, latestVllm, nearest } from "@capstan/catalog";

/** Prefixes of what the serving pods and the GPUs under them export: gone when the last pod and its node are. */
const OWN_PREFIXES = ["vllm:", "te_", "nv_", "ovms_", "DCGM_FI_", "DCGM_EXP_"];
const GPU_UTILISATION = /^DCGM_FI_(DEV_(GPU|MEM_COPY|ENC|DEC)_UTIL|PROF_)/;
const SUFFIXES = /_(total|bucket|sum|count|created)$/;

/** True for a metric that exists only while pods of the service run. */
export function isOwnMetric(name: string): boolean {
  return OWN_PREFIXES.some((prefix) => name.startsWith(prefix)) && !survivesZeroPods(name);
}

function survivesZeroPods(name: string): boolean {
  return (
    knownMetrics().gateways.survivesZeroPods.includes(name.replace(SUFFIXES, "")) ||
    knownMetrics().gateways.survivesZeroPods.includes(name)
  );
}

/** How busy a GPU is, which says nothing about how many requests wait for it. */
export function isGpuUtilisation(name: string): boolean {
  return GPU_UTILISATION.test(name);
}

/**
 * What is wrong with a metric of an exporter that the catalog has read: nobody exports it, or only with a configuration
 * of one's own. Null for right ones and for metrics of others.
 *
 * @param vllmVersion release that the service runs; null: the newest that was read
 */
export function metricProblem(
  name: string,
  vllmVersion: string | null,
): { readonly problem: string; readonly use: string | null } | null {
  const wrong = knownMetrics().wrong.find((known) => known.name === name);
  const facts = findVllm(vllmVersion ?? latestVllm);
  const base = name.replace(SUFFIXES, "");
  if (name.startsWith("vllm:")) {
    if (facts === undefined || survivesZeroPods(name) || facts.metrics.has(name) || facts.metrics.has(base))
      return null;
    return {
      problem: `vLLM ${facts.version} has no metric ${name}`,
      use: wrong?.use ?? nearest(base, [...facts.metrics.keys()]) ?? null,
    };
  }
  if (wrong) return { problem: `no exporter has a metric ${name}`, use: wrong.use };
  const { dcgm, engines } = knownMetrics();
  if (name.startsWith("DCGM_")) {
    if (dcgm.on.includes(name)) return null;
    if (dcgm.off.includes(name))
      return { problem: `${name} is not exported unless the exporter gets a list of its own`, use: null };
    return { problem: `dcgm-exporter has no metric ${name}`, use: nearest(name, dcgm.on) ?? null };
  }
  for (const [engine, prefix] of [
    ["tei", "te_"],
    ["triton", "nv_"],
    ["ovms", "ovms_"],
  ] as const) {
    if (!name.startsWith(prefix) || engines[engine].includes(name) || engines[engine].includes(base)) continue;
    return { problem: `no metric ${name} of ${engine} is known`, use: nearest(base, engines[engine]) ?? null };
  }
  return null;
}
