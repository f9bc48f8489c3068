import {
  artefactModelIds,
  findArtefacts,
  findModel,
  type ModelFacts,
  modelAliases,
  modelIds,
  nearest,
  type Precision,
} from "@capstan/catalog";
import { modelFromConfig } from "../../model/hub-config/index.ts";
import { nativePrecision } from "../../model/precision.ts";
import { isQuantised } from "../memory/precision.ts";
import type { Problems } from "./fit-error.ts";
import { dtypeOf, precisionNamed, quantizationOf } from "./precision.ts";
import type { FitQuery } from "./types.ts";

export interface FitModel {
  readonly facts: ModelFacts;
  readonly precision: Precision;
  /** The precision was left to the checkpoint and the engine. */
  readonly automatic: boolean;
  readonly notes: readonly string[];
}

interface Named {
  readonly facts: ModelFacts;
  /** What the checkpoint is in. */
  readonly stored: Precision;
  readonly notes: readonly string[];
}

/** Null: the problems say why. */
export function fitModel(query: FitQuery, problems: Problems): FitModel | null {
  const named = query.modelConfig ? described(query, problems) : catalogued(query, problems);
  const computed = dtypeOf(query.dtype, problems);
  const stored = named !== null && isQuantised(named.stored) ? named.stored : null;
  // Also without a model: a name that nobody knows is told along with the rest.
  const given = quantizationOf(query.quantization, named === null ? "bf16" : stored, problems);
  if (named === null) return null;
  const asked = given ?? stored ?? computed ?? unquantised(named);
  const precision = computed !== null && !isQuantised(asked) ? computed : asked;
  if (computed === "fp32" && isQuantised(precision)) {
    problems.add("dtype", query.dtype, `quantised weights (${precision}) are computed in 16 bits; leave it out`);
  }
  return {
    facts: withDtype(named.facts, computed),
    precision,
    automatic: given === null && computed === null,
    notes: named.notes,
  };
}

/** Engines run a float32 checkpoint of a generative model in 16 bits unless told otherwise. */
function unquantised({ facts, stored }: Named): Precision {
  return stored === "fp32" && facts.generative ? "bf16" : stored;
}

/** Quantised weights are computed in the type asked for. */
function withDtype(facts: ModelFacts, computed: Precision | null): ModelFacts {
  if (computed === null) return facts;
  return { ...facts, dtype: computed === "fp16" ? "float16" : computed === "fp32" ? "float32" : "bfloat16" };
}

function described(query: FitQuery, problems: Problems): Named | null {
  const id = query.model ?? nameIn(query.modelConfig) ?? "model of config.json";
  if (query.parameters && query.weightsGib) {
    problems.add("weightsGib", query.weightsGib, "says the same as parameters; give one of them");
    return null;
  }
  const result = modelFromConfig(query.modelConfig, {
    id,
    parameters: query.parameters ?? undefined,
    weightsGib: query.weightsGib ?? undefined,
    precision: quantizationName(query),
  });
  if (!result.supported) {
    problems.say("modelConfig", id, result.reason);
    return null;
  }
  const notes = [...result.notes];
  if (result.parametersBasis !== "computed")
    notes.push(`${result.facts.parameters.total} parameters, ${result.parametersBasis}`);
  return { facts: result.facts, stored: result.precision, notes };
}

/** A precision that replaces what the file says; a name that is wrong or means "as stored" replaces nothing. */
function quantizationName(query: FitQuery): Precision | undefined {
  const named = query.quantization ? precisionNamed(query.quantization) : undefined;
  return named === "stored" ? undefined : named;
}

function nameIn(config: FitQuery["modelConfig"]): string | null {
  const name = config?._name_or_path;
  return typeof name === "string" && name !== "" ? name : null;
}

function catalogued(query: FitQuery, problems: Problems): Named | null {
  for (const key of ["parameters", "weightsGib"] as const) {
    if (query[key]) problems.add(key, query[key], "goes with modelConfig; the catalog has the sizes of its own models");
  }
  const id = query.model;
  if (id === undefined || id === null) {
    problems.add("model", undefined, "name a model of the catalog, or give modelConfig");
    return null;
  }
  const facts = findModel(id) ?? findModel(spelled(id, [...modelIds, ...modelAliases]));
  if (facts !== undefined) return { facts, stored: nativePrecision(facts), notes: [] };
  const copy = quantisedCopy(id);
  if (copy !== null) return copy;
  const near = nearest(id, [...modelIds, ...modelAliases]);
  const known = (artefactModelIds as readonly string[]).includes(id)
    ? "the catalog knows where its weights are, not its architecture"
    : "not a model of the catalog";
  problems.add(
    "model",
    id,
    `${known}${near === undefined ? "" : `; did you mean "${near}"?`} Any other model is described by modelConfig, its config.json`,
  );
  return null;
}

/** The hub takes ids in any case. */
function spelled(id: string, known: readonly string[]): string {
  return known.find((each) => each.toLowerCase() === id.toLowerCase()) ?? id;
}

/** A repository that holds a catalog model in another precision. */
function quantisedCopy(id: string): Named | null {
  for (const model of [...modelIds, ...modelAliases]) {
    const artefact = findArtefacts({ model, engine: "vllm" }).find(
      (each) => each.repository.toLowerCase() === id.toLowerCase(),
    );
    const facts = artefact === undefined ? undefined : findModel(model);
    if (artefact !== undefined && facts !== undefined) {
      return {
        facts,
        stored: artefact.precision,
        notes: [`${artefact.repository} is ${model} in ${artefact.precision}`],
      };
    }
  }
  return null;
}
