export { modelFromConfig } from "./model-from-config.ts";
export { knownArchitectures } from "./registry.ts";
export type { HubModel, HubModelOptions, HubModelResult } from "./types.ts";
