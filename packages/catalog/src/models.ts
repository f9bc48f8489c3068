import type { ModelFacts } from "./facts.ts";
import { lazy, once } from "./load.ts";

interface ModelRecord extends ModelFacts {
  /** Models of the same architecture, each with what differs. */
  readonly aliases: readonly (Partial<ModelFacts> & { readonly id: string })[];
}

const document = lazy<{ readonly models: readonly ModelRecord[] }>("models");

const byId = once(() => new Map<string, ModelFacts>(document().models.flatMap(entries)));

/** Facts of a model by its hub id; an alias gives the record of its architecture under its own id. */
export function findModel(id: string): ModelFacts | undefined {
  return byId().get(id);
}

function entries({ aliases, ...facts }: ModelRecord): [string, ModelFacts][] {
  return [facts, ...aliases.map((alias) => ({ ...facts, ...alias }))].map((model) => [model.id, Object.freeze(model)]);
}
