import {
  claimCache,
  cpuPool,
  customEngine,
  customModel,
  gpuPool,
  hub,
  nvmeCache,
  type OnnxProps,
  onCpu,
  onnx,
  s3,
} from "@capstan/core";
import { finds, unchecked, wrongService } from "./wrong.ts";

const size = { min: 1, max: 4 };
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });
const pinnedAmx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
const amd = cpuPool({ name: "amd", instanceTypes: ["c7a.8xlarge"], size });
const graviton = cpuPool({ name: "arm", instanceTypes: ["c7g.8xlarge"], size });
const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size });

/** Right as they stand: each declaration changes what it is about. */
function phi(props: Partial<OnnxProps>) {
  return onnx({ name: "phi-3-mini", team: "support", model: "microsoft/Phi-3-mini-4k-instruct", pool: amx, ...props });
}

function bge(props: Partial<OnnxProps>) {
  return onnx({ name: "bge-small", team: "search", model: "BAAI/bge-small-en-v1.5", pool: amx, ...props });
}

function classifier(props: Partial<OnnxProps>) {
  return onnx({
    name: "fraud",
    team: "risk",
    model: customModel({ id: "acme/fraud-detector", weightsBytes: 420_000_000 }),
    task: "classification",
    source: s3("models/fraud-detector"),
    pool: amx,
    ...props,
  });
}

const ownServer = customEngine({
  name: "acme",
  port: 8080,
  healthPath: "/healthz",
  args: [],
  threadsVariable: null,
  metrics: null,
  runAsUser: 1000,
});

const phiAt = (path: string) => `services.phi-3-mini.${path}`;
const bgeAt = (path: string) => `services.bge-small.${path}`;
const fraudAt = (path: string) => `services.fraud.${path}`;

/** Threads, pinning, AMX, memory, engines, artefacts and caches of CPU services. */
export const wrongOnnx = [
  wrongService(
    "eight threads on four vCPUs",
    () => phi({ cpus: 4, threads: 8 }),
    finds(
      "cpu.threads.oversubscribed",
      phiAt("threads"),
      /8 threads on 4 vCPUs|8 threads are 8 threads on 4 vCPUs/,
      /threads: 4/,
    ),
  ),
  wrongService(
    "threads times copies",
    () => classifier({ cpus: 4, threads: 2, instances: 4 }),
    finds(
      "cpu.threads.oversubscribed",
      fraudAt("threads"),
      /4 instances x 2 threads .*8 threads on 4 vCPUs/,
      /threads: 1/,
    ),
  ),
  wrongService(
    "threads left to the runtime on pinned cores",
    () => phi({ threads: 0, pool: pinnedAmx }),
    finds("cpu.threads.invalid", phiAt("threads"), /0 threads.*whole number from 1/, /leave threads out/),
  ),
  wrongService(
    "pinned cores on a pool that pins none",
    () => phi({ pinned: true }),
    finds("cpu.pinned.no-static-manager", phiAt("pinned"), /amx has no static CPU manager/, /cpuManager: "static"/),
  ),
  wrongService(
    "2.5 pinned cores",
    () => phi({ cpus: 2.5, pool: pinnedAmx }),
    finds("cpu.cpus.invalid", phiAt("cpus"), /2\.5 vCPUs.*whole number/, /cpus: 3/),
  ),
  wrongService(
    "one thread of a pinned core",
    () => phi({ cpus: 3, pool: pinnedAmx }),
    finds("cpu.pinned.half-core", phiAt("cpus"), /3 vCPUs.*multiples of 2/, /cpus: 4/),
  ),
  wrongService(
    "more vCPUs than the kubelet leaves",
    () => phi({ cpus: 32, pool: pinnedAmx }),
    // One core of two vCPUs is the system's.
    finds("cpu.cpus.beyond-node", phiAt("cpus"), /32 vCPUs.*has 30 left/, /at most cpus: 30/),
  ),
  wrongService(
    "AMX on AMD",
    () => phi({ amx: true, pool: amd }),
    finds("cpu.amx.missing", phiAt("amx"), /c7a\.8xlarge\) has no AMX/, /c7i/),
  ),
  wrongService(
    "memory for the weights alone",
    // 2.00 GiB of weights, 6.5 of KV cache, 1.25 of the server; 11 with a tenth on top.
    () => phi({ memoryGib: 4 }),
    finds(
      "cpu.memory.below-model",
      phiAt("memoryGib"),
      /4 GiB is under the 9\.75 GiB/,
      /leave memoryGib out, or use 11 or more/,
    ),
  ),
  wrongService(
    "a generative model on Triton",
    () =>
      phi({ engine: "triton", artefact: { repository: "acme/phi-onnx", path: "model.onnx", bytes: 2_720_000_000 } }),
    finds("onnx.engine.generative-on-triton", phiAt("engine"), /cannot generate text/, /ovms/),
  ),
  wrongService(
    "an engine that does not exist",
    () => phi({ engine: unchecked("onnxruntime") }),
    finds("declaration.shape", phiAt("engine"), /"onnxruntime".*ovms/, /./),
  ),
  wrongService(
    "int8 on a server of fp32",
    () => bge({ precision: "int8", artefact: { repository: "acme/bge", path: "model.onnx", bytes: 34_000_000 } }),
    finds("onnx.precision.tei", bgeAt("precision"), /serves fp32, not int8/, /ovms/),
  ),
  wrongService(
    "a file that the server does not open",
    () =>
      bge({
        artefact: { repository: "Xenova/bge-small-en-v1.5", path: "onnx/model_quantized.onnx", bytes: 34_000_000 },
      }),
    finds(
      "onnx.artefact.tei-file",
      bgeAt("artefact.path"),
      /onnx\/model_quantized\.onnx.*model\.onnx/,
      /copy the file/,
    ),
  ),
  wrongService(
    "vLLM's weights for OpenVINO",
    () => phi({ source: hub({ repository: "microsoft/Phi-3-mini-4k-instruct" }) }),
    finds("onnx.artefact.format", phiAt("source"), /safetensors; ovms reads openvino-ir/, /convert it/),
  ),
  wrongService(
    "a precision that nobody published",
    () => phi({ precision: "fp8" }),
    finds(
      "model.artefact.unknown",
      phiAt("precision"),
      /no published repository of .* in fp8 .*known: .*int4/,
      /precision "/,
    ),
  ),
  wrongService(
    "a model whose task nobody knows",
    () => classifier({ task: unchecked(undefined) }),
    finds("onnx.task.unknown", fraudAt("task"), /what acme\/fraud-detector does/, /task: "embeddings"/),
  ),
  wrongService(
    "OpenVINO on Graviton",
    () => phi({ pool: graviton }),
    finds("onnx.engine.no-arm-image", phiAt("engine"), /no arm64 image.*c7g\.8xlarge/, /x86-64/),
  ),
  wrongService(
    "a CPU service on GPUs",
    () => phi({ pool: l4 }),
    finds("onnx.pool.gpu", phiAt("pool"), /g6\.2xlarge\) has GPUs that nothing in this service uses/, /cpuPool/),
  ),
  wrongService(
    "a server of one's own without an image",
    () => classifier({ engine: ownServer }),
    finds("onnx.custom.image-missing", fraudAt("image"), /without an image/, /image: \{ repository/),
  ),
  wrongService(
    "batching of another server",
    () => bge({ batching: { maxBatchSize: 32, maxQueueDelayMicroseconds: 500 } }),
    finds("onnx.property.ignored", bgeAt("batching"), /setting of Triton; the server is tei/, /engine: "triton"/),
  ),
  wrongService(
    "a context longer than the model's",
    () => phi({ contextTokens: 32_768, concurrency: 1 }),
    finds("onnx.context.beyond-model", phiAt("contextTokens"), /32768 tokens; .* has 4096/, /contextTokens: 4096/),
  ),
  wrongService(
    "a key in a variable",
    () => phi({ environmentVariables: [{ name: "API_KEY", value: "s3cret" }] }),
    finds("onnx.secret.plain", phiAt("environmentVariables"), /API_KEY .*plain text/, /Secret/),
  ),
  wrongService(
    "a node cache without disks",
    () => phi({ cache: nvmeCache({ source: s3("models/phi-3-mini") }) }),
    finds("onnx.cache.no-local-storage", phiAt("cache"), /c7i\.8xlarge\) has no array/, /leave cache out/),
  ),
  wrongService(
    "one volume for four nodes",
    () =>
      phi({
        cache: claimCache({ claimName: "models", accessMode: "ReadWriteOnce", path: "phi" }),
        scaling: onCpu({ min: 1, max: 4 }),
      }),
    finds(
      "onnx.cache.read-write-once",
      phiAt("cache.accessMode"),
      /ReadWriteOnce and there can be 4 replicas/,
      /ReadWriteMany/,
    ),
  ),
];
