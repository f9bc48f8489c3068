import {
  cpuPool,
  fixed,
  gpuPool,
  kubecost,
  mig,
  nvmeCache,
  type Objective,
  onnx,
  onQueue,
  type PlatformProps,
  type Scaling,
  s3,
  schedule,
  type Traffic,
  timeSlicing,
  vllm,
} from "@capstan/core";
import type { StackConfig } from "./config.ts";

/**
 * The platform of the three articles, corrected: a chat model on L40S, a small model for many tenants on slices of an
 * H100, two models with little traffic on one shared L4, and what needs no GPU on Xeons with AMX.
 */
export function inferencePlatform(config: StackConfig): PlatformProps {
  const { pools, services } = config;

  const l40s = gpuPool({
    name: "l40s",
    instanceType: "g6e.2xlarge",
    size: sizeOf(pools.l40s),
    capacity: pools.l40s.capacity ?? "on-demand",
    localStorage: "raid0",
  });
  const h100 = gpuPool({
    name: "h100-mig",
    instanceType: "p5.4xlarge",
    sharing: mig("1g.20gb"),
    size: sizeOf(pools.h100Mig),
    capacity: pools.h100Mig.capacity ?? "on-demand",
  });
  const l4 = gpuPool({
    name: "l4-shared",
    instanceType: "g6.2xlarge",
    sharing: timeSlicing(2),
    size: sizeOf(pools.l4Shared),
    capacity: pools.l4Shared.capacity ?? "on-demand",
  });
  const amx = cpuPool({
    name: "cpu-amx",
    instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"],
    cpuManager: "static",
    size: sizeOf(pools.cpuAmx),
    capacity: pools.cpuAmx.capacity ?? "on-demand",
  });

  const chat = vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    maxModelLen: 8192,
    cache: nvmeCache({ source: s3(`${config.modelBucket}/llama-3.1-8b-instruct`) }),
    scaling: queueScaling(config, services.llama8b),
    ...traffic(services.llama8b, { promptTokens: 900, outputTokens: 250, peakToMean: 4 }, { ttftP99Ms: 800 }),
  });
  const tenants = vllm({
    name: "qwen-tenants",
    team: "tenants",
    model: "Qwen/Qwen3-4B",
    pool: h100,
    maxModelLen: 4096,
    source: s3(`${config.modelBucket}/qwen3-4b`),
    scaling: queueScaling(config, services.tenantSmall),
    ...traffic(services.tenantSmall, { promptTokens: 400, outputTokens: 120 }),
  });
  const rare = (["qwen-1.5b", "llama-1b"] as const).map((which) =>
    vllm({
      name: which.replace(".", "-"),
      team: "labs",
      model: which === "qwen-1.5b" ? "Qwen/Qwen2.5-1.5B-Instruct" : "meta-llama/Llama-3.2-1B-Instruct",
      pool: l4,
      maxModelLen: 4096,
      source: s3(`${config.modelBucket}/${which}`),
      scaling: queueScaling(config, services.lowTraffic),
      ...traffic(services.lowTraffic, { promptTokens: 500, outputTokens: 200 }),
    }),
  );
  const slm = onnx({
    name: "phi-3-mini",
    team: "support",
    model: "microsoft/Phi-3-mini-4k-instruct",
    precision: "int4",
    pool: amx,
    source: s3(`${config.modelBucket}/phi-3-mini-int4-ov`),
    scaling: queueScaling(config, services.phi3Mini),
    ...traffic(services.phi3Mini, { promptTokens: 600, outputTokens: 150 }),
  });
  const embeddings = onnx({
    name: "bge-small",
    team: "search",
    model: "BAAI/bge-small-en-v1.5",
    pool: amx,
    source: s3(`${config.modelBucket}/bge-small-en-v1.5`),
    scaling: queueScaling(config, services.embeddings),
    ...traffic(services.embeddings, { promptTokens: 200, outputTokens: 0 }),
  });
  const classifier = onnx({
    name: "sentiment",
    team: "support",
    model: "distilbert/distilbert-base-uncased-finetuned-sst-2-english",
    task: "classification",
    precision: "int8",
    pool: amx,
    source: s3(`${config.modelBucket}/distilbert-sst-2`),
    scaling: queueScaling(config, services.classifier),
    ...traffic(services.classifier, { promptTokens: 60, outputTokens: 0 }),
  });

  return {
    environment: config.environment,
    region: config.region,
    pools: [l40s, h100, l4, amx],
    services: [chat, tenants, ...rare, slm, embeddings, classifier],
    cost: kubecost({ clusterId: config.kubecostClusterId }),
    acknowledge: {
      "cost.mig-not-attributed": "split by slice count in the monthly report",
    },
  };
}

type Size = StackConfig["pools"]["l40s"];
type Load = StackConfig["services"]["llama8b"];

function sizeOf({ min, max }: Size): { min: number; max: number } {
  return { min, max };
}

/**
 * By the queue where replicas may vary, else as many as said. Where the environment keeps office hours, `min` is what
 * runs in them: the queue adds up to `max`, and outside nothing starts, since no pod is there to have a queue.
 */
export function queueScaling({ officeHours }: Pick<StackConfig, "officeHours">, { min, max }: Load): Scaling {
  if (officeHours === undefined) return min === max ? fixed(min) : onQueue({ min, max });
  const hours = [{ ...officeHours, replicas: min }];
  return min === max ? schedule({ hours, outside: 0 }) : onQueue({ min: 0, max, hours });
}

/** Without requests a day there is nothing to hold an objective against. */
function traffic(
  load: Load,
  shape: Omit<Traffic, "requestsPerDay">,
  objective?: Objective,
): { readonly traffic?: Traffic; readonly objective?: Objective } {
  if (load.requestsPerDay === undefined) return {};
  return { traffic: { requestsPerDay: load.requestsPerDay, ...shape }, ...(objective ? { objective } : {}) };
}
