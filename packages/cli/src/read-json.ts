import { readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/** A JSON file that the user named; what is wrong with it is one message with its path. */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`);
  }
}

/** Texts are matched first, so that what stands inside them is left alone. */
const TEXT_OR_NO_NUMBER = /"(?:\\.|[^"\\])*"|-?\bInfinity\b|\bNaN\b/g;

/** Python writes `Infinity` and `NaN`, and some config.json files have them; no field that is read here may be either. */
function parse(text: string): unknown {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return JSON.parse(bare);
  } catch (error) {
    const patched = bare.replace(TEXT_OR_NO_NUMBER, (found) => (found.startsWith('"') ? found : "null"));
    if (patched === bare) throw error;
    return JSON.parse(patched);
  }
}
