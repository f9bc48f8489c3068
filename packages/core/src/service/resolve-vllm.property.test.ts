import fc from "fast-check";
import { expect, test } from "vitest";
import { claimCache, nvmeCache } from "../cache/props.ts";
import { type CheckedService, resolveService } from "../check.ts";
import { standalone } from "../context.ts";
import { customModel } from "../model/model.ts";
import { hub, s3, secretKey } from "../model/source.ts";
import { cpuPool, existingPool, gpuPool } from "../pool/declare.ts";
import type { Pool } from "../pool/props.ts";
import { mig, mps, timeSlicing } from "../pool/sharing.ts";
import { fixed, onCpu, onQueue, schedule } from "../scaling/props.ts";
import { vllm } from "./declare.ts";
import type { VllmProps } from "./vllm-props.ts";

const size = { min: 0, max: 2 };

/** Pools that a service can be resolved on, with the slice that it has to name. */
const slots: readonly (readonly [pool: Pool, slice?: string])[] = [
  [gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" })],
  [gpuPool({ name: "l4", instanceType: "g6.xlarge", size, sharing: timeSlicing(4) })],
  [gpuPool({ name: "mps", instanceType: "g6e.12xlarge", size, sharing: mps(3), capacity: "spot" })],
  [gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, amiFamily: "bottlerocket" })],
  [gpuPool({ name: "mig", instanceType: "p5.4xlarge", size, sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }) }), "3g.40gb"],
  [gpuPool({ name: "t4g", instanceType: "g5g.2xlarge", size })],
  [existingPool({ name: "there", instanceType: "g4dn.xlarge", nodeSelector: {}, size })],
];
const others: readonly Pool[] = [
  gpuPool({ name: "f", instanceType: "g6f.xlarge", size }),
  gpuPool({ name: "none", instanceType: "g6.xlarge", size, sharing: timeSlicing(0) }),
  cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size }),
];

/** Numbers as people and machines get them wrong, but numbers. */
const number = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3, 7, 8, 64, 4096, 8192, 131_072, 1e9, -1e9, 2 ** 53, 1e300, Number.MIN_VALUE),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const positive = fc.oneof(
  fc.constantFrom(Number.MIN_VALUE, 0.5, 1, 30, 1e9, 1e300),
  fc.double({ min: 1e-3, max: 1e12, noNaN: true }),
);
const amount = fc.oneof(fc.constantFrom(0, 0.5, 1e9, 1e300), fc.nat());
const count = fc.oneof(fc.integer({ min: -3, max: 100 }), fc.constantFrom(1e9, -1e9));
const text = fc.oneof(fc.constantFrom("", " ", "-", "--", "../..", "fp8", "auto", "a=b", "$(x)", "a/b/c"), fc.string());
const flag = fc.oneof(
  fc.constantFrom(
    "--seed=1",
    "--seed",
    "-tp=2",
    "--no-seed",
    "--swap-space=4",
    "--api-key=x",
    "--data-parallel-size=",
    "--data-parallel-size=-2",
    "--compilation-config.mode=3",
    "--",
    "--=",
    "=",
    "--enable-",
    "--load-format=runai_streamer",
    "--enable-chunked-prefill.x",
    "--lora-modules",
    "a=b",
  ),
  fc.string(),
  fc.string().map((value) => `--${value}`),
);
const source = fc.oneof(
  fc.record({ repository: text, revision: text }, { requiredKeys: ["repository"] }).map(hub),
  fc.constant(hub({ token: secretKey("", "") })),
  fc.record({ bucket: text, prefix: text }).map((location) => s3(location)),
  text.map((location) => s3(location)),
);
const hours = fc.array(fc.record({ timezone: text, weekdays: text, from: text, to: text, replicas: count }), {
  maxLength: 2,
});
const scaling = fc.oneof(
  count.map(fixed),
  fc
    .record(
      { min: count, max: count, hours, targetPerReplica: number, cooldownSeconds: count },
      { requiredKeys: ["min", "max"] },
    )
    .map(onQueue),
  fc.record({ min: count, max: count, targetPercent: number }).map(onCpu),
  fc.record({ hours, outside: count }).map(schedule),
);

const FACT_NUMBERS = [
  "layers",
  "hiddenSize",
  "attentionHeads",
  "kvHeads",
  "headDim",
  "intermediateSize",
  "vocabSize",
  "maxPositionEmbeddings",
  "slidingWindow",
];
const facts = fc.record(Object.fromEntries(FACT_NUMBERS.map((key) => [key, number]))).map((numbers) => ({
  id: "acme/model",
  architecture: "LlamaForCausalLM",
  generative: true,
  tiedEmbeddings: false,
  dtype: "bfloat16",
  attention: "gqa",
  layerTypes: null,
  moe: null,
  mla: null,
  parameters: { total: numbers.layers, active: null, embedding: numbers.hiddenSize, lmHead: 0 },
  checkpointBytes: 1,
  nativeQuantization: null,
  gated: null,
  confidence: "medium",
  source: "made up",
  ...numbers,
}));
const model = fc.oneof(
  fc.constantFrom(
    "meta-llama/Llama-3.1-8B-Instruct",
    "openai/gpt-oss-20b",
    "deepseek-ai/DeepSeek-V2-Lite-Chat",
    "google/gemma-3-4b-it",
    "openai/whisper-large-v3",
    "BAAI/bge-m3",
    "Qwen/Qwen2.5-7B-Instruct",
  ),
  fc.record({ id: text, weightsBytes: fc.constantFrom(1, 16e9, 1e15) }).map((m) => customModel(m)),
  fc
    .record({ id: text, weightsBytes: fc.constantFrom(1, 16e9), facts })
    .map((m) => customModel(m as unknown as Parameters<typeof customModel>[0])),
);

/** Values of the right types, whatever they are: what a shape lets through, the rules have to judge. */
const optional = {
  namespace: text,
  engineVersion: fc.constantFrom("0.33.0", "0.33", "v0.32.0", "0.31.9", "0.27.1", "0.19.1", "0.11.2"),
  precision: fc.constantFrom("bf16", "fp8", "awq", "nvfp4", "bnb-4bit", "mxfp4", "int4", "fp32"),
  gpus: number,
  tensorParallel: number,
  pipelineParallel: number,
  maxModelLen: fc.oneof(number, fc.constant("auto")),
  maxNumSeqs: number,
  maxNumBatchedTokens: number,
  gpuMemoryUtilization: fc.oneof(number, fc.constantFrom(0.1, 0.5, 0.9, 1)),
  kvCacheDtype: fc.oneof(fc.constantFrom("fp8", "nvfp4", "fp8_ds_mla", "int8_per_token_head", "float16"), text),
  kvCacheGib: number,
  cpus: number,
  memoryGib: positive,
  drainSeconds: fc.nat(),
  enforceEager: fc.boolean(),
  dtype: fc.constantFrom("auto", "float16", "float32", "bfloat16"),
  prefixCaching: fc.boolean(),
  servedModelName: text,
  toolCallParser: text,
  reasoningParser: text,
  trustRemoteCode: fc.boolean(),
  lora: fc.record({ maxAdapters: count, maxRank: count }),
  cache: fc.oneof(
    source.map((from) => nvmeCache({ source: from })),
    fc
      .record({
        claimName: text,
        accessMode: fc.constantFrom("ReadWriteOnce" as const, "ReadWriteMany" as const),
        path: text,
      })
      .map(claimCache),
  ),
  extraArgs: fc.array(flag, { maxLength: 4 }),
  environmentVariables: fc.array(
    fc.record({ name: fc.oneof(fc.constantFrom("VLLM_PORT", "HF_TOKEN", "HOME", "VLLM_X"), text), value: text }),
    { maxLength: 3 },
  ),
  image: fc.record({ repository: text, tag: text, digest: text }, { requiredKeys: ["repository"] }),
  scaling,
  traffic: fc.record({ requestsPerDay: amount, promptTokens: amount, outputTokens: amount }),
  objective: fc.record({ ttftP99Ms: positive }),
  ingressNamespaces: fc.array(text, { maxLength: 2 }),
  spareGpu: fc.boolean(),
};
const typed = fc
  .tuple(
    fc.constantFrom(...slots),
    fc.record(
      { name: text, team: text, model, source, ...optional },
      { requiredKeys: ["name", "team", "model", "source"] },
    ),
  )
  .map(([[pool, slice], props]) => ({ ...props, pool, ...(slice === undefined ? {} : { slice }) }));

/** What comes from a file without a compiler: wrong types, NaN, names that exist nowhere, pools without a slot. */
const junk = fc.oneof(
  fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY, "8k", "all", true, [], {}),
  fc.string(),
  fc.double(),
);
const wild = fc
  .tuple(
    fc.constantFrom(...slots.map(([pool]) => pool), ...others),
    fc.record(
      { name: text, team: text, model: fc.oneof(model, text), ...optional },
      { requiredKeys: ["name", "team", "model"] },
    ),
    fc.constantFrom(...Object.keys(optional)),
    junk,
  )
  .map(([pool, props, broken, value]) => ({ ...props, pool, [broken]: value }));

function resolve(declared: unknown, production: boolean): CheckedService {
  return resolveService(vllm(declared as VllmProps), { ...standalone, production });
}

function expectReadable({ findings }: CheckedService): void {
  for (const { id, message, remedy } of findings) {
    expect(message).not.toBe("");
    expect(remedy).not.toBe("");
    // The schema's own words say "received undefined" of what is missing.
    if (id !== "declaration.shape") expect(`${message} ${remedy}`).not.toMatch(/\bundefined\b|\[object/);
  }
}

test("a declaration of the right types is resolved, whatever the values, and every finding can be read", {
  timeout: 120_000,
}, () => {
  let resolved = 0;
  fc.assert(
    fc.property(typed, fc.boolean(), (declared, production) => {
      const checked = resolve(declared, production);
      if (checked.service !== null) resolved++;
      else expect(checked.findings.some((f) => f.severity === "error")).toBe(true);
      expectReadable(checked);
    }),
    { numRuns: 600 },
  );
  // Else the property would speak of the shape check only.
  expect(resolved).toBeGreaterThan(300);
});

test("one that is not is refused with a reason, and nothing throws", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(wild, (declared) => {
      const checked = resolve(declared, true);
      if (checked.service === null) expect(checked.findings.some((f) => f.severity === "error")).toBe(true);
      expectReadable(checked);
    }),
    { numRuns: 400 },
  );
});
