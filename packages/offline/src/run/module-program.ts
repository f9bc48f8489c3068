import { pathToFileURL } from "node:url";

/** Runs a program that is an ES module as Pulumi's own runner does; what it exports, or its function returns, are the outputs. */
export async function runModule(file: string): Promise<unknown> {
  const exports = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  if (!Object.hasOwn(exports, "default")) return exports;
  if (Object.keys(exports).length > 1)
    throw new Error(`${file} has a default export and named exports: Pulumi takes either as outputs, not both`);
  const main = exports.default;
  return typeof main === "function" ? main() : main;
}
