import {
  findArtefacts,
  findInstance,
  gpu as gpuFacts,
  gpuInstanceTypes,
  type InstanceFacts,
  type Precision,
} from "@capstan/catalog";
import type { VllmMemory } from "../memory/index.ts";
import { isQuantised } from "../memory/precision.ts";
import { answerOf, type Judged, memoryOf } from "./answer.ts";
import { fitCase } from "./case.ts";
import { fitEngine } from "./engine.ts";
import { FitError, Problems } from "./fit-error.ts";
import { deviceGib, gpusOf } from "./hardware.ts";
import { type FitModel, fitModel } from "./model.ts";
import { splitProblem } from "./parallel.ts";
import { runsFast } from "./precision.ts";
import { parseQuery } from "./query.ts";
import { fitRegion } from "./region.ts";
import { remediesOf } from "./remedies.ts";
import type { FitOption, FitQuery, FitRanking } from "./types.ts";

const degrees = [1, 2, 4, 8] as const;
/** Keys that say where to run: without a target there is nothing they could mean. */
const placing = ["mig", "shared", "gpus", "pipelineParallel", "totalGpuMemoryGib"] as const;

/**
 * Every EC2 type with a GPU, each of its MIG slices and tensor-parallel degrees, in every published precision: the
 * cheapest that serves and meets the objective first. Of types where nothing serves, what comes nearest; of the dearest
 * of those that are cheaper than the winner, what would make it fit.
 *
 * @throws FitError with everything that is wrong with the query
 */
export function rankFits(query: FitQuery): FitRanking {
  const parsed = parseQuery(query);
  const { model } = checked(parsed);
  const notRanked: { instanceType: string; reason: string }[] = [];
  const judged = new Map<string, VllmMemory | null>();
  const options = gpuInstanceTypes.flatMap((type) => {
    const instance = findInstance(type);
    if (instance?.gpu === undefined || instance.gpu === null) return [];
    if (deviceGib(gpuFacts(instance.gpu.model), null, instance) === null) {
      notRanked.push({ instanceType: type, reason: `the memory of ${instance.gpu.model} was not read` });
      return [];
    }
    const found = waysOn(instance, parsed, model).flatMap((way) => optionOf(way, judged) ?? []);
    const serving = found.filter(({ memory }) => memory.verdict === "serves");
    return serving.length > 0 ? serving : nearestTo(found);
  });
  const ranked = options.map((each) => asOption(each, [])).sort(compareOptions);
  const first = ranked[0];
  const cheapest = first !== undefined && isGood(first) && first.cost.usdPerHour !== null ? 0 : null;
  return { schemaVersion: 1, query: parsed, options: withRemedies(ranked, options, cheapest), cheapest, notRanked };
}

function checked(query: FitQuery): { readonly model: FitModel } {
  const problems = new Problems();
  for (const key of placing) {
    if (query[key]) problems.add(key, query[key], "needs gpu or instanceType beside it");
  }
  const engine = fitEngine(query.engine, problems);
  if (engine?.name === "tensorrt-llm") {
    problems.add(
      "engine",
      query.engine,
      "its memory is not known, so targets cannot be ranked; give gpu or instanceType for its speed",
    );
  }
  fitRegion(query.region, problems);
  const model = fitModel(query, problems);
  if (model !== null && query.tensorParallel) {
    const problem = splitProblem(model.facts, query.tensorParallel);
    if (problem !== null) problems.add("tensorParallel", query.tensorParallel, problem);
  }
  problems.throwIfAny();
  if (model === null) throw new Error("the model is missing without a problem");
  // The rest of the checks does not depend on the target; any GPU that runs everything shows what is wrong.
  memoryOf(fitCase({ ...query, gpu: "b200" }));
  return { model };
}

interface Way {
  readonly instance: InstanceFacts;
  readonly query: FitQuery;
  /** Ways with the same key have the same memory. */
  readonly key: string;
}

function waysOn(instance: InstanceFacts, query: FitQuery, model: FitModel): readonly Way[] {
  const gpu = gpuFacts(instance.gpu?.model ?? "l4");
  const count = gpusOf(instance);
  const precisions = precisionsOf(query, model, gpu.computeCapability);
  const splits = (query.tensorParallel ? [query.tensorParallel] : degrees).filter(
    (degree) => degree <= count && splitProblem(model.facts, degree) === null,
  );
  const slices = (gpu.mig?.profiles ?? []).filter(
    (each) => !each.profile.includes("+") && each.memorySlices < (gpu.mig?.memorySlices ?? 0),
  );
  const fraction = instance.gpu?.fractionMib ?? 0;
  return precisions.flatMap(({ precision, automatic }) => {
    const own: FitQuery = { ...query, instanceType: instance.type, ...(automatic ? {} : { quantization: precision }) };
    const whole = splits.map((tensorParallel) => ({
      instance,
      query: { ...own, tensorParallel },
      key: `${gpu.id} ${fraction} ${tensorParallel} ${precision}`,
    }));
    if ((query.tensorParallel ?? 1) > 1) return whole;
    const parts = slices.map((slice) => ({
      instance,
      query: { ...own, mig: slice.profile },
      key: `${gpu.id} ${slice.profile} ${precision}`,
    }));
    return [...whole, ...parts];
  });
}

interface PrecisionChoice {
  readonly precision: Precision;
  /** The checkpoint's own: left out of the query, so that older GPUs fall back to float16. */
  readonly automatic: boolean;
}

/** Formats of one width differ little in memory and speed: one of each is enough. */
const widths: readonly (readonly Precision[])[] = [["fp8", "int8"], ["w4a16", "awq", "gptq"], ["nvfp4"]];

function precisionsOf(query: FitQuery, model: FitModel, computeCapability: string): readonly PrecisionChoice[] {
  const own = { precision: model.precision, automatic: true };
  if (query.quantization || query.dtype || isQuantised(model.precision)) return [own];
  const published = findArtefacts({ model: model.facts.id, engine: "vllm" }).filter(
    (each) => each.confidence === "read" && runsFast(each, computeCapability),
  );
  const narrower = widths.flatMap(
    (width) => width.find((precision) => published.some((each) => each.precision === precision)) ?? [],
  );
  return [own, ...narrower.map((precision) => ({ precision, automatic: false }))];
}

/** Null: the model cannot be split or run that way. */
function optionOf(way: Way, known: Map<string, VllmMemory | null>): Judged | null {
  try {
    const of = fitCase(way.query);
    const memory = known.get(way.key) ?? memoryOf(of);
    known.set(way.key, memory);
    return { of, memory };
  } catch (error) {
    if (error instanceof FitError) return null;
    throw error;
  }
}

/** Of ways that all fail, the one that gets furthest. */
function nearestTo(found: readonly Judged[]): readonly Judged[] {
  const order = { serves: 2, "cannot-serve-one-request": 1, "does-not-load": 0 } as const;
  const best = [...found].sort(
    (a, b) =>
      order[b.memory.verdict] - order[a.memory.verdict] ||
      b.memory.longestContextTokens - a.memory.longestContextTokens ||
      b.memory.memory.availableKvGib - a.memory.memory.availableKvGib,
  )[0];
  return best === undefined ? [] : [best];
}

function asOption(judged: Judged, remedies: FitOption["remedies"]): FitOption {
  const { hardware, parallel, model, query } = judged.of;
  return {
    ...answerOf(judged, remedies),
    instanceType: query.instanceType ?? "",
    mig: hardware.mig?.profile ?? null,
    tensorParallel: parallel.tensorParallel,
    precision: model.precision,
  };
}

function isGood(option: FitOption): boolean {
  return option.verdict === "serves" && (option.objective === null || option.objective.met);
}

/** Good ones first, then by what the instance costs, then by what a million tokens do; without a price last. */
function compareOptions(a: FitOption, b: FitOption): number {
  return (
    Number(isGood(b)) - Number(isGood(a)) ||
    Number(b.verdict === "serves") - Number(a.verdict === "serves") ||
    compare(a.cost.usdPerHour, b.cost.usdPerHour) ||
    compare(tokenPrice(a), tokenPrice(b)) ||
    (name(a) < name(b) ? -1 : 1)
  );
}

function tokenPrice(option: FitOption): number | null {
  if (option.objective?.met) return option.objective.usdPerMillionOutputTokens;
  return option.cost.usdPerMillionOutputTokens?.expected ?? null;
}

function compare(a: number | null, b: number | null): number {
  if (a === b) return 0;
  return (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY);
}

function name(option: FitOption): string {
  return `${option.instanceType} ${option.mig ?? ""} ${option.tensorParallel} ${option.precision}`;
}

/** What would make the dearest of the failing types that are cheaper than the winner fit. */
function withRemedies(
  ranked: readonly FitOption[],
  judged: readonly Judged[],
  cheapest: number | null,
): readonly FitOption[] {
  const limit =
    cheapest === null ? Number.POSITIVE_INFINITY : (ranked[cheapest]?.cost.usdPerHour ?? Number.POSITIVE_INFINITY);
  const cheaper = ranked
    .filter((each) => each.verdict !== "serves" && each.cost.usdPerHour !== null && each.cost.usdPerHour < limit)
    .sort((a, b) => (b.cost.usdPerHour ?? 0) - (a.cost.usdPerHour ?? 0))[0];
  const source = judged.find(({ of }) => cheaper !== undefined && of.query === cheaper.query);
  if (cheaper === undefined || source === undefined) return ranked;
  return ranked.map((each) => (each === cheaper ? { ...each, remedies: remediesOf(source) } : each));
}
