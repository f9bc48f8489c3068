import { findArtefacts, findInstance, type GpuModel, gpu, gpuInstanceTypes, onDemandPrice } from "@capstan/catalog";
import { type VllmMemory, type VllmMemoryInput, type VllmMemoryResult, vllmMemory } from "../../plan/memory/index.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { vllmMemoryInput } from "../../service/vllm-fit.ts";
import { indivisibleBy } from "./divisible.ts";
import { capabilityNumber, computeCapability, given, usableFacts } from "./subject.ts";

const SMALLER_BATCHES = [512, 256, 128, 64, 32];
const SPLITS = [2, 4, 8];
/** A shorter context than this is no answer to anybody. */
const SHORTEST_CONTEXT = 1024;
/** Weights that people take in place of 16 bits, the least loss first. */
const SMALLER_PRECISIONS = ["fp8", "int8", "w4a16", "awq", "gptq", "nvfp4"] as const;
/** Other weights of nearly the same size are another model for nothing. */
const WORTHWHILE = 0.9;
const FP8_FROM = 8.9;
/** What kernel, kubelet and agents leave of a host's memory, about. */
const FOR_PODS = 0.85;
const PRICE_ORDER_REGION = "us-east-1";
const MOST_REMEDIES = 4;

/** One change, as it is written, and what it allows. */
interface Change {
  readonly write: string;
  readonly result: VllmMemory;
  /** Serves without a shorter context. */
  readonly asAsked: boolean;
}

/**
 * Changes that make a service fit, the cheapest first: context and batch cost nothing, then KV cache and weights in
 * fewer bits, then more GPUs, then other ones. Each is tried on the memory model; what does not help is not named.
 *
 * @param surely only what fits with all of the uncertainty against it
 */
export function fitRemedies(service: ResolvedVllm, memory: VllmMemory, surely = false): string {
  const input = vllmMemoryInput(service);
  if (input === null) return "take a smaller model, or a GPU with more memory";
  const trial: Trial = { service, input, memory, surely };
  const found = [
    ...best(ownCache(trial)),
    ...shorterContext(trial),
    ...best(smallerBatches(trial)),
    ...best(fp8Cache(trial)),
    ...best(smallerWeights(trial)),
    ...best(moreGpus(trial)),
    ...best(otherGpus(trial)),
  ];
  return found.length > 0 ? found.slice(0, MOST_REMEDIES).join("; or ") : "take a smaller model";
}

interface Trial {
  readonly service: ResolvedVllm;
  readonly input: VllmMemoryInput;
  readonly memory: VllmMemory;
  readonly surely: boolean;
}

/** A fixed KV cache may be the whole mistake; on a shared card there has to be one. */
function ownCache(trial: Trial): Change[] {
  const { service, input } = trial;
  if (!given(service, "kvCacheBytes") || service.slot.sharedBy > 1) return [];
  return tried(trial, { ...input, kvCacheMemoryBytes: undefined }, "what the engine finds free: leave kvCacheGib out");
}

function shorterContext({ input, memory, surely }: Trial): string[] {
  if (input.maxModelLen === "auto") return [];
  for (let length = round(memory.longestContextTokens); length >= SHORTEST_CONTEXT; length = round(length / 2)) {
    if (length >= memory.resolved.maxModelLen) continue;
    if (serves(vllmMemory({ ...input, maxModelLen: length }), surely)) return [`use maxModelLen ${length} or less`];
  }
  return [];
}

/** Down to a multiple of 1024: 32704 becomes 31744. */
function round(tokens: number): number {
  return Math.floor(tokens / SHORTEST_CONTEXT) * SHORTEST_CONTEXT;
}

function smallerBatches(trial: Trial): Change[] {
  return SMALLER_BATCHES.filter((size) => size < trial.memory.resolved.maxNumSeqs).flatMap((maxNumSeqs) =>
    tried(trial, { ...trial.input, maxNumSeqs }, `maxNumSeqs ${maxNumSeqs}`),
  );
}

function fp8Cache(trial: Trial): Change[] {
  const capability = computeCapability(trial.service);
  if (trial.service.kvCacheDtype !== "auto" || capability === null || capability < FP8_FROM) return [];
  return tried(trial, { ...trial.input, kvCacheDtype: "fp8" }, 'kvCacheDtype "fp8"');
}

function smallerWeights(trial: Trial): Change[] {
  const { service, input, memory } = trial;
  const capability = computeCapability(service);
  const published = findArtefacts({ model: service.model.id, engine: "vllm" });
  return SMALLER_PRECISIONS.flatMap((precision) => {
    const artefact = published.find((a) => a.precision === precision && a.confidence === "read");
    const least = capabilityNumber(artefact?.minComputeCapability);
    if (!artefact || (least !== null && capability !== null && capability < least)) return [];
    const changes = tried(trial, { ...input, precision }, `precision "${precision}" (${artefact.repository})`);
    return changes.filter(({ result }) => result.memory.weightsGib < memory.memory.weightsGib * WORTHWHILE);
  });
}

/** More ranks on the pool's nodes, else on the smallest type that has enough of the same GPU. */
function moreGpus(trial: Trial): Change[] {
  const { service, input } = trial;
  const facts = usableFacts(service);
  if (!facts || service.slot.migProfile !== null || service.slot.sharedBy > 1) return [];
  return SPLITS.filter((size) => size > service.tensorParallel && indivisibleBy(facts, size) === null).flatMap(
    (tensorParallel) => {
      const gpus = tensorParallel * service.pipelineParallel;
      const type = gpus <= service.slot.slotsPerNode ? null : typesWith(service, gpus).get(service.slot.gpu);
      if (type === undefined) return [];
      const change = { ...input, tensorParallel, device: { ...input.device, gpusPerReplica: gpus } };
      return tried(trial, change, type === null ? `gpus ${gpus}` : `gpus ${gpus} on a pool of ${type}`);
    },
  );
}

/** Whole GPUs of EC2 with more memory than the pod gets now, by the price of the type. */
function otherGpus(trial: Trial): Change[] {
  const { service, input } = trial;
  const now = service.slot.memoryGib ?? input.device.totalGib;
  const larger = [...typesWith(service, service.gpus)]
    .map(([model, type]) => ({ facts: gpu(model), type }))
    .filter(({ facts }) => (facts.memoryGib ?? 0) > now);
  larger.sort((a, b) => hourly(a.type) - hourly(b.type));
  return larger.flatMap(({ facts, type }) => {
    const device = {
      totalGib: facts.memoryGib ?? 0,
      computeCapability: facts.computeCapability,
      isA100: facts.id.startsWith("a100"),
      gpusPerReplica: service.gpus,
    };
    const change: VllmMemoryInput = {
      ...input,
      device,
      // A share of a card, and a KV cache that was sized for one, mean nothing on a whole one.
      ...(service.slot.sharedBy > 1 ? { gpuMemoryUtilization: undefined, kvCacheMemoryBytes: undefined } : {}),
    };
    return tried(trial, change, `a pool of whole ${facts.id.toUpperCase()} (${type})`);
  });
}

/** The cheapest type of each GPU that has that many of them and the host memory that the pod asks for. */
function typesWith(service: ResolvedVllm, gpus: number): ReadonlyMap<GpuModel, string> {
  const cheapest = new Map<GpuModel, string>();
  for (const type of gpuInstanceTypes) {
    const facts = findInstance(type);
    if (!facts?.gpu || facts.gpu.count < gpus || facts.gpuAmiFamilies.length === 0) continue;
    if (facts.memoryMib * FOR_PODS < service.resources.memoryMib) continue;
    const known = cheapest.get(facts.gpu.model);
    if (known === undefined || hourly(type) < hourly(known)) cheapest.set(facts.gpu.model, type);
  }
  return cheapest;
}

/** For the order only: the same types are cheap in every region. */
function hourly(instanceType: string): number {
  return onDemandPrice(instanceType, PRICE_ORDER_REGION)?.usdPerHour ?? Number.POSITIVE_INFINITY;
}

/** A change that serves; where only a shorter context would, it says so. */
function tried({ surely }: Trial, input: VllmMemoryInput, write: string): Change[] {
  const result = vllmMemory(input);
  if (!result.supported) return [];
  if (serves(result, surely)) return [{ write, result, asAsked: true }];
  if (surely || result.longestContextTokens < SHORTEST_CONTEXT) return [];
  return [{ write: `${write} with maxModelLen ${round(result.longestContextTokens)} or less`, result, asAsked: false }];
}

function serves(result: VllmMemoryResult, surely: boolean): boolean {
  return result.supported && result.verdict === "serves" && (!surely || result.verdictRange.pessimistic === "serves");
}

/** The first change that serves as asked, else the first that serves less. */
function best(changes: readonly Change[]): string[] {
  const change = changes.find(({ asAsked }) => asAsked) ?? changes[0];
  return change ? [`use ${change.write}`] : [];
}
