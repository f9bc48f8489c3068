import { z } from "zod";
import type {
  ArtefactFacts,
  ChartFacts,
  CpuPlatformFacts,
  GpuFacts,
  InstanceFacts,
  ModelFacts,
  Provenance,
} from "../facts.ts";
import {
  cpuInstanceTypes,
  gpuInstanceTypes,
  gpuModels,
  type MigProfileName,
  neuronInstanceTypes,
  regions,
  vllmVersions,
} from "../generated/ids.ts";
import type { EksFacts, EngineFacts, KnownMetrics } from "../platform-facts.ts";

// What the data files look like, strictly: an unknown key is an error. `satisfies` ties each schema to the type that
// the readers cast to, so that neither can change alone.

const count = z.int().nonnegative();
const positive = z.number().positive();
const isoDay = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/);
const text = z.string().min(1);
const kubernetesMinor = z.string().regex(/^1\.\d+$/);
const minor = z.string().regex(/^0\.\d+$/);
const region = z.enum(regions);

/** Every file says when and where its facts were read; `notes` are for people. */
const head = { asOf: isoDay, sources: z.array(text).min(1), notes: z.array(text) };

type File<T> = z.ZodType<T & Provenance & { readonly notes: readonly string[] }>;

const precisionRate = positive.nullable();
const migProfile = z.strictObject({
  profile: z.custom<MigProfileName>((value) => typeof value === "string" && /^\dg\.\d+gb([+-][a-z.]+)?$/.test(value)),
  computeSlices: z.int().min(1).max(7),
  memorySlices: z.int().min(1).max(8),
  usableGib: positive.nullable(),
  streamingMultiprocessors: z.int().positive().nullable(),
  maxInstances: z.int().min(1).max(7),
  placementStarts: z.array(z.int().min(0).max(7)).min(1),
  placementSize: z.int().min(1).max(8),
  configName: z.string().regex(/^all-\dg\.\d+gb/),
  mixedResource: z.string().regex(/^nvidia\.com\/mig-[a-z0-9.-]+$/),
});

export const gpusFile = z.strictObject({
  ...head,
  gpus: z.array(
    z.strictObject({
      id: z.enum(gpuModels),
      name: text,
      vendor: z.enum(["nvidia", "amd"]),
      architecture: text,
      computeCapability: z.string().regex(/^(\d+\.\d|gfx\d+)$/),
      memoryMib: z.int().positive().nullable(),
      bandwidthGBps: positive.nullable(),
      tflopsDense: z.strictObject({
        fp16: precisionRate,
        bf16: precisionRate,
        fp8: precisionRate,
        int8: precisionRate,
        fp4: precisionRate,
      }),
      fp8TensorCores: z.boolean(),
      nvlinkGBps: positive.nullable(),
      productLabel: z.string().max(63).nullable(),
      notes: z.array(text),
      mig: z
        .strictObject({
          computeSlices: z.int().min(1).max(7),
          memorySlices: z.int().min(1).max(8),
          modeChangeNeedsReset: z.boolean(),
          placementBasis: z.enum(["read", "assumed", "inferred"]),
          profiles: z.array(migProfile).min(1),
        })
        .nullable(),
    }),
  ),
}) satisfies File<{ gpus: readonly (Omit<GpuFacts, "memoryGib"> & { memoryMib: number | null })[] }>;

export const instancesFile = z.strictObject({
  ...head,
  cpuPlatforms: z.record(
    text,
    z.strictObject({
      generation: text,
      amx: z.boolean(),
      amxFp16: z.boolean(),
      avx512: z.boolean(),
      memoryGBpsPerVcpu: positive.nullable(),
    }),
  ),
  instances: z.array(
    z.strictObject({
      type: z.enum([...gpuInstanceTypes, ...cpuInstanceTypes, ...neuronInstanceTypes]),
      family: text,
      class: z.enum(["gpu", "neuron", "cpu"]),
      arch: z.enum(["amd64", "arm64"]),
      vcpus: z.int().positive(),
      memoryMib: z.int().positive(),
      cpuManufacturer: z.enum(["intel", "amd", "aws"]),
      threadsPerCore: z.int().min(1).max(2).nullable(),
      numaNodes: z.int().positive().nullable(),
      cpuPlatform: text.nullable(),
      gpu: z
        .strictObject({
          model: z.enum(gpuModels),
          count,
          fractional: z.boolean(),
          fractionMib: z.int().positive().nullable(),
        })
        .nullable(),
      neuron: z.strictObject({ name: text, devices: z.int().positive(), cores: z.int().positive() }).nullable(),
      localNvme: z.strictObject({ totalGib: z.int().positive(), disks: z.int().positive().nullable() }).nullable(),
      networkGbps: positive.nullable(),
      ebsGbps: positive.nullable(),
      efaInterfaces: count,
      networkCards: z.int().positive().nullable(),
      maxPods: z.int().positive(),
      maxPodsPrefixDelegation: z.int().positive(),
      bareMetal: z.boolean(),
      gpuAmiFamilies: z.array(z.enum(["al2023", "bottlerocket"])),
    }),
  ),
}) satisfies File<{
  cpuPlatforms: Readonly<Record<string, CpuPlatformFacts>>;
  instances: readonly (Omit<InstanceFacts, "cpuPlatform"> & { cpuPlatform: string | null })[];
}>;

const basis = z.strictObject({ asOf: isoDay, source: text });
const usd = z.partialRecord(region, positive);

export const pricesFile = z.strictObject({
  ...head,
  regions: z.tuple([region, region, region, region, region, region]),
  bases: z.strictObject({ home: z.strictObject({ region, asOf: isoDay, source: text }), list: basis, derived: basis }),
  onDemandUsdPerHour: z.record(text, z.strictObject({ list: usd, derived: usd.optional() })),
  spot: z.strictObject({
    advisor: basis,
    samples: basis,
    bands: z.array(z.enum(["<5%", "5-10%", "10-15%", "15-20%", ">20%"])).length(5),
  }),
  spotAdvisor: z.record(text, z.partialRecord(region, z.tuple([z.int().min(0).max(99), z.int().min(0).max(4)]))),
  spotSamplesUsdPerHour: z.record(text, z.partialRecord(region, z.tuple([positive, positive]))),
});

const pinned = z.string().regex(/^[a-z0-9.]+(\/[a-z0-9._-]+)+:v?\d+\.\d+\.\d+$/);

export const toolsFile = z.strictObject({ ...head, downloadImages: z.strictObject({ s3: pinned, hub: pinned }) });

export const quotasFile = z.strictObject({
  ...head,
  quotas: z.array(
    z.strictObject({
      code: z.string().regex(/^L-[0-9A-F]{8}$/),
      name: text,
      market: z.enum(["on-demand", "spot"]),
      families: text,
    }),
  ),
});

const parameters = z.strictObject({
  total: z.int().positive(),
  active: z.int().positive().nullable(),
  embedding: count,
  lmHead: count,
});

export const modelsFile = z.strictObject({
  ...head,
  models: z.array(
    z.strictObject({
      id: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
      aliases: z.array(
        z.strictObject({
          id: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
          gated: z.boolean().nullable(),
          maxPositionEmbeddings: z.int().positive().optional(),
          vocabSize: z.int().positive().optional(),
          layers: z.int().positive().optional(),
          parameters: parameters.optional(),
          checkpointBytes: z.int().positive().optional(),
        }),
      ),
      architecture: text,
      generative: z.boolean(),
      layers: z.int().positive(),
      hiddenSize: z.int().positive(),
      attentionHeads: z.int().positive(),
      kvHeads: z.int().positive(),
      headDim: z.int().positive(),
      intermediateSize: z.int().positive().nullable(),
      vocabSize: z.int().positive(),
      tiedEmbeddings: z.boolean(),
      maxPositionEmbeddings: z.int().positive(),
      dtype: z.enum(["bfloat16", "float16", "float32"]),
      attention: z.enum(["mha", "gqa", "mqa", "mla", "encoder", "encoder-decoder"]),
      slidingWindow: z.int().positive().nullable(),
      layerTypes: z.array(z.enum(["full", "sliding", "chunked"])).nullable(),
      moe: z
        .strictObject({
          experts: z.int().positive(),
          expertsPerToken: z.int().positive(),
          expertIntermediateSize: z.int().positive(),
          sharedExpertIntermediateSize: count,
          firstDenseLayers: count,
        })
        .nullable(),
      mla: z.strictObject({ kvLoraRank: z.int().positive(), ropeHeadDim: z.int().positive() }).nullable(),
      parameters,
      checkpointBytes: z.int().positive(),
      nativeQuantization: text.nullable(),
      gated: z.boolean().nullable(),
      confidence: z.enum(["high", "medium"]),
      source: text,
    }),
  ),
}) satisfies File<{ models: readonly ModelFacts[] }>;

export const artefactsFile = z.strictObject({
  ...head,
  artefacts: z.array(
    z.strictObject({
      model: text,
      engine: z.enum(["vllm", "vllm-cpu", "ovms", "triton", "tei", "onnxruntime-genai"]),
      precision: z.enum([
        "bf16",
        "fp16",
        "fp32",
        "fp8",
        "int8",
        "int4",
        "w4a16",
        "awq",
        "gptq",
        "nvfp4",
        "mxfp4",
        "bnb-4bit",
      ]),
      repository: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
      revision: z
        .string()
        .regex(/^[0-9a-f]{40}$/)
        .nullable(),
      path: text.nullable(),
      format: z.enum(["safetensors", "openvino-ir", "onnx", "onnx-genai", "pytorch"]),
      bytes: z.int().positive().nullable(),
      bytesBasis: z.enum(["read", "computed", "recalled"]).nullable(),
      gated: z.boolean().nullable(),
      licence: text.nullable(),
      minComputeCapability: z
        .string()
        .regex(/^\d+\.\d$/)
        .nullable(),
      confidence: z.enum(["read", "doubtful", "recalled"]),
      source: text,
      note: text.nullable(),
    }),
  ),
}) satisfies File<{ artefacts: readonly ArtefactFacts[] }>;

const ranges = z.array(z.tuple([minor, minor.nullable()])).min(1);
const since = <T extends z.ZodType>(value: T) => z.record(minor, value);

export const vllmVersionsFile = z.strictObject({
  ...head,
  versions: z.array(z.enum(vllmVersions)),
  flags: z.record(
    z.string().regex(/^--[a-z0-9][a-z0-9-]*$/),
    z.strictObject({
      in: ranges,
      boolean: z.literal(true).optional(),
      aliases: since(z.array(z.string().regex(/^--?[A-Za-z]/))).optional(),
      default: since(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      choices: since(z.array(text).min(1).nullable()).optional(),
    }),
  ),
  metrics: z.record(
    z.string().regex(/^vllm:[a-z0-9_]+$/),
    z.strictObject({ in: ranges, type: z.enum(["gauge", "counter", "histogram", "info"]) }),
  ),
  environment: z.record(z.string().regex(/^[A-Z][A-Z0-9_]+$/), ranges),
});

export const chartsFile = z.strictObject({
  ...head,
  charts: z.array(
    z.strictObject({
      component: text,
      chart: text,
      version: z.string().regex(/^v?\d+\.\d+\.\d+$/),
      repository: z.url({ protocol: /^https$/ }).nullable(),
      appVersion: text.nullable(),
      kubernetes: z.strictObject({ min: kubernetesMinor.nullable(), max: kubernetesMinor.nullable() }),
      imageTags: z.record(kubernetesMinor, z.string().regex(/^v\d+\.\d+\.\d+$/)).optional(),
      source: text,
      note: text.nullable(),
    }),
  ),
}) satisfies File<{ charts: readonly Omit<ChartFacts, "imageTags">[] }>;

const path = z.string().startsWith("/");
const tag = z.string().includes("{version}");

export const enginesFile = z.strictObject({
  ...head,
  engines: z.array(
    z.strictObject({
      engine: z.enum(["vllm", "vllm-cpu", "ovms", "triton", "tei"]),
      title: text,
      image: z.strictObject({
        repository: text,
        tags: z.union([z.strictObject({ amd64: tag }), z.strictObject({ amd64: tag, arm64: tag })]),
        defaultVersion: z.string().regex(/^\d+\.\d+(\.\d+)?$/),
      }),
      ports: z.strictObject({
        http: z.int().positive(),
        grpc: z.int().positive().nullable(),
        metrics: z.int().positive(),
      }),
      paths: z.strictObject({ live: path, ready: path, metrics: path }),
      metricsFlags: z.array(z.string().startsWith("--")),
      queueMetric: z.strictObject({ name: text, busyName: text.nullable(), meaning: text }),
      users: z
        .array(
          z.strictObject({
            since: minor.nullable(),
            runAsUser: z.int().positive().nullable(),
            runAsGroup: count.nullable(),
            fsGroup: count.nullable(),
            home: path,
          }),
        )
        .min(1),
      cuda: z.array(
        z.strictObject({
          since: minor,
          version: z
            .string()
            .regex(/^\d+\.\d$/)
            .nullable(),
          minDriverBranch: z.int().positive().nullable(),
        }),
      ),
      compressedImageGib: positive.nullable(),
      compressedImageSource: text.nullable(),
      notes: z.array(text),
    }),
  ),
}) satisfies File<{ engines: readonly EngineFacts[] }>;

const amiFamily = z.enum(["al2023", "bottlerocket"]);

export const eksFile = z.strictObject({
  ...head,
  defaultKubernetes: kubernetesMinor,
  amiTypes: z.array(
    z.strictObject({
      family: amiFamily,
      arch: z.enum(["amd64", "arm64"]),
      accelerator: z.enum(["none", "nvidia", "neuron"]),
      amiType: z.string().regex(/^(AL2023|BOTTLEROCKET)_(x86_64|ARM_64)(_[A-Z]+)?$/),
    }),
  ),
  amiReleases: z.array(
    z.strictObject({
      family: amiFamily,
      kubernetes: kubernetesMinor,
      releaseVersion: z
        .string()
        .regex(/^1\.\d+\.\d+-20\d{6}$/)
        .nullable(),
    }),
  ),
  gpuImages: z.array(
    z.strictObject({
      family: amiFamily,
      driverBranch: z.int().positive(),
      driverVersion: text.nullable(),
      containerToolkit: z.boolean(),
      devicePlugin: z.boolean(),
      fabricManager: z.boolean(),
    }),
  ),
  addons: z.array(
    z.strictObject({
      name: z.enum([
        "vpc-cni",
        "coredns",
        "kube-proxy",
        "aws-ebs-csi-driver",
        "eks-pod-identity-agent",
        "eks-node-monitoring-agent",
        "metrics-server",
      ]),
      versions: z.record(
        kubernetesMinor,
        z
          .string()
          .regex(/^v\d+\.\d+\.\d+-eksbuild\.\d+$/)
          .nullable(),
      ),
    }),
  ),
  kubeletReserve: z.strictObject({
    memoryBaseMib: z.int().positive(),
    memoryPerPodMib: z.int().positive(),
    evictionHardMemoryMib: z.int().positive(),
    evictionHardDiskPercent: positive,
    cpuSteps: z.array(z.strictObject({ upToCores: z.int().positive().nullable(), percent: positive })),
  }),
  vmMemoryOverheadPercent: positive,
  localStorage: z.strictObject({
    strategies: z.array(z.enum(["RAID0", "RAID10", "Mount"])),
    mountPath: path,
    raidPath: path,
  }),
  hugePages2MiOnEfaHosts: z.int().positive(),
  nodeGroupLimits: z.strictObject({
    taints: z.int().positive(),
    labels: z.int().positive(),
    instanceTypes: z.int().positive(),
  }),
  capacityBlock: z.strictObject({ scaleToZeroMinutesBeforeEnd: z.int().positive() }),
}) satisfies File<Omit<EksFacts, "provenance">>;

const metricNames = z.array(z.string().regex(/^[A-Za-z_:][A-Za-z0-9_:]*$/)).min(1);

export const metricsFile = z.strictObject({
  ...head,
  dcgm: z.strictObject({ on: metricNames, off: metricNames, notForMig: metricNames }),
  engines: z.strictObject({ tei: metricNames, triton: metricNames, ovms: metricNames }),
  gateways: z.strictObject({ survivesZeroPods: metricNames }),
  wrong: z.array(z.strictObject({ name: text, use: text })),
}) satisfies File<Omit<KnownMetrics, "provenance">>;
