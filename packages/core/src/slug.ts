import { LABEL_VALUE } from "./labels.ts";

/**
 * A hub id as a label value and directory name, the way the hub's own cache spells it: `meta-llama/Llama-3.1-8B` becomes
 * `meta-llama--Llama-3.1-8B`. What does not fit a label (other characters, over 63) is cut and gets a hash of the whole
 * id, so that two ids never share a name.
 */
export function slug(id: string): string {
  const plain = id.replaceAll("/", "--");
  // An id that has the separator itself could meet another id's slug.
  if (LABEL_VALUE.test(plain) && plain !== "" && !id.includes("--")) return plain;
  const safe = plain.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return `${safe.slice(0, 56).replace(/[^A-Za-z0-9]+$/, "") || "model"}-${hash(id)}`;
}

/** FNV-1a, 24 bits in hex: tells the models of a platform apart, and is the same on every machine. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value ^= text.charCodeAt(i);
    value = Math.imul(value, 0x01000193);
  }
  return (value >>> 8).toString(16).padStart(6, "0");
}
