import type { Family, MultimodalFamily } from "./families/family.ts";
import { multimodalFamilies } from "./families/multimodal.ts";
import { isRecord } from "./reader.ts";
import { decoderFamilies, entry } from "./registry.ts";

/**
 * Why `auto_map` keeps a model from being planned; null: it does not. A repository with modelling code of its own may
 * compute anything under any name, so it is refused, unless publishers of that architecture are known to ship one file
 * with the very class that engines implement too.
 */
export function remoteCode(architecture: string, config: Readonly<Record<string, unknown>>): string | null {
  const map = config.auto_map;
  if (!isRecord(map) || Object.keys(map).length === 0) return null;
  const family = entry(decoderFamilies, architecture) ?? entry(multimodalFamilies, architecture);
  if (family?.shipsCode !== undefined && isPublishersFile(architecture, family, map)) return null;
  const shown = map.AutoModelForCausalLM ?? Object.values(map)[0];
  return `auto_map runs code of the repository (${JSON.stringify(shown)}) that was not read, so the attention of the model is not known; where it has the tensors of a known architecture, remove auto_map and name that one in "architectures"`;
}

/** Every model class is of one file, and one of them is the architecture. */
function isPublishersFile(
  architecture: string,
  family: Family | MultimodalFamily,
  map: Readonly<Record<string, unknown>>,
): boolean {
  const classes = Object.entries(map)
    .filter(([key]) => key.startsWith("AutoModel"))
    .map(([, value]) => (typeof value === "string" ? value.split(".") : []));
  const files = new Set(classes.map((parts) => parts.slice(0, -1).join(".")));
  const expected = typeof family.shipsCode === "string" ? family.shipsCode : architecture;
  return files.size === 1 && classes.some((parts) => parts.at(-1) === expected);
}
