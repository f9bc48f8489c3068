import type { ServingEngine } from "./facts.ts";
import { lazy, once } from "./load.ts";
import type { EngineFacts } from "./platform-facts.ts";

const document = lazy<{ readonly engines: readonly EngineFacts[] }>("engines");

const byName = once(() => new Map(document().engines.map((facts) => [facts.engine, facts])));

/** Image, ports, probes and queue metric of a serving engine. */
export function engine(name: ServingEngine): EngineFacts {
  return byName().get(name)!;
}
