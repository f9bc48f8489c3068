import {
  claimCache,
  cpuPool,
  fixed,
  gpuPool,
  hub,
  nvmeCache,
  onCpu,
  onQueue,
  s3,
  type VllmProps,
  vllm,
} from "@capstan/core";
import { finds, token, unchecked, wrongService } from "./wrong.ts";

const size = { min: 0, max: 4 };
const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size });
const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
const l40sFour = gpuPool({ name: "l40s-4", instanceType: "g6e.12xlarge", size });
const h100 = gpuPool({ name: "h100", instanceType: "p5.4xlarge", size });
const a10g = gpuPool({ name: "a10g", instanceType: "g5.2xlarge", size });
const t4 = gpuPool({ name: "t4", instanceType: "g4dn.2xlarge", size });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });

const LLAMA_70B = "meta-llama/Llama-3.1-70B-Instruct";

/** Right as it stands: each declaration changes what it is about. */
function llama(props: Partial<VllmProps>) {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    source: token,
    maxModelLen: 8192,
    ...props,
  });
}

const at = (path: string) => `services.llama-8b.${path}`;

/** Models, versions and the numbers of the engine. */
const numbers = [
  wrongService(
    "a model that nobody knows",
    () => llama({ model: unchecked("meta-llama/Llama-3.1-8B-Instuct") }),
    finds("model.unknown", at("model"), /did you mean "meta-llama\/Llama-3\.1-8B-Instruct"/, /customModel/),
  ),
  wrongService(
    "an engine version that was never released",
    () => llama({ engineVersion: unchecked("0.99.0") }),
    finds("vllm.version.unknown", at("engineVersion"), /vLLM 0\.99\.0 .*0\.33/, /use 0\./),
  ),
  wrongService(
    "a precision that nobody published",
    () => llama({ precision: "nvfp4", model: "Qwen/Qwen2.5-1.5B-Instruct" }),
    finds(
      "model.artefact.unknown",
      at("precision"),
      /no published repository of Qwen\/Qwen2\.5-1\.5B-Instruct in nvfp4/,
      /hub\(|precision/,
    ),
  ),
  wrongService(
    "a precision that does not exist",
    () => llama({ precision: unchecked("int3") }),
    finds("declaration.shape", at("precision"), /"int3".*int4/, /./),
  ),
  wrongService(
    "a pool by its name",
    () => llama({ pool: unchecked("l40s") }),
    finds("declaration.shape", at("pool"), /"l40s".*gpuPool/, /./),
    // The platform's list of pools is made of it too.
    finds("declaration.shape", "platform.pools.0", /"l40s".*gpuPool/, /./),
  ),
  wrongService(
    "GPU utilisation in per cent",
    () => llama({ gpuMemoryUtilization: 90 }),
    finds("vllm.gpu-memory-utilization.invalid", at("gpuMemoryUtilization"), /90.*above 0 and at most 1/, /write 0\.9/),
  ),
  wrongService(
    "a context longer than the model's",
    () => llama({ maxModelLen: 200_000, model: "Qwen/Qwen2.5-1.5B-Instruct" }),
    finds("vllm.max-model-len.above-model", at("maxModelLen"), /200000 .*32768/, /32768 or less/),
  ),
  wrongService(
    "fewer tokens a step than sequences",
    () => llama({ maxNumSeqs: 512, maxNumBatchedTokens: 256 }),
    finds("vllm.batch.too-few-tokens", at("maxNumBatchedTokens"), /256 tokens .*512 sequences/, /512 or more/),
  ),
  wrongService(
    "part of a CPU",
    () => llama({ cpus: 3.5 }),
    finds("vllm.cpus.invalid", at("cpus"), /3\.5.*whole numbers/, /use 4/),
  ),
  wrongService(
    "part of a GPU",
    () => llama({ gpus: 0.5 }),
    finds("gpu.count.invalid", at("gpus"), /0\.5.*whole numbers/, /timeSlicing/),
  ),
  wrongService(
    "all GPUs, in a word",
    () => llama({ gpus: unchecked("all") }),
    finds("declaration.shape", at("gpus"), /"all".*number/, /./),
  ),
  wrongService("no GPU", () => llama({ gpus: 0 }), finds("gpu.count.invalid", at("gpus"), /gpus is 0/, /1 or more/)),
];

/** Whether it fits, and over how many GPUs. */
const fit = [
  wrongService(
    "GPUs on a pool that has none",
    () => llama({ pool: amx }),
    finds("vllm.pool.no-gpu", at("pool"), /amx \(c7i\.8xlarge\) has no GPU/, /gpuPool.*onnx/),
  ),
  wrongService(
    "32 heads over three GPUs",
    () => llama({ pool: l40sFour, tensorParallel: 3 }),
    finds(
      "vllm.parallel.indivisible",
      at("tensorParallel"),
      /3 does not divide the 32 attention heads.*1, 2, 4/,
      /use 2/,
    ),
  ),
  wrongService(
    "more ranks than GPUs",
    () => llama({ pool: l40sFour, tensorParallel: 4, gpus: 2 }),
    finds("vllm.gpus.too-few", at("gpus"), /tensor parallel 4 needs 4 GPUs, the pod has 2/, /gpus: 4/),
  ),
  wrongService(
    "more GPUs than a node has",
    () => llama({ pool: l40sFour, tensorParallel: 8 }),
    finds("vllm.gpus.more-than-node", at("tensorParallel"), /8 x nvidia\.com\/gpu .*g6e\.12xlarge has 4/, /at most 4/),
  ),
  wrongService(
    "70B in 16 bits on one H100",
    // 70.55e9 parameters of two bytes are 131.4 GiB.
    () => llama({ model: LLAMA_70B, pool: h100 }),
    finds(
      "vllm.fit.does-not-load",
      at("pool"),
      /needs 131\.4 GiB of weights.*may claim 72\.9 GiB/,
      /precision "w4a16".*gpus 4/,
    ),
  ),
  wrongService(
    "a context left at the model's own",
    // A token takes 32 layers x 2 x 8 heads x 128 x 2 bytes = 128 KiB, so 131,072 tokens take 16 GiB.
    () => llama({ pool: l4, maxModelLen: unchecked(undefined) }),
    finds(
      "vllm.fit.context-too-long",
      at("maxModelLen"),
      /131072 tokens.*needs 16 GiB.*longest context that fits/,
      /maxModelLen/,
    ),
  ),
  wrongService(
    "bfloat16 on a T4",
    () => llama({ pool: t4, model: "meta-llama/Llama-3.2-1B-Instruct" }),
    finds("vllm.dtype.bfloat16-unsupported", at("dtype"), /T4 .*7\.5.*bfloat16/, /float16/),
  ),
  wrongService(
    "FP8 weights on a T4",
    () => llama({ pool: t4, precision: "fp8", dtype: "float16" }),
    finds("vllm.precision.gpu-too-old", at("precision"), /fp8 .*8\.0.*7\.5/, /g6/),
  ),
  wrongService(
    "an FP8 cache on an A10G",
    () => llama({ pool: a10g, kvCacheDtype: "fp8" }),
    finds("vllm.kv-cache-dtype.gpu-unsupported", at("kvCacheDtype"), /"fp8" needs Ada.*8\.6/, /leave it out/),
  ),
  wrongService(
    "8 GiB of host memory for 70B on four GPUs",
    () => llama({ model: LLAMA_70B, pool: l40sFour, tensorParallel: 4, memoryGib: 8 }),
    finds("vllm.memory.too-small", at("memoryGib"), /8 GiB is under the 13 GiB/, /leave it out, or use 2\d/),
  ),
];

/** Arguments, variables, tokens, images and what the pod is started with. */
const start = [
  wrongService(
    "an argument of another year",
    () => llama({ extraArgs: ["--num-scheduler-steps=8"] }),
    finds("vllm.args.unknown", at("extraArgs.0"), /no --num-scheduler-steps/, /remove it/),
  ),
  wrongService(
    "a misspelt argument",
    () => llama({ extraArgs: ["--enable-log-reqests"] }),
    finds("vllm.args.unknown", at("extraArgs.0"), /did you mean --enable-log-requests/, /--enable-log-requests/),
  ),
  wrongService(
    "a flag and its value in one entry",
    () => llama({ extraArgs: ["--seed 42"] }),
    finds("vllm.args.form", at("extraArgs.0"), /space/, /--seed=42/),
  ),
  wrongService(
    "an argument that has a property",
    () => llama({ extraArgs: ["--max_model_len=4096"] }),
    finds("vllm.args.has-field", at("extraArgs.0"), /property maxModelLen/, /set maxModelLen/),
  ),
  wrongService(
    "a port that no probe asks",
    () => llama({ extraArgs: ["--port=9000"] }),
    finds("vllm.args.unreachable", at("extraArgs.0"), /port 8000/, /remove it/),
  ),
  wrongService(
    "a key in the arguments",
    () => llama({ extraArgs: ["--api-key=very-secret"] }),
    finds("vllm.args.secret", at("extraArgs.0"), /--api-key .*plain text/, /secretEnvironmentVariables/),
  ),
  wrongService(
    "a gated model without a token",
    () => llama({ source: hub() }),
    finds("service.source.gated", at("source.token"), /Llama-3\.1-8B-Instruct is gated/, /secretKey/),
  ),
  wrongService(
    "the token as a variable",
    () =>
      llama({
        environmentVariables: [{ name: "HF_TOKEN", value: "hf_abcdefghijklmnopqrstuvwx" }],
        source: s3("models/llama"),
      }),
    finds("vllm.env.secret", at("environmentVariables"), /HF_TOKEN .*plain text/, /secretKey/),
  ),
  wrongService(
    "the engine's own port as the server's",
    () => llama({ environmentVariables: [{ name: "VLLM_PORT", value: "8000" }] }),
    finds(
      "vllm.env.internal-address",
      at("environmentVariables"),
      /VLLM_PORT 8000 is the port of the API/,
      /remove it/,
    ),
  ),
  wrongService(
    "a tag inside of the repository",
    () => llama({ image: { repository: "vllm/vllm-openai:latest" } }),
    finds("service.image.invalid", at("image.repository"), /"vllm\/vllm-openai:latest"/, /tag or digest/),
  ),
  wrongService(
    "a node cache where the disks are raw",
    () =>
      llama({
        pool: gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size }),
        source: unchecked(undefined),
        cache: nvmeCache({ source: s3("models/llama") }),
      }),
    finds("vllm.cache.no-local-storage", at("cache"), /l40s/, /localStorage: "raid0"/),
  ),
  wrongService(
    "one volume for two nodes",
    () =>
      llama({
        source: unchecked(undefined),
        cache: claimCache({ claimName: "models", accessMode: "ReadWriteOnce", path: "llama" }),
        scaling: fixed(2),
      }),
    finds("vllm.cache.read-write-once", at("cache.accessMode"), /ReadWriteOnce, and up to 2 replicas/, /ReadWriteMany/),
  ),
  wrongService(
    "two sources",
    () => llama({ cache: nvmeCache({ source: s3("models/llama") }) }),
    finds("service.source.ignored", at("source"), /filled from s3:\/\/models\/llama/, /one source/),
  ),
  wrongService(
    "a name that is a model id",
    () => llama({ name: "meta-llama/Llama-3.1-8B" }),
    finds("service.name.invalid", "services.meta-llama/Llama-3.1-8B.name", /starts with a letter/, /llama-8b/),
  ),
  wrongService(
    "requests longer than the context",
    () => llama({ maxModelLen: 1024, traffic: { requestsPerDay: 1000, promptTokens: 900, outputTokens: 250 } }),
    finds(
      "service.traffic.impossible",
      at("traffic.promptTokens"),
      /1150 tokens; the service takes 1024/,
      /raise maxModelLen/,
    ),
  ),
  wrongService(
    "scaling on the CPU of a GPU engine",
    () => llama({ scaling: onCpu({ min: 1, max: 4 }) }),
    finds("scaling.cpu.gpu-engine", at("scaling"), /onCpu on a GPU service/, /onQueue/),
  ),
  wrongService(
    "no metrics to scale on",
    () => llama({ scaling: onQueue({ min: 1, max: 2 }), extraArgs: ["--disable-log-stats"] }),
    finds("vllm.args.no-metrics", at("extraArgs.0"), /--disable-log-stats removes the metrics/, /remove it/),
  ),
];

export const wrongVllm = [...numbers, ...fit, ...start];
