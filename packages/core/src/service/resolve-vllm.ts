import { engine, findVllm, latestVllm, nearest, type Precision, vllmVersions } from "@capstan/catalog";
import { MODEL_MOUNT, resolveCache } from "../cache/resolve.ts";
import type { ResolveContext } from "../context.ts";
import type { Finding } from "../finding.ts";
import { deepFreeze } from "../freeze.ts";
import { nativePrecision } from "../model/precision.ts";
import { modelFacts, resolveModel } from "../model/resolve.ts";
import { coldStart } from "../plan/cold-start.ts";
import type { VllmMemoryResult } from "../plan/memory/index.ts";
import { GIB } from "../plan/memory/units.ts";
import type { ResolvedPool, SlotOffer } from "../pool/resolved.ts";
import { OriginLog } from "../provenance.ts";
import { resolveScaling } from "../scaling/resolve.ts";
import { shapeFindings } from "../shape.ts";
import { commonValues, refsOf, sourceOf, weightsOf } from "./common-values.ts";
import { imageIdentity, imageReference, resolveImage, serviceMetrics } from "./image.ts";
import {
  resolveDisruption,
  resolveDrain,
  resolveProbes,
  resolveRollout,
  resolveSpread,
  startupSeconds,
} from "./lifecycle.ts";
import { serviceNaming } from "./naming.ts";
import type { ResolvedModel, ResolvedSource, ResolvedVllm } from "./resolved.ts";
import { vllmShape } from "./shape.ts";
import { vllmArguments } from "./vllm-arguments.ts";
import { vllmEnvironment, vllmWritable } from "./vllm-environment.ts";
import { defaultQueueTarget, vllmFit } from "./vllm-fit.ts";
import { vllmHost } from "./vllm-host.ts";
import type { Vllm, VllmProps } from "./vllm-props.ts";
import { pickSlot } from "./vllm-slot.ts";

const PORT = 8000;

export interface VllmValues {
  readonly service: ResolvedVllm | null;
  readonly findings: readonly Finding[];
}

/** Fills every default of a vLLM service. Says what keeps it from being resolved; the rules judge the rest. */
export function vllmValues(declaration: Vllm, pool: ResolvedPool | null, context: ResolveContext): VllmValues {
  const path = `services.${declaration.name}`;
  const props = declaration.props;
  const shape = shapeFindings(vllmShape, props, path);
  if (shape.length > 0) return { service: null, findings: shape };
  const origins = new OriginLog();
  const version = origins.orDefault(
    "engineVersion",
    props.engineVersion,
    latestVllm,
    "the newest release that was read",
  );
  const precision = origins.orDerived(
    "precision",
    props.precision,
    () => nativePrecision(modelFacts(props.model)),
    ["model"],
    "what the model's own checkpoint is in",
  );
  const source = sourceOf(props, origins);
  const model = resolveModel({ model: props.model, engine: "vllm", precision, source, path });
  const findings: Finding[] = [...model.findings, ...unknownVersion(version, path)];
  const slot = pool ? pickSlot(props, pool, path, findings) : null;
  if (!pool || !slot || !model.model || !model.source || findings.length > 0) return { service: null, findings };
  const service = assemble({
    props,
    pool,
    slot,
    version,
    precision,
    model: model.model,
    source: model.source,
    context,
    origins,
  });
  return { service: deepFreeze(service), findings };
}

function unknownVersion(version: string, path: string): Finding[] {
  if (findVllm(version)) return [];
  const near = nearest(version, vllmVersions);
  return [
    {
      id: "vllm.version.unknown",
      severity: "error",
      path: `${path}.engineVersion`,
      message: `vLLM ${version} has not been read: flags, metrics and memory are known for ${vllmVersions[0]} to ${vllmVersions.at(-1)}`,
      remedy: `use ${near ?? latestVllm}`,
      reference: null,
      acknowledged: null,
    },
  ];
}

interface Parts {
  readonly props: VllmProps;
  readonly pool: ResolvedPool;
  readonly slot: SlotOffer;
  readonly version: string;
  readonly precision: Precision;
  readonly model: ResolvedModel;
  readonly source: ResolvedSource;
  readonly context: ResolveContext;
  readonly origins: OriginLog;
}

function assemble(parts: Parts): ResolvedVllm {
  const { props, pool, slot, version, model, source, context, origins } = parts;
  const common = commonValues(props, model, context, origins);
  const { namespace, servedModelName } = common;
  const pipelineParallel = origins.orDefault("pipelineParallel", props.pipelineParallel, 1, "one node");
  const tensorParallel = origins.orDerived(
    "tensorParallel",
    props.tensorParallel,
    () => (pipelineParallel > 0 ? Math.max(1, (props.gpus ?? 1) / pipelineParallel) : 1),
    ["gpus", "pipelineParallel"],
    "all GPUs of the pod work on each token",
  );
  const gpus = origins.orDerived(
    "gpus",
    props.gpus,
    () => tensorParallel * pipelineParallel,
    ["tensorParallel", "pipelineParallel"],
    "as many as the engine splits the model over",
  );
  const fit = vllmFit({ ...parts, tensorParallel, pipelineParallel, gpus });
  const cache = resolveCache(props.cache, { name: props.name, namespace, pool: pool.name }, source, {
    path: null,
    bytes: model.weightsBytes,
  });
  const modelPath = cache === null ? null : cache.kind === "claim" ? `${MODEL_MOUNT}/${cache.path}` : MODEL_MOUNT;
  const weightsGib = (model.weightsBytes ?? 0) / GIB;
  const image = resolveImage("vllm", version, pool.arch, props.image, origins);
  const enforceEager = origins.orDefault(
    "enforceEager",
    props.enforceEager,
    false,
    "CUDA graphs are worth their memory",
  );
  const cold = coldStart({
    engine: "vllm",
    gpuNode: true,
    mig: pool.sharing.kind === "mig",
    imageGib: engine("vllm").compressedImageGib,
    weightsGib,
    ...weightsOf(cache, source),
    networkGbps: pool.networkGbps,
    nvmeDisks: pool.nvmeDisks,
    enforceEager,
  });
  const drain = resolveDrain(pool, props.drainSeconds, origins);
  const probes = resolveProbes(engine("vllm").paths, cold.startupBudgetSeconds);
  const scaling = resolveScaling(
    common.scaling,
    {
      namespace,
      name: props.name,
      loadMetrics: ["vllm:num_requests_running", "vllm:num_requests_waiting"],
      defaultTarget: defaultQueueTarget(fit.memory, props.traffic),
      coldStart: cold,
    },
    context,
    origins,
  );
  const writable = vllmWritable(modelPath === null && source.kind === "hub" ? weightsGib : 0);
  const podsPerNode = Math.max(1, Math.floor(slot.slotsPerNode / gpus));
  const naming = serviceNaming(
    { name: props.name, team: props.team, pool: pool.name, modelId: model.id, engine: "vllm", version },
    context,
  );
  return {
    kind: "vllm",
    name: props.name,
    team: props.team,
    namespace,
    environment: context.environment,
    model,
    precision: parts.precision,
    servedModelName,
    pool,
    slot,
    engineVersion: version,
    image,
    imageReference: imageReference(image),
    imageGib: engine("vllm").compressedImageGib,
    port: PORT,
    gpus,
    tensorParallel,
    pipelineParallel,
    maxModelLen: fit.maxModelLen,
    ...batch(props, fit.memory, origins),
    gpuMemoryUtilization: fit.gpuMemoryUtilization,
    kvCacheDtype: fit.kvCacheDtype,
    kvCacheBytes: fit.kvCacheBytes,
    enforceEager,
    dtype: origins.orDefault("dtype", props.dtype, "auto", "the type of the checkpoint"),
    prefixCaching: origins.orDefault<boolean | null>(
      "prefixCaching",
      props.prefixCaching,
      null,
      "the engine version's default",
    ),
    toolCallParser: props.toolCallParser ?? null,
    reasoningParser: props.reasoningParser ?? null,
    trustRemoteCode: origins.orDefault(
      "trustRemoteCode",
      props.trustRemoteCode,
      false,
      "code of the model repository stays off",
    ),
    lora: props.lora ?? null,
    extraArgs: props.extraArgs ?? [],
    memory: fit.memory,
    args: vllmArguments(props, {
      engineVersion: version,
      repository: model.repository,
      modelPath,
      source,
      servedModelName,
      port: PORT,
      tensorParallel,
      pipelineParallel,
      maxModelLen: fit.maxModelLen,
      gpuMemoryUtilization: fit.gpuMemoryUtilization,
      kvCacheBytes: fit.kvCacheBytes,
      drainSeconds: drain.drainSeconds,
    }),
    refs: refsOf(source),
    ...vllmEnvironment(props, modelPath !== null, source, startupSeconds(probes)),
    source,
    givenSource: props.source ?? null,
    cache,
    fetch: null,
    modelPath,
    writable,
    resources: vllmHost(
      { pool, slot, gpus, cpus: props.cpus, memoryGib: props.memoryGib, weightsGib, writable },
      origins,
    ),
    probes,
    drain,
    rollout: resolveRollout(props.spareGpu ?? false, cold, probes),
    identity: imageIdentity("vllm", version),
    disruption: resolveDisruption(scaling.max, podsPerNode, drain, cold.warmNodeSeconds),
    spread: resolveSpread(scaling, podsPerNode, context.production),
    doNotDisrupt: true,
    metrics: serviceMetrics(PORT, "http", engine("vllm").paths.metrics, context),
    ingressNamespaces: common.ingressNamespaces,
    scaling,
    coldStart: cold,
    traffic: common.traffic,
    objective: props.objective ?? null,
    ...naming,
    acknowledge: props.acknowledge ?? {},
    origins: origins.done(),
  };
}

/** Sequences and tokens of one step. */
function batch(
  props: VllmProps,
  memory: VllmMemoryResult | null,
  origins: OriginLog,
): Pick<ResolvedVllm, "maxNumSeqs" | "maxNumBatchedTokens"> {
  const engine = memory?.supported ? memory.resolved : null;
  const why = "what the engine version fills in for this GPU";
  return {
    maxNumSeqs: origins.orDerived<number | null>(
      "maxNumSeqs",
      props.maxNumSeqs,
      () => engine?.maxNumSeqs ?? null,
      ["engineVersion", "pool"],
      why,
    ),
    maxNumBatchedTokens: origins.orDerived<number | null>(
      "maxNumBatchedTokens",
      props.maxNumBatchedTokens,
      () => engine?.maxNumBatchedTokens ?? null,
      ["engineVersion", "pool"],
      why,
    ),
  };
}
