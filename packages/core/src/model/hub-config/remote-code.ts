import { multimodalFamilies } from "./families/multimodal.ts";
import { isRecord } from "./reader.ts";
import { decoderFamilies, entry } from "./registry.ts";

/**
 * Why `auto_map` keeps a model from being planned; null: it does not. A repository with modelling code of its own may
 * compute anything under any name, so it is refused, unless publishers of that architecture are known to ship the code
 * of the very class that engines implement too.
 */
export function remoteCode(architecture: string, config: Readonly<Record<string, unknown>>): string | null {
  const map = config["auto_map"];
  if (!isRecord(map) || Object.keys(map).length === 0) return null;
  const family = entry(decoderFamilies, architecture) ?? entry(multimodalFamilies, architecture);
  const models = Object.entries(map).filter(([key]) => key.startsWith("AutoModel"));
  const foreign = models.find(([, value]) => !namesClass(value, architecture));
  if (family?.shipsCode === true && models.every(([key, value]) => harmless(key, value, architecture))) return null;
  const shown = foreign?.[1] ?? models[0]?.[1] ?? Object.values(map)[0];
  return `auto_map runs code of the repository (${JSON.stringify(shown)}) that was not read, so its attention is not known; where the model has the tensors of an architecture of the library, remove auto_map and name that architecture`;
}

/** The class that is served, or another of the same modelling file: a bare model, a classifier. */
function harmless(key: string, value: unknown, architecture: string): boolean {
  if (key === "AutoModelForCausalLM") return namesClass(value, architecture);
  return typeof value === "string";
}

function namesClass(value: unknown, architecture: string): boolean {
  const text = Array.isArray(value) ? value[0] : value;
  return typeof text === "string" && text.split(".").at(-1) === architecture;
}
