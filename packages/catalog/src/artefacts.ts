import type { ArtefactEngine, ArtefactFacts, Precision } from "./facts.ts";
import { lazy, once } from "./load.ts";

export interface ArtefactQuery {
  /** Hub id of the model whose weights are wanted. */
  readonly model: string;
  readonly engine: ArtefactEngine;
  /** @default every precision */
  readonly precision?: Precision;
}

const document = lazy<{ readonly artefacts: readonly ArtefactFacts[] }>("artefacts");

const byModel = once(() => {
  const grouped = new Map<string, ArtefactFacts[]>();
  for (const artefact of document().artefacts) {
    const known = grouped.get(artefact.model);
    if (known === undefined) grouped.set(artefact.model, [artefact]);
    else known.push(artefact);
  }
  return grouped;
});

/** Published repositories that serve the model on the engine, by precision, the one to take first; empty: none is known. */
export function findArtefacts({ model, engine, precision }: ArtefactQuery): readonly ArtefactFacts[] {
  return (byModel().get(model) ?? []).filter(
    (artefact) => artefact.engine === engine && (precision === undefined || artefact.precision === precision),
  );
}
