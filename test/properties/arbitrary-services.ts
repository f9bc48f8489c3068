import { customModel, type ResolvedPool, type SlotOffer } from "@capstan/core";
import fc from "fast-check";
import type { Props, ServiceShape } from "./blueprint.ts";

/** Up to three services that a node of the pool has room for. */
export function servicesOn(index: number, pool: ResolvedPool): fc.Arbitrary<ServiceShape[]> {
  const kinds = pool.kind === "gpu" ? gpuServices(pool) : cpuServices(pool);
  if (kinds.length === 0) return fc.constant([]);
  return fc.array(fc.tuple(fc.oneof(...kinds), common(pool)), { maxLength: 3 }).map((drawn) =>
    drawn.map(([{ make, props }, shared], i) => ({
      make,
      pool: index,
      props: { ...shared, ...props, name: `s${index}x${i}` },
    })),
  );
}

interface Drawn {
  readonly make: ServiceShape["make"];
  readonly props: Props;
}

const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 2 }];

function common(pool: ResolvedPool): fc.Arbitrary<Props> {
  const scalings: fc.Arbitrary<unknown>[] = [
    fc.integer({ min: 1, max: 6 }).map((replicas) => ({ kind: "fixed", replicas })),
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 5 }))
      .map(([min, more]) => ({ kind: "queue", min, max: min + more })),
    fc.constant({ kind: "queue", min: 0, max: 3, wake: { query: "sum(gateway_requests_waiting)", threshold: 4 } }),
    fc.constant({ kind: "schedule", hours, outside: 0 }),
  ];
  if (pool.kind === "cpu") scalings.push(fc.constant({ kind: "cpu", min: 1, max: 5, targetPercent: 70 }));
  return fc.record(
    {
      team: fc.constantFrom("search", "support", "labs"),
      scaling: fc.oneof(...scalings),
      namespace: fc.constantFrom("models", "shared-models"),
      drainSeconds: fc.integer({ min: 10, max: 120 }),
      ingressNamespaces: fc.constantFrom<readonly string[] | "any">([], ["gateway"], "any"),
      traffic: fc.record({
        requestsPerDay: fc.integer({ min: 100, max: 100_000 }),
        promptTokens: fc.integer({ min: 10, max: 300 }),
        outputTokens: fc.integer({ min: 1, max: 150 }),
      }),
    },
    { requiredKeys: ["team"] },
  );
}

/** Parameters of two bytes, and what the attention divides by. */
const MODELS = [
  { id: "Qwen/Qwen2.5-0.5B-Instruct", weightsGib: 1, ranks: [1, 2] },
  { id: "Qwen/Qwen2.5-1.5B-Instruct", weightsGib: 2.9, ranks: [1, 2] },
  { id: "Qwen/Qwen3-4B", weightsGib: 7.5, ranks: [1, 2, 4] },
  { id: "Qwen/Qwen2.5-7B-Instruct", weightsGib: 14.2, ranks: [1, 2, 4] },
  { id: "Qwen/Qwen2.5-32B-Instruct", weightsGib: 61.1, ranks: [1, 2, 4, 8] },
];

function gpuServices(pool: ResolvedPool): fc.Arbitrary<Drawn>[] {
  return pool.slots.flatMap((slot) =>
    MODELS.flatMap(({ id, weightsGib, ranks }) =>
      ranks
        .filter((gpus) => gpus === 1 || (slot.migProfile === null && slot.sharedBy === 1 && gpus <= slot.slotsPerNode))
        .filter((gpus) => hasRoom(pool, slot, weightsGib, gpus))
        .map((gpus) => gpuService(pool, slot, id, gpus)),
    ),
  );
}

/** By hand, and with something to spare: what is about to fit is for other tests. */
function hasRoom(pool: ResolvedPool, slot: SlotOffer, weightsGib: number, gpus: number): boolean {
  const memoryGib = slot.memoryGib ?? 0;
  const beside = memoryGib > 70 ? 10 : memoryGib > 20 ? 5 : 4;
  const total = pool.slots.reduce((sum, { slotsPerNode }) => sum + slotsPerNode, 0);
  const pods = Math.floor(total / gpus);
  const { cpuMillis, memoryMib, ephemeralGib } = pool.allocatable;
  return (
    (weightsGib * 1.1) / gpus + beside <= memoryGib * 0.88 &&
    pods * (12 + gpus + 1.2 * Math.min(10, weightsGib)) <= memoryMib / 1024 &&
    pods * 2 * gpus <= cpuMillis / 1000 &&
    pods * (14 + 1.3 * weightsGib) <= ephemeralGib
  );
}

function gpuService(pool: ResolvedPool, slot: SlotOffer, model: string, gpus: number): fc.Arbitrary<Drawn> {
  const sources: Props[] = [
    {},
    { source: { kind: "s3", bucket: "models", prefix: model } },
    { cache: { kind: "claim-cache", claimName: "models", accessMode: "ReadWriteMany", path: model } },
  ];
  if (pool.nvmeGib > 0) {
    sources.push({ cache: { kind: "nvme-cache", source: { kind: "s3", bucket: "models", prefix: model } } });
    sources.push({ cache: { kind: "nvme-cache", source: { kind: "hub" } } });
  }
  return fc
    .tuple(
      fc.constantFrom(...sources),
      fc.constantFrom(512, 1024, 2048),
      fc.record(
        {
          engineVersion: fc.constantFrom("0.19.1", "0.23.0", "0.27.1", "0.33.0"),
          prefixCaching: fc.boolean(),
          enforceEager: fc.boolean(),
          servedModelName: fc.constant("chat"),
          maxNumSeqs: fc.constantFrom(32, 128),
          environmentVariables: fc.constant([{ name: "VLLM_LOGGING_LEVEL", value: "INFO" }]),
          extraArgs: fc.constant(["--seed=1"]),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([source, maxModelLen, more]) => ({
      make: "vllm",
      props: {
        model,
        maxModelLen,
        ...source,
        ...more,
        ...(gpus > 1 ? { tensorParallel: gpus } : {}),
        ...(pool.slots.length > 1 ? { slice: slot.migProfile } : {}),
      },
    }));
}

function cpuServices(pool: ResolvedPool): fc.Arbitrary<Drawn>[] {
  const { largestSlotVcpus, threadsPerCore } = pool.cpu;
  const cores = Math.floor(largestSlotVcpus / threadsPerCore);
  const cpus = fc.option(
    fc.integer({ min: 1, max: Math.min(16, cores) }).map((n) => n * threadsPerCore),
    { nil: undefined },
  );
  const drawn = (props: fc.Arbitrary<Props>): fc.Arbitrary<Drawn> =>
    fc
      .tuple(props, cpus)
      .map(([own, n]) => ({ make: "onnx", props: { ...own, ...(n === undefined ? {} : { cpus: n }) } }));
  const embeddings = drawn(fc.constant({ model: "BAAI/bge-small-en-v1.5" }));
  if (pool.arch === "arm64") return [embeddings];
  const generation = fc
    .tuple(fc.constantFrom(512, 1024, 2048), fc.integer({ min: 1, max: 8 }))
    .map(([contextTokens, concurrency]) => ({
      model: "microsoft/Phi-3-mini-4k-instruct",
      contextTokens,
      concurrency,
    }));
  const classification = fc.constant({
    model: customModel({ id: "acme/fraud-detector", weightsBytes: 420_000_000 }),
    task: "classification",
    source: { kind: "s3", bucket: "models", prefix: "fraud" },
  });
  return [embeddings, drawn(generation), drawn(classification)];
}
