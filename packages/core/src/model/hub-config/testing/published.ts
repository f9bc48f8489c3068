import { readFileSync } from "node:fs";
import type { HubModel, HubModelOptions } from "../index.ts";
import { modelFromConfig } from "../index.ts";

export interface PublishedConfig {
  readonly id: string;
  /** Null: no total of this model was at hand; its test does the arithmetic by hand. */
  readonly parameters: number | null;
  readonly basis: string | null;
  readonly config: Readonly<Record<string, unknown>>;
}

const file = new URL("published-configs.json", import.meta.url);

export const publishedConfigs = (
  JSON.parse(readFileSync(file, "utf8")) as { readonly models: readonly PublishedConfig[] }
).models;

export function publishedConfig(id: string): Readonly<Record<string, unknown>> {
  const found = publishedConfigs.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no config of ${id}`);
  return found.config;
}

export function read(config: unknown, options: Partial<HubModelOptions> = {}): HubModel {
  const result = modelFromConfig(config, { id: "a/model", ...options });
  if (!result.supported) throw new Error(result.reason);
  return result;
}

export function refusalOf(config: unknown, options: Partial<HubModelOptions> = {}): string {
  const result = modelFromConfig(config, { id: "a/model", ...options });
  if (result.supported) throw new Error("was not refused");
  return result.reason;
}
