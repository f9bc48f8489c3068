import type { ModelFacts, Precision } from "@capstan/catalog";
import { defaultUtilisation } from "../plan/memory/defaults.ts";
import { parseEngineVersion, type VllmMemoryInput, type VllmMemoryResult, vllmMemory } from "../plan/memory/index.ts";
import { linearBytesPerParameter } from "../plan/memory/precision.ts";
import { GIB } from "../plan/memory/units.ts";
import type { ResolvedPool, SlotOffer } from "../pool/resolved.ts";
import type { OriginLog } from "../provenance.ts";
import type { Traffic } from "./common-props.ts";
import type { ResolvedModel, ResolvedVllm } from "./resolved.ts";
import { impossibleFacts } from "./vllm-model-facts.ts";
import type { VllmProps } from "./vllm-props.ts";

/** What the engines of one card may claim together; the rest is graphs, NCCL and the other processes' contexts. */
const SHARED_CARD_SHARE = 0.9;
/** Block sizes and alignment never need a finer step. */
const KV_STEP_BYTES = 64 * 2 ** 20;
const MOST_IN_FLIGHT = 64;

/** What is served on what: all that memory depends on beside the engine's own settings. */
interface Placement {
  readonly pool: ResolvedPool;
  readonly slot: SlotOffer;
  readonly version: string;
  readonly precision: Precision;
  readonly model: ResolvedModel;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly gpus: number;
}

export interface FitInput extends Placement {
  readonly props: VllmProps;
  readonly origins: OriginLog;
}

export interface VllmFit {
  readonly memory: VllmMemoryResult | null;
  readonly maxModelLen: number | "auto" | null;
  readonly gpuMemoryUtilization: number;
  readonly kvCacheDtype: string;
  readonly kvCacheBytes: number | null;
}

/** Memory, context length and shares of the device. On a shared card the KV size is fixed here: engines that start together profile each other. */
export function vllmFit(input: FitInput): VllmFit {
  const { props, slot, model, origins } = input;
  const maxModelLen = origins.orDerived(
    "maxModelLen",
    props.maxModelLen,
    () => model.facts?.maxPositionEmbeddings ?? null,
    ["model"],
    "the model's own maximum",
  );
  const kvCacheDtype = origins.orDefault("kvCacheDtype", props.kvCacheDtype, "auto", "the type of the model's weights");
  const share = measure(input, {
    maxModelLen,
    kvCacheDtype,
    utilization: sharedUtilization(input),
    kvCacheBytes: undefined,
  });
  const gpuMemoryUtilization = origins.orDerived(
    "gpuMemoryUtilization",
    props.gpuMemoryUtilization,
    () => sharedUtilization(input) ?? engineUtilization(input.version, share),
    ["engineVersion", "pool.sharing"],
    slot.sharedBy > 1 ? `${SHARED_CARD_SHARE} of the card for ${slot.sharedBy} engines` : "the engine version's own",
  );
  const kvCacheBytes = origins.orDerived(
    "kvCacheBytes",
    props.kvCacheGib === undefined ? undefined : Math.floor((props.kvCacheGib * GIB) / KV_STEP_BYTES) * KV_STEP_BYTES,
    () => (slot.sharedBy > 1 ? plannedKvBytes(share) : null),
    ["pool.sharing", "memory"],
    slot.sharedBy > 1
      ? "what the plan leaves of the share: the engine cannot measure it beside others"
      : "left to the engine's profiling",
  );
  const memory =
    kvCacheBytes === null
      ? share
      : measure(input, { maxModelLen, kvCacheDtype, utilization: gpuMemoryUtilization, kvCacheBytes });
  return { memory, maxModelLen, gpuMemoryUtilization, kvCacheDtype, kvCacheBytes };
}

function sharedUtilization(input: FitInput): number | undefined {
  if (input.props.gpuMemoryUtilization !== undefined) return input.props.gpuMemoryUtilization;
  if (input.slot.sharedBy <= 1) return undefined;
  return Math.floor((SHARED_CARD_SHARE / input.slot.sharedBy) * 100) / 100;
}

/** What the version fills in itself, said aloud so that plan and engine read the same number. */
function engineUtilization(version: string, memory: VllmMemoryResult | null): number {
  if (memory?.supported) return memory.resolved.gpuMemoryUtilization;
  const parsed = parseEngineVersion(version);
  return parsed ? defaultUtilisation(parsed) : 0.9;
}

function plannedKvBytes(memory: VllmMemoryResult | null): number | null {
  if (!memory?.supported) return null;
  const sure = memory.memory.availableKvGib - memory.memory.outsideBudgetGib;
  const bytes = Math.floor((sure * GIB) / KV_STEP_BYTES) * KV_STEP_BYTES;
  return bytes > 0 ? bytes : null;
}

interface Measure {
  readonly maxModelLen: number | "auto" | null;
  readonly kvCacheDtype: string;
  readonly utilization: number | undefined;
  readonly kvCacheBytes: number | undefined;
}

function measure(input: FitInput, values: Measure): VllmMemoryResult | null {
  const { props } = input;
  const memory = memoryInput({
    ...input,
    ...values,
    maxNumSeqs: props.maxNumSeqs,
    maxNumBatchedTokens: props.maxNumBatchedTokens,
    enforceEager: props.enforceEager,
    prefixCaching: props.prefixCaching,
  });
  return memory === null ? null : vllmMemory(memory);
}

/**
 * What the memory figures of a resolved service come from, so that a change to it can be tried; null: facts are missing
 * or a number is absurd. Values that the engine fills in stay open, since it fills them in after the change too.
 */
export function vllmMemoryInput(service: ResolvedVllm): VllmMemoryInput | null {
  const given = (path: string): boolean => service.origins[path]?.from === "given";
  return memoryInput({
    ...service,
    version: service.engineVersion,
    utilization: service.gpuMemoryUtilization,
    kvCacheBytes: service.kvCacheBytes ?? undefined,
    maxNumSeqs: given("maxNumSeqs") ? (service.maxNumSeqs ?? undefined) : undefined,
    maxNumBatchedTokens: given("maxNumBatchedTokens") ? (service.maxNumBatchedTokens ?? undefined) : undefined,
    prefixCaching: service.prefixCaching ?? undefined,
  });
}

interface MemoryValues extends Measure, Placement {
  readonly maxNumSeqs: number | undefined;
  readonly maxNumBatchedTokens: number | undefined;
  readonly enforceEager: boolean | undefined;
  readonly prefixCaching: boolean | undefined;
}

function memoryInput(values: MemoryValues): VllmMemoryInput | null {
  const { pool, slot, model } = values;
  if (!model.facts || slot.deviceMemoryGib === null || !isSane(model.facts, values)) return null;
  return {
    model: model.facts,
    version: values.version,
    device: {
      totalGib: slot.deviceMemoryGib,
      computeCapability: pool.gpu?.computeCapability ?? "",
      isA100: pool.gpu?.model.startsWith("a100") ?? false,
      gpusPerReplica: values.gpus,
    },
    precision: values.precision,
    kvCacheDtype: values.kvCacheDtype,
    tensorParallel: values.tensorParallel,
    pipelineParallel: values.pipelineParallel,
    gpuMemoryUtilization: values.utilization,
    maxModelLen: values.maxModelLen ?? undefined,
    maxNumSeqs: values.maxNumSeqs,
    maxNumBatchedTokens: values.maxNumBatchedTokens,
    enforceEager: values.enforceEager,
    kvCacheMemoryBytes: values.kvCacheBytes,
    prefixCaching: values.prefixCaching,
  };
}

/** Absurd values have rules of their own; arithmetic on them would only add noise. */
function isSane(facts: ModelFacts, values: MemoryValues): boolean {
  if (impossibleFacts(facts).length > 0 || !Number.isFinite(linearBytesPerParameter(values.precision))) return false;
  const whole = [
    values.tensorParallel,
    values.pipelineParallel,
    values.gpus,
    values.maxNumSeqs,
    values.maxNumBatchedTokens,
    values.kvCacheBytes,
    values.maxModelLen === "auto" ? undefined : (values.maxModelLen ?? undefined),
  ];
  if (whole.some((n) => n !== undefined && !(Number.isSafeInteger(n) && n > 0))) return false;
  return values.utilization === undefined || (values.utilization > 0 && values.utilization <= 1);
}

/** Half of the requests that fit at the expected length: room for a burst while a replica starts. */
export function defaultQueueTarget(memory: VllmMemoryResult | null, traffic: Traffic | undefined): number {
  if (!memory?.supported) return 1;
  const { tokens } = memory.kvCache;
  const length = traffic ? Math.max(1, traffic.promptTokens + traffic.outputTokens) : memory.resolved.maxModelLen;
  const fitting = Math.min(tokens / Math.max(1, length), memory.resolved.maxNumSeqs);
  return Math.max(1, Math.min(MOST_IN_FLIGHT, Math.floor(fitting / 2)));
}
