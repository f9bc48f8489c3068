import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimCache, nvmeCache } from "../cache/props.ts";
import { resolveService } from "../check.ts";
import { standalone } from "../context.ts";
import { customModel } from "../model/model.ts";
import { hub, s3, secretKey } from "../model/source.ts";
import { cpuPool, gpuPool } from "../pool/declare.ts";
import { onCpu, onQueue } from "../scaling/props.ts";
import { onnx } from "./declare.ts";
import { customEngine, type Onnx, type OnnxProps } from "./onnx-props.ts";
import type { ResolvedOnnx } from "./resolved.ts";

const size = { min: 1, max: 4 };
const shared = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });
const pinned = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
const withDisks = cpuPool({ name: "i7ie", instanceTypes: ["i7ie.2xlarge"], localStorage: "raid0", size });

function phi(props: Partial<OnnxProps> = {}): Onnx {
  return onnx({ name: "phi", team: "support", model: "microsoft/Phi-3-mini-4k-instruct", pool: pinned, ...props });
}

function bge(props: Partial<OnnxProps> = {}): Onnx {
  return onnx({ name: "bge", team: "search", model: "BAAI/bge-small-en-v1.5", pool: pinned, ...props });
}

function classifier(props: Partial<OnnxProps> = {}): Onnx {
  return onnx({
    name: "fraud",
    team: "risk",
    model: customModel({ id: "acme/fraud-detector", weightsBytes: 420_000_000 }),
    task: "classification",
    source: s3("models-bucket/fraud-detector"),
    pool: pinned,
    ...props,
  });
}

function resolved(declaration: Onnx): ResolvedOnnx {
  const { service, findings } = resolveService(declaration);
  if (service?.kind !== "onnx") throw new Error(JSON.stringify(findings));
  return service;
}

describe("cores of a c7i.8xlarge: 32 vCPUs, two a core, one core kept for the kubelet", () => {
  test("static: text generation takes half of the 30 left, in whole cores, one thread a core", () => {
    // ceil(30 / 16) = 2 parts of 15, 14 in whole cores.
    expect(resolved(phi())).toMatchObject({ pinned: true, amx: true, threads: 7, resources: { cpus: 14 } });
  });

  test("static: embeddings take a quarter", () => {
    // ceil(30 / 8) = 4 parts of 7, 6 in whole cores.
    expect(resolved(bge())).toMatchObject({ threads: 3, resources: { cpus: 6 } });
  });

  test("static: a classifier takes an eighth", () => {
    // ceil(30 / 4) = 8 parts of 3, 2 in whole cores.
    expect(resolved(classifier())).toMatchObject({ threads: 1, resources: { cpus: 2 } });
  });

  test("without the static manager 31 whole vCPUs are left, and there is a thread for each of the container's", () => {
    // 32,000 less 150 of the kubelet and 230 of node agents is 31,620; ceil(31 / 8) = 4 parts of 7, 6 in whole cores.
    expect(resolved(bge({ pool: shared }))).toMatchObject({ pinned: false, threads: 6, resources: { cpus: 6 } });
  });

  test("copies share the threads", () => {
    expect(resolved(classifier({ pool: shared, cpus: 8, instances: 4 })).threads).toBe(2);
    expect(resolved(classifier({ pool: shared, cpus: 2, instances: 4 })).threads).toBe(1);
  });

  test("cores of one thread each: as many threads as vCPUs", () => {
    const graviton = cpuPool({ name: "arm", instanceTypes: ["c7g.4xlarge"], cpuManager: "static", size });
    expect(resolved(bge({ pool: graviton, cpus: 4 })).threads).toBe(4);
  });

  test("what is given stays", () => {
    const service = resolved(phi({ cpus: 8, threads: 2, memoryGib: 20 }));
    expect(service).toMatchObject({ threads: 2, resources: { cpus: 8, memoryMib: 20_480 } });
    expect(service.origins.threads).toMatchObject({ from: "given" });
    expect(resolved(phi()).origins.threads?.from).toBe("derived");
  });
});

describe("OpenVINO Model Server", () => {
  test("pulls and configures the model itself", () => {
    const service = resolved(phi());
    expect(service).toMatchObject({
      engine: "ovms",
      task: "text-generation",
      precision: "int4",
      contextTokens: 4096,
      concurrency: 8,
    });
    expect(service.args).toEqual([
      "--rest_port=8000",
      "--port=9000",
      "--metrics_enable",
      expect.stringMatching(/^--metrics_list=.*ovms_current_graphs/),
      "--source_model=OpenVINO/Phi-3-mini-4k-instruct-int4-ov",
      "--model_repository_path=/models",
      "--model_name=microsoft/Phi-3-mini-4k-instruct",
      "--task=text_generation",
      "--target_device=CPU",
      "--max_num_seqs=8",
      // 6.5 GiB of cache in whole gigabytes.
      "--cache_size=7",
      "--enable_prefix_caching=true",
      '--plugin_config={"INFERENCE_NUM_THREADS":7,"NUM_STREAMS":1,"KV_CACHE_PRECISION":"u8"}',
    ]);
    expect(service.fetch).toBeNull();
    expect(service.serverFiles).toEqual([]);
    // 2.15 GB are 2.0 GiB, and a fifth more.
    expect(service.writable).toEqual([
      { name: "models", mountPath: "/models", sizeGib: 3 },
      { name: "tmp", mountPath: "/tmp", sizeGib: 2 },
    ]);
    expect(service.resources.ephemeralGib).toBe(6);
    expect(service.identity).toMatchObject({ runAsUser: 5000, nonRoot: true });
  });

  test("weights that are there get the graph that it would have written", () => {
    const service = resolved(phi({ source: s3("models-bucket/phi-int4-ov") }));
    expect(service.args).toContain("--config_path=/etc/capstan/config.json");
    expect(service.args.join(" ")).not.toContain("--source_model");
    expect(service.fetch).toMatchObject({
      source: { kind: "s3", bucket: "models-bucket", prefix: "phi-int4-ov" },
      path: null,
      directory: "/models/model",
      bytes: 2_150_000_000,
    });
    const file = (name: string) => service.serverFiles.find((f) => f.path.endsWith(name))?.content ?? "";
    expect(JSON.parse(file("config.json"))).toEqual({
      model_config_list: [],
      mediapipe_config_list: [
        { name: "microsoft/Phi-3-mini-4k-instruct", base_path: "/etc/capstan", graph_path: "graph.pbtxt" },
      ],
    });
    const graph = file("graph.pbtxt");
    expect(graph).toContain('models_path: "/models/model"');
    expect(graph).toContain("max_num_seqs: 8");
    expect(graph).toContain("cache_size: 7");
  });

  test("a tensor model gets a model list with its threads", () => {
    const service = resolved(classifier({ engine: "ovms", threads: 1, servedModelName: "acme/fraud" }));
    expect(JSON.parse(service.serverFiles[0]?.content ?? "")).toEqual({
      model_config_list: [
        {
          config: {
            name: "acme--fraud",
            base_path: "/models/acme--fraud",
            nireq: 1,
            plugin_config: { INFERENCE_NUM_THREADS: 1, NUM_STREAMS: 1, PERFORMANCE_HINT: "LATENCY" },
          },
        },
      ],
    });
    expect(service.fetch?.directory).toBe("/models/acme--fraud/1");
  });
});

describe("TEI", () => {
  test("downloads itself, and is told its threads in three ways", () => {
    const service = resolved(bge({ source: hub({ revision: "abc123", token: secretKey("hf", "token") }) }));
    expect(service).toMatchObject({
      engine: "tei",
      task: "embeddings",
      precision: "fp32",
      contextTokens: null,
      port: 8080,
    });
    expect(service.args).toEqual([
      "--model-id=BAAI/bge-small-en-v1.5",
      "--revision=abc123",
      "--dtype=float32",
      "--port=8080",
      "--hostname=0.0.0.0",
      "--prometheus-port=9000",
      "--served-model-name=BAAI/bge-small-en-v1.5",
      "--json-output",
    ]);
    expect(service.environmentVariables).toEqual([
      { name: "RAYON_NUM_THREADS", value: "3" },
      { name: "OMP_NUM_THREADS", value: "3" },
      { name: "MKL_NUM_THREADS", value: "3" },
      { name: "HF_HOME", value: "/data" },
      { name: "HUGGINGFACE_HUB_CACHE", value: "/data" },
    ]);
    expect(service.secretEnvironment).toEqual([{ name: "HF_TOKEN", secret: { secretName: "hf", key: "token" } }]);
    expect(service.fetch).toBeNull();
  });

  test("a variable of the user's takes the place of ours", () => {
    const given = [{ name: "OMP_NUM_THREADS", value: "1" }];
    const { environmentVariables } = resolved(bge({ environmentVariables: given }));
    expect(environmentVariables.filter((v) => v.name === "OMP_NUM_THREADS")).toEqual(given);
  });

  test("from S3 the files are there before it starts", () => {
    const service = resolved(bge({ source: s3("models-bucket/bge") }));
    expect(service.args[0]).toBe("--model-id=/models");
    expect(service.fetch).toMatchObject({ directory: "/models", path: null });
    expect(service.secretEnvironment).toEqual([]);
  });
});

describe("Triton", () => {
  test("its model repository is written here", () => {
    const service = resolved(
      classifier({
        pool: shared,
        cpus: 4,
        instances: 2,
        batching: { maxBatchSize: 16, maxQueueDelayMicroseconds: 500 },
      }),
    );
    expect(service.engine).toBe("triton");
    expect(service.args.slice(0, 2)).toEqual(["tritonserver", "--model-repository=/models"]);
    expect(service.args).toContain("--allow-gpu-metrics=false");
    expect(service.serverFiles.map((f) => f.content)).toEqual([
      [
        'name: "acme--fraud-detector"',
        'backend: "onnxruntime"',
        'default_model_filename: "model.onnx"',
        "max_batch_size: 16",
        "instance_group [ { count: 2 kind: KIND_CPU } ]",
        "dynamic_batching { max_queue_delay_microseconds: 500 }",
        'parameters { key: "intra_op_thread_count" value: { string_value: "2" } }',
        'parameters { key: "inter_op_thread_count" value: { string_value: "1" } }',
        "",
      ].join("\n"),
    ]);
    expect(service.fetch).toMatchObject({ directory: "/models/acme--fraud-detector/1", bytes: 420_000_000 });
  });

  test("tensors that the file does not say, and a file of another name", () => {
    const service = resolved(
      classifier({
        artefact: { repository: "acme/fraud", path: "export/fraud-v3.onnx", bytes: 100_000_000 },
        batching: { maxBatchSize: 1, maxQueueDelayMicroseconds: 0 },
        tensors: {
          inputs: [{ name: "features", dataType: "TYPE_FP32", dims: [64] }],
          outputs: [{ name: "score", dataType: "TYPE_FP32", dims: [1] }],
        },
      }),
    );
    const config = service.serverFiles[0]?.content ?? "";
    expect(config).toContain('default_model_filename: "fraud-v3.onnx"');
    expect(config).toContain('input [ { name: "features" data_type: TYPE_FP32 dims: [ 64 ] } ]');
    expect(config).toContain('output [ { name: "score" data_type: TYPE_FP32 dims: [ 1 ] } ]');
    expect(config).not.toContain("dynamic_batching");
  });
});

describe("a server of one's own", () => {
  const engine = customEngine({
    name: "acme",
    port: 9090,
    healthPath: "/healthz",
    args: ["--model-dir=/models"],
    threadsVariable: "ACME_THREADS",
    metrics: { path: "/stats", port: 9091, queueMetric: "acme_in_flight" },
    runAsUser: 1234,
  });
  const image = { repository: "acme/server", tag: "1.4.2" };

  test("gets what it declares", () => {
    const service = resolved(classifier({ engine, image, extraArgs: ["--verbose"] }));
    expect(service).toMatchObject({
      engine: "custom",
      imageReference: "acme/server:1.4.2",
      port: 9090,
      args: ["--model-dir=/models", "--verbose"],
      environmentVariables: [{ name: "ACME_THREADS", value: "1" }],
      metrics: { port: 9091, path: "/stats", portName: "metrics" },
      identity: { runAsUser: 1234, nonRoot: true },
      probes: { livePath: "/healthz", readyPath: "/healthz" },
    });
  });

  test("fields that are missing are findings, not a crash", () => {
    const incomplete = { kind: "custom-engine", name: "acme" } as unknown as OnnxProps["engine"] & object;
    const { service, findings } = resolveService(classifier({ engine: incomplete, image }));
    expect(service).toBeNull();
    expect(findings.map((f) => f.id)).toContain("declaration.shape");
  });
});

describe("memory", () => {
  test("weights, cache and server with a tenth on top", () => {
    const { memory, resources } = resolved(phi());
    // 2.15 GB; 32 layers x 32 heads x 2 x 104 B x 4096 tokens x 8 requests; 1.25 GiB of server.
    expect(memory.weightsGib).toBeCloseTo(2.002, 3);
    expect(memory.kvGib).toBe(6.5);
    expect(memory.requestGib).toBe(10.75);
    expect(resources.memoryMib).toBe(11 * 1024);
  });

  test("of an architecture that nobody knows, from the size of the file", () => {
    const { memory } = resolved(classifier());
    // 0.391 + 0.3 x 0.391 + 1 = 1.509
    expect(memory.weightsGib).toBeCloseTo(0.391, 3);
    expect(memory.activationGib).toBeCloseTo(0.117, 3);
    expect(memory.requestGib).toBe(1.75);
  });

  test("every copy in Triton has weights of its own, streams of OpenVINO share them", () => {
    const three = resolved(classifier({ pool: shared, cpus: 6, instances: 3 })).memory;
    expect(three.weightsGib).toBeCloseTo(3 * 0.3912, 3);
    // 1.75 + 2 x 0.391 = 2.532
    expect(three.requestGib).toBe(2.75);
    expect(resolved(phi({ instances: 2 })).memory.requestGib).toBe(10.75);
  });
});

describe("caches", () => {
  test("of the node: a claim of the service, and no download in the pod", () => {
    const service = resolved(phi({ pool: withDisks, cache: nvmeCache({ source: s3("models-bucket/phi-int4-ov") }) }));
    expect(service.cache).toMatchObject({
      kind: "nvme",
      preloader: "preload-i7ie",
      claimName: "phi-model",
      volumeName: "support-phi-model",
      bytes: 2_150_000_000,
    });
    expect(service.fetch).toBeNull();
    expect(service.writable.map((w) => w.name)).toEqual(["tmp"]);
    expect(service.givenSource).toBeNull();
  });

  test("of a claim", () => {
    const service = resolved(
      bge({ cache: claimCache({ claimName: "models", accessMode: "ReadOnlyMany", path: "bge" }) }),
    );
    expect(service.cache).toEqual({ kind: "claim", claimName: "models", accessMode: "ReadOnlyMany", path: "bge" });
    expect(service.args[0]).toBe("--model-id=/models");
  });

  test("a source beside the cache's own is kept for the rule that refuses it", () => {
    const given = s3("models-bucket/other");
    const service = resolved(
      phi({ pool: withDisks, source: given, cache: nvmeCache({ source: s3("models-bucket/phi") }) }),
    );
    expect(service.source).toMatchObject({ prefix: "phi" });
    expect(service.givenSource).toEqual(given);
  });
});

test("a budget only where there can be more than one replica, with room for all of a node's pods", () => {
  expect(resolved(phi()).disruption).toBeNull();
  // Two pods of 14 vCPUs a node of 30. A wave is 165 s of grace and a warm start of some 23 s: four in 900 s.
  // One pod at a time is enough; a quarter of the replicas is the least.
  expect(resolved(phi({ scaling: onCpu({ min: 2, max: 8 }) })).disruption).toEqual({ maxUnavailable: "25%" });
});

test("half of what runs at once is the target of the queue", () => {
  expect(resolved(phi({ concurrency: 24, scaling: onQueue({ min: 1, max: 2 }) })).scaling).toMatchObject({
    targetPerReplica: 12,
  });
});

test("every default says where it comes from", () => {
  const { origins } = resolved(phi());
  expect(Object.keys(origins).sort()).toEqual(
    expect.arrayContaining([
      "amx",
      "concurrency",
      "contextTokens",
      "cpus",
      "drainSeconds",
      "engine",
      "memoryGib",
      "namespace",
      "pinned",
      "precision",
      "servedModelName",
      "task",
      "threads",
    ]),
  );
});

test("a precision that nobody has is refused with the known ones", () => {
  const { service, findings } = resolveService(phi({ precision: "int3" as "int4" }));
  expect(service).toBeNull();
  expect(findings[0]).toMatchObject({ id: "declaration.shape", path: "services.phi.precision" });
  expect(findings[0]?.message).toContain("int8");
});

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(0, -1, 0.5, 1e9, 2 ** 53 - 1));
const whole = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constantFrom(1, 1e6, 2 ** 53 - 1));
const text = fc.oneof(fc.string(), fc.constantFrom("", "a", "llama", "A b", "x".repeat(300)));
const pools = [
  shared,
  pinned,
  withDisks,
  cpuPool({ name: "tiny", instanceTypes: ["c7i.large"], cpuManager: "static", size: { min: 0, max: 1 } }),
  gpuPool({ name: "gpu", instanceType: "g6.2xlarge", size }),
];
const sources = fc.constantFrom(
  hub(),
  hub({ repository: "a/b", revision: "c" }),
  s3("bucket"),
  s3("bucket/prefix", { bytes: 1 }),
);

const props: fc.Arbitrary<Partial<OnnxProps>> = fc.record(
  {
    name: text,
    team: text,
    namespace: text,
    model: fc.oneof(
      fc.constantFrom<OnnxProps["model"]>("microsoft/Phi-3-mini-4k-instruct", "BAAI/bge-m3", "Qwen/Qwen3-8B"),
      fc.record({ id: text, weightsBytes: fc.double({ min: 1, max: 1e15, noNaN: true }) }).map(customModel),
    ),
    pool: fc.constantFrom(...pools),
    task: fc.constantFrom("text-generation", "embeddings", "rerank", "classification", "tensor"),
    engine: fc.constantFrom<NonNullable<OnnxProps["engine"]>>(
      "ovms",
      "triton",
      "tei",
      customEngine({ name: "", port: -1, healthPath: "", args: [], threadsVariable: "", metrics: null, runAsUser: 0 }),
    ),
    precision: fc.constantFrom("int4", "int8", "fp32", "bf16", "awq"),
    source: sources,
    cache: fc.oneof(
      sources.map((source) => nvmeCache({ source })),
      fc.constant(claimCache({ claimName: "", accessMode: "ReadWriteOnce", path: "/.." })),
    ),
    artefact: fc.record({ repository: text, path: text, bytes: fc.double({ min: 1, max: 1e15, noNaN: true }) }),
    contextTokens: whole,
    concurrency: whole,
    instances: whole,
    threads: number,
    cpus: number,
    memoryGib: fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
    drainSeconds: fc.nat(),
    pinned: fc.boolean(),
    amx: fc.boolean(),
    servedModelName: text,
    extraArgs: fc.array(text),
    environmentVariables: fc.array(fc.record({ name: text, value: text })),
    ingressNamespaces: fc.array(text),
    image: fc.record({ repository: text, tag: text, digest: text }),
    batching: fc.record({ maxBatchSize: whole, maxQueueDelayMicroseconds: fc.nat() }),
    tensors: fc.constant({ inputs: [{ name: "", dataType: "", dims: [] }], outputs: [] }),
    traffic: fc.record({ requestsPerDay: fc.nat(), promptTokens: fc.nat(), outputTokens: fc.nat() }),
    scaling: fc.oneof(
      fc.record({ min: fc.integer(), max: fc.integer() }).map(onCpu),
      fc
        .record({ min: fc.integer(), max: fc.integer(), targetPerReplica: number, cooldownSeconds: fc.integer() })
        .map(onQueue),
    ),
  },
  { requiredKeys: [] },
);

test("property: whatever has the right types resolves or is refused with findings, and never throws", () => {
  fc.assert(
    fc.property(props, fc.boolean(), (given, production) => {
      const { service, findings } = resolveService(phi(given), { ...standalone, production });
      expect(service !== null || findings.length > 0).toBe(true);
      for (const finding of findings) {
        expect(finding.message).not.toMatch(/undefined|NaN|\[object/);
        expect(finding.remedy).not.toMatch(/undefined|NaN|\[object/);
      }
    }),
    { numRuns: 200 },
  );
});
