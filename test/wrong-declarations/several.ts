import {
  capacityBlock,
  cpuPool,
  existingPool,
  fixed,
  type GpuPoolProps,
  gpuPool,
  hub,
  mig,
  nvmeCache,
  onCpu,
  onnx,
  onQueue,
  s3,
  timeSlicing,
  vllm,
} from "@capstan/core";
import { finds, token, unchecked, wrongPlatform, wrongPool, wrongService } from "./wrong.ts";

const size = { min: 0, max: 2 };
const LLAMA_8B = "meta-llama/Llama-3.1-8B-Instruct";

/** Several mistakes in one declaration: whoever mends one must not find the next one only then. */
export const severalMistakes = [
  wrongPool(
    "a pool with five mistakes of different kinds",
    () =>
      gpuPool({
        name: "L4",
        instanceType: "g6.xlarge",
        size: { min: 3, max: 2 },
        sharing: timeSlicing(1),
        efa: true,
        zones: ["us-east-1a"],
        rootVolumeGib: 20,
      }),
    finds("pool.name.invalid", "pools.L4.name", /"L4"/, /l40s/),
    finds("pool.size.invalid", "pools.L4.size", /min 3/, /raise max/),
    finds("gpu.sharing.replicas", "pools.L4.sharing.replicas", /1 replicas/, /leave sharing out/),
    finds("pool.efa.unsupported", "pools.L4.efa", /g6\.xlarge has no EFA/, /remove efa/),
    finds("pool.root-volume.too-small", "pools.L4.rootVolumeGib", /20 GiB/, /100 or more/),
  ),
  wrongPool(
    "a capacity block with a wrong id, in two zones, on a GPU without the profile",
    () =>
      gpuPool(
        unchecked<GpuPoolProps>({
          name: "h200",
          instanceType: "p5en.48xlarge",
          size,
          capacity: capacityBlock("i-0123456789abcdef0"),
          zones: ["us-east-1a", "us-east-1b"],
          sharing: mig("1g.10gb"),
        }),
      ),
    finds("pool.reservation.invalid", "pools.h200.capacity.reservationId", /"i-0123456789abcdef0"/, /cr-/),
    finds("pool.zones.one-needed", "pools.h200.zones", /us-east-1a, us-east-1b/, /one zone/),
    finds("gpu.mig.profile-unknown", "pools.h200.sharing.layout", /1g\.10gb/, /mig\("/),
  ),
  wrongPool(
    "three wrong types and two unknown properties",
    () =>
      existingPool(
        unchecked({
          name: "shared",
          instanceType: "g6.2xlarge",
          nodeSelector: { gpu: 4 },
          size: { min: 0.5, max: "2" },
          taint: [],
          localStorge: "raid0",
        }),
      ),
    finds("declaration.shape", "pools.shared.nodeSelector.gpu", /4 is not valid.*string/, /./),
    finds("declaration.shape", "pools.shared.size.min", /0\.5/, /./),
    finds("declaration.shape", "pools.shared.size.max", /"2"/, /./),
    finds("declaration.shape", "pools.shared.taint", /did you mean "taints"/, /write "taints"/),
    finds("declaration.shape", "pools.shared.localStorge", /did you mean "localStorage"/, /write "localStorage"/),
  ),
  wrongService(
    "the article's vLLM Deployment: no token, one volume for two, 128k tokens on an L4",
    () =>
      vllm({
        name: "llama-8b",
        team: "search",
        model: LLAMA_8B,
        pool: gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 4 } }),
        source: hub(),
        environmentVariables: [{ name: "HUGGING_FACE_HUB_TOKEN", value: "hf_abcdefghijklmnopqrstuvwx" }],
        scaling: fixed(2),
        extraArgs: ["--swap-space=4", "--gpu-memory-utilization=0.95"],
      }),
    finds("service.source.gated", "services.llama-8b.source.token", /gated/, /secretKey/),
    finds("vllm.env.secret", "services.llama-8b.environmentVariables", /HUGGING_FACE_HUB_TOKEN/, /secretKey/),
    finds("vllm.fit.context-too-long", "services.llama-8b.maxModelLen", /131072 tokens/, /maxModelLen/),
    finds("vllm.args.unknown", "services.llama-8b.extraArgs.0", /--swap-space/, /remove it/),
    finds("vllm.args.has-field", "services.llama-8b.extraArgs.1", /gpuMemoryUtilization/, /set gpuMemoryUtilization/),
  ),
  wrongService(
    "the article's ONNX Deployment: half a core, too many threads, memory for the file alone",
    () =>
      onnx({
        name: "phi-3-mini",
        team: "support",
        model: "microsoft/Phi-3-mini-4k-instruct",
        pool: cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 4 } }),
        cpus: 3,
        threads: 4,
        memoryGib: 4,
        scaling: onCpu({ min: 0, max: 20 }),
      }),
    finds("cpu.pinned.half-core", "services.phi-3-mini.cpus", /3 vCPUs/, /cpus: 4/),
    finds("cpu.threads.oversubscribed", "services.phi-3-mini.threads", /4 threads on 3 vCPUs/, /threads: 3/),
    finds("cpu.memory.below-model", "services.phi-3-mini.memoryGib", /4 GiB/, /11 or more/),
    finds("scaling.zero.hpa", "services.phi-3-mini.scaling.min", /min 0/, /min: 1/),
  ),
  wrongService(
    "wrong numbers in every field of a service",
    () =>
      vllm({
        name: "Llama 8B",
        team: "Search",
        model: LLAMA_8B,
        pool: gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size }),
        source: token,
        maxModelLen: 0,
        gpuMemoryUtilization: 90,
        maxNumSeqs: -1,
        kvCacheGib: 0,
        cpus: 2.5,
        scaling: onQueue({ min: 1, max: 2, targetPerReplica: -4, cooldownSeconds: -1 }),
      }),
    finds("service.name.invalid", "services.Llama 8B.name", /"Llama 8B"/, /llama-8b/),
    finds("service.team.invalid", "services.Llama 8B.team", /"Search" is not a DNS label/, /like search/),
    // The team names the namespace too.
    finds("service.namespace.invalid", "services.Llama 8B.team", /"Search" is not a namespace/, /DNS label/),
    finds("vllm.max-model-len.invalid", "services.Llama 8B.maxModelLen", /maxModelLen is 0/, /8192/),
    finds("vllm.gpu-memory-utilization.invalid", "services.Llama 8B.gpuMemoryUtilization", /is 90/, /0\.9/),
    finds("vllm.batch.invalid", "services.Llama 8B.maxNumSeqs", /maxNumSeqs is -1/, /leave it out/),
    finds("vllm.kv-cache.invalid", "services.Llama 8B.kvCacheGib", /0/, /leave it out/),
    finds("vllm.cpus.invalid", "services.Llama 8B.cpus", /2\.5/, /use 3/),
    finds("scaling.target.invalid", "services.Llama 8B.scaling.targetPerReplica", /-4/, /leave it out/),
    finds(
      "scaling.cooldown.negative",
      "services.Llama 8B.scaling.cooldownSeconds",
      /-1 s/,
      /leave cooldownSeconds out/,
    ),
  ),
  wrongPlatform(
    "mistakes in two pools, three services and the platform",
    () => {
      const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 2, desired: 5 } });
      const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.4xlarge", "c6i.4xlarge"], size });
      return {
        pools: [l4, amx],
        services: [
          vllm({ name: "a", team: "t", model: "Qwen/Qwen2.5-14B-Instruct", pool: l4, maxModelLen: 4096 }),
          vllm({ name: "b", team: "t", model: unchecked("Qwen/Qwen3-4b"), pool: l4, maxModelLen: 4096 }),
          onnx({
            name: "c",
            team: "t",
            model: "microsoft/Phi-3-mini-4k-instruct",
            pool: amx,
            cache: nvmeCache({ source: s3("models/phi") }),
          }),
        ],
        acknowledge: { "no.such.rule": "whatever" },
      };
    },
    finds("pool.size.invalid", "pools.l4.size.desired", /desired 5/, /leave desired out/),
    finds("cpu.instruction-set.mixed", "pools.amx.instanceTypes", /c6i\.4xlarge/, /one generation/),
    // 14.77e9 parameters of two bytes are 27.5 GiB; buffers of the engine are a little more.
    finds("vllm.fit.does-not-load", "services.a.pool", /27\.[56] GiB of weights.*may claim 20\.3 GiB/, /fp8.*gpus 2/),
    finds("model.unknown", "services.b.model", /"Qwen\/Qwen3-4b".*did you mean "Qwen\/Qwen3-4B"/, /Qwen3-4B/),
    finds("onnx.cache.no-local-storage", "services.c.cache", /no array/, /leave cache out/),
    finds("acknowledge.invalid", "platform.acknowledge", /no rule "no\.such\.rule"/, /as the finding shows it/),
  ),
];
