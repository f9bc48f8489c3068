import { engine as engineFacts, type ModelFacts, type Precision, type ServingEngine } from "@capstan/catalog";
import { resolveCache } from "../cache/resolve.ts";
import type { ResolveContext } from "../context.ts";
import type { Finding } from "../finding.ts";
import { deepFreeze } from "../freeze.ts";
import { modelId } from "../model/model.ts";
import { publishedPrecision } from "../model/precision.ts";
import { modelFacts, resolveModel } from "../model/resolve.ts";
import { coldStart } from "../plan/cold-start.ts";
import type { CpuEngineMemory } from "../plan/memory/index.ts";
import { GIB } from "../plan/memory/units.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import { OriginLog } from "../provenance.ts";
import { resolveScaling } from "../scaling/resolve.ts";
import { shapeFindings } from "../shape.ts";
import { commonValues, refsOf, secretVariables, sourceOf, weightsOf } from "./common-values.ts";
import { imageReference, resolveImage, serviceMetrics } from "./image.ts";
import { resolveDisruption, resolveDrain, resolveProbes, resolveRollout, resolveSpread } from "./lifecycle.ts";
import { serviceNaming } from "./naming.ts";
import { custom } from "./onnx-engines/custom.ts";
import type { Server, ServerInput } from "./onnx-engines/engine.ts";
import { ovms } from "./onnx-engines/ovms.ts";
import { tei } from "./onnx-engines/tei.ts";
import { triton } from "./onnx-engines/triton.ts";
import { onnxCpus } from "./onnx-host.ts";
import { onnxMemory } from "./onnx-memory.ts";
import type { Onnx, OnnxEngine, OnnxProps, OnnxTask } from "./onnx-props.ts";
import type { ResolvedModel, ResolvedOnnx, ResolvedSource } from "./resolved.ts";
import { onnxShape } from "./shape.ts";

const LONGEST_DEFAULT_CONTEXT = 4096;
const SHORTEST_STARTUP_SECONDS = 120;
const BATCHING = { maxBatchSize: 8, maxQueueDelayMicroseconds: 2000 };

export interface OnnxValues {
  readonly service: ResolvedOnnx | null;
  readonly findings: readonly Finding[];
}

/** Fills every default of a CPU service. Says what keeps it from being resolved; the rules judge the rest. */
export function onnxValues(declaration: Onnx, pool: ResolvedPool | null, context: ResolveContext): OnnxValues {
  const path = `services.${declaration.name}`;
  const props = declaration.props;
  const shape = shapeFindings(onnxShape, props, path);
  if (shape.length > 0) return { service: null, findings: shape };
  const origins = new OriginLog();
  const facts = modelFacts(props.model);
  const task = origins.orDerived(
    "task",
    props.task,
    () => taskOf(facts),
    ["model"],
    "what the architecture is made for",
  );
  if (task === null) return { service: null, findings: [unknownTask(path, modelId(props.model))] };
  const engine = origins.orDerived(
    "engine",
    props.engine,
    () => engineOf(task),
    ["task"],
    "the server that fits the task",
  );
  const name: ServingEngine | null = typeof engine === "string" ? engine : null;
  const precision = origins.orDerived(
    "precision",
    props.precision,
    () => precisionOf(task, name, modelId(props.model)),
    ["task", "engine"],
    "the smallest that somebody has published for the server",
  );
  const source = sourceOf(props, origins);
  const model = resolveModel({ model: props.model, engine: name, precision, source, artefact: props.artefact, path });
  if (props.artefact) origins.given("artefact", props.artefact);
  const findings = [...model.findings];
  if (!pool || !model.model || !model.source) return { service: null, findings };
  const load = loadOf(props, task, facts, origins);
  const memory = memoryOf({ load, engine: name, precision, model: model.model, facts });
  if (memory === null) return { service: null, findings: [unknownSize(path, modelId(props.model))] };
  const parts = {
    props,
    pool,
    task,
    engine,
    name,
    precision,
    model: model.model,
    source: model.source,
    load,
    memory,
    context,
    origins,
  };
  return { service: deepFreeze(assemble(parts)), findings };
}

function taskOf(facts: ModelFacts | null): OnnxTask | null {
  if (!facts) return null;
  return facts.generative ? "text-generation" : "embeddings";
}

function engineOf(task: OnnxTask): OnnxEngine {
  switch (task) {
    case "text-generation":
      return "ovms";
    case "embeddings":
    case "rerank":
      return "tei";
    case "classification":
    case "tensor":
      return "triton";
  }
}

function precisionOf(task: OnnxTask, engine: ServingEngine | null, model: string): Precision {
  // TEI computes in fp32 alone, and of a server of the user's own nobody knows more.
  if (engine !== "ovms" && engine !== "triton") return "fp32";
  if (task === "text-generation") return publishedPrecision(model, engine, ["int4", "int8", "fp16"]);
  return publishedPrecision(model, engine, ["int8", "fp32", "fp16"]);
}

function finding(id: string, path: string, message: string, remedy: string): Finding {
  return { id, severity: "error", path, message, remedy, reference: null, acknowledged: null };
}

function unknownTask(path: string, model: string): Finding {
  return finding(
    "onnx.task.unknown",
    `${path}.task`,
    `what ${model} does is not in the catalog`,
    'say it: task: "embeddings", "rerank", "classification", "tensor" or "text-generation"',
  );
}

function unknownSize(path: string, model: string): Finding {
  return finding(
    "model.size.unknown",
    `${path}.model`,
    `the size of ${model} as served is not known, so its memory cannot be planned`,
    "give it with artefact: { repository, path, bytes } or customModel({ weightsBytes })",
  );
}

/** What a replica holds at once. */
interface Load {
  readonly instances: number;
  readonly concurrency: number;
  /** Null for models that generate nothing. */
  readonly contextTokens: number | null;
}

function loadOf(props: OnnxProps, task: OnnxTask, facts: ModelFacts | null, origins: OriginLog): Load {
  const instances = origins.orDefault("instances", props.instances, 1, "one copy of the weights");
  const concurrency = origins.orDerived(
    "concurrency",
    props.concurrency,
    () => (task === "text-generation" ? 8 : instances),
    ["task", "instances"],
    "eight sequences of a language model, else one request a copy",
  );
  if (task === "text-generation") {
    const contextTokens = origins.orDerived(
      "contextTokens",
      props.contextTokens,
      () => Math.min(facts?.maxPositionEmbeddings ?? LONGEST_DEFAULT_CONTEXT, LONGEST_DEFAULT_CONTEXT),
      ["model"],
      `the model's own maximum, at most ${LONGEST_DEFAULT_CONTEXT}`,
    );
    return { instances, concurrency, contextTokens };
  }
  // That it was given all the same is kept for the rule that says so.
  if (props.contextTokens !== undefined) origins.given("contextTokens", props.contextTokens);
  return { instances, concurrency, contextTokens: null };
}

function memoryOf(parts: {
  readonly load: Load;
  readonly engine: ServingEngine | null;
  readonly precision: Precision;
  readonly model: ResolvedModel;
  readonly facts: ModelFacts | null;
}): CpuEngineMemory | null {
  const { contextTokens, concurrency, instances } = parts.load;
  return onnxMemory({
    facts: parts.facts,
    // A server of the user's own is counted like Triton: weights, an arena and a batch.
    engine: parts.engine === "ovms" || parts.engine === "tei" || parts.engine === "vllm-cpu" ? parts.engine : "triton",
    precision: parts.precision,
    weightsBytes: parts.model.weightsBytes,
    // The longest text of an encoder; classifiers without facts read no tokens.
    contextTokens: contextTokens ?? parts.facts?.maxPositionEmbeddings ?? 0,
    concurrency,
    instances,
  });
}

interface Parts {
  readonly props: OnnxProps;
  readonly pool: ResolvedPool;
  readonly task: OnnxTask;
  readonly engine: OnnxEngine;
  readonly name: ServingEngine | null;
  readonly precision: Precision;
  readonly model: ResolvedModel;
  readonly source: ResolvedSource;
  readonly load: Load;
  readonly memory: CpuEngineMemory;
  readonly context: ResolveContext;
  readonly origins: OriginLog;
}

function assemble(parts: Parts): ResolvedOnnx {
  const { props, pool, task, name, model, source, memory, context, origins } = parts;
  const common = commonValues(props, model, context, origins);
  const { namespace, servedModelName } = common;
  const { instances, concurrency, contextTokens } = parts.load;
  const pinned = origins.orDerived(
    "pinned",
    props.pinned,
    () => pool.cpu.manager === "static",
    ["pool.cpuManager"],
    "the pool gives whole cores",
  );
  const amx = origins.orDerived(
    "amx",
    props.amx,
    () => pool.cpu.amx && ["int4", "int8", "bf16"].includes(parts.precision),
    ["pool", "precision"],
    "the pool's cores have it and the precision can use it",
  );
  const cpus = onnxCpus(props.cpus, pool, task, origins);
  const threads = origins.orDerived(
    "threads",
    props.threads,
    () => Math.max(1, Math.floor((pinned ? cpus / pool.cpu.threadsPerCore : cpus) / instances)),
    ["cpus", "pinned", "instances"],
    pinned
      ? "one thread a physical core: the second hardware thread adds nothing to AMX or AVX-512"
      : "the whole vCPUs of the container",
  );
  const cache = resolveCache(props.cache, { name: props.name, namespace, pool: pool.name }, source, {
    // TEI reads the tokenizer and configuration beside its ONNX file.
    path: name === "tei" ? null : model.path,
    bytes: model.weightsBytes,
  });
  const weightsGib = (model.weightsBytes ?? memory.weightsGib * GIB) / GIB;
  const batching = origins.orDefault(
    "batching",
    props.batching,
    BATCHING,
    "small batches, two milliseconds of waiting",
  );
  const input: ServerInput = {
    props,
    task,
    model,
    source,
    cache,
    servedModelName,
    threads,
    instances,
    concurrency,
    contextTokens,
    kvCacheGib: memory.kvGib,
    batching,
    weightsGib,
  };
  const server = serverOf(parts.engine, input);
  const image =
    name === null
      ? {
          repository: props.image?.repository ?? "",
          tag: props.image?.tag ?? null,
          digest: props.image?.digest ?? null,
        }
      : resolveImage(name, engineFacts(name).image.defaultVersion, pool.arch, props.image, origins);
  const cold = coldStart({
    engine: name === "ovms" || name === "tei" || name === "triton" ? name : "custom",
    gpuNode: pool.kind === "gpu",
    mig: false,
    imageGib: name === null ? null : engineFacts(name).compressedImageGib,
    weightsGib,
    ...weightsOf(cache, source),
    networkGbps: pool.networkGbps,
    nvmeDisks: pool.nvmeDisks,
    enforceEager: false,
  });
  const drain = resolveDrain(pool, props.drainSeconds, origins);
  const probes = resolveProbes(server.paths, cold.startupBudgetSeconds, SHORTEST_STARTUP_SECONDS);
  const scaling = resolveScaling(
    common.scaling,
    {
      namespace,
      name: props.name,
      loadMetrics: server.loadMetrics,
      gaugesAfterFirstRequest: server.gaugesAfterFirstRequest ?? false,
      defaultTarget: Math.max(1, Math.floor(concurrency / 2)),
      coldStart: cold,
    },
    context,
    origins,
  );
  const memoryGib = origins.orDerived(
    "memoryGib",
    props.memoryGib,
    () => Math.ceil(memory.requestGib),
    ["model", "precision", "contextTokens", "concurrency"],
    "weights, KV cache and the server's own memory",
  );
  const podsPerNode = Math.max(1, Math.floor(pool.cpu.vcpusPerNuma.reduce((a, b) => a + b, 0) / cpus));
  return {
    kind: "onnx",
    name: props.name,
    team: props.team,
    namespace,
    environment: context.environment,
    engine: name ?? "custom",
    task,
    model,
    precision: parts.precision,
    servedModelName,
    pool,
    image,
    imageReference: imageReference(image),
    imageGib: name === null ? null : engineFacts(name).compressedImageGib,
    port: server.port,
    pinned,
    amx,
    threads,
    instances,
    contextTokens,
    concurrency,
    batching: name === "triton" ? batching : null,
    tensors: props.tensors ?? null,
    serverFiles: server.files,
    memory,
    args: server.args,
    refs: refsOf(source),
    environmentVariables: server.environmentVariables,
    secretEnvironment: secretVariables(props, source, cache !== null),
    source,
    givenSource: props.source ?? null,
    cache,
    fetch: server.fetch,
    modelPath: server.modelPath,
    writable: server.writable,
    resources: {
      cpus,
      memoryMib: Math.round(memoryGib * 1024),
      ephemeralGib: Math.ceil(server.writable.reduce((sum, dir) => sum + dir.sizeGib, 1)),
      accelerator: null,
      shmGib: null,
    },
    probes,
    drain,
    rollout: resolveRollout(true, cold, probes),
    identity: server.identity,
    disruption: resolveDisruption(scaling.max, podsPerNode, drain, cold.warmNodeSeconds),
    spread: resolveSpread(scaling, podsPerNode, context.production),
    doNotDisrupt: false,
    metrics:
      server.metrics && serviceMetrics(server.metrics.port, server.metrics.portName, server.metrics.path, context),
    ingressNamespaces: common.ingressNamespaces,
    scaling,
    coldStart: cold,
    traffic: common.traffic,
    objective: props.objective ?? null,
    ...serviceNaming(
      {
        name: props.name,
        team: props.team,
        pool: pool.name,
        modelId: model.id,
        engine: name ?? "custom",
        version: image.tag,
      },
      context,
    ),
    acknowledge: props.acknowledge ?? {},
    origins: origins.done(),
  };
}

function serverOf(engine: OnnxEngine, input: ServerInput): Server {
  switch (engine) {
    case "ovms":
      return ovms(input);
    case "triton":
      return triton(input);
    case "tei":
      return tei(input);
    default:
      return custom(engine, input);
  }
}
