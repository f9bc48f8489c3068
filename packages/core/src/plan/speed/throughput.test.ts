import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import { cpuPool, gpuPool } from "../../pool/declare.ts";
import { mig } from "../../pool/sharing.ts";
import { onnx, vllm } from "../../service/declare.ts";
import type { ResolvedService } from "../../service/resolved.ts";
import { calibration } from "./calibration.ts";
import { replicaThroughput } from "./throughput.ts";

const size = { min: 0, max: 4 };

function service(declared: Parameters<typeof resolveService>[0]): ResolvedService {
  const { service: resolved } = resolveService(declared);
  if (!resolved) throw new Error("not resolved");
  return resolved;
}

const llama = service(
  vllm({
    name: "a",
    team: "t",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size }),
    maxModelLen: 8192,
  }),
);

test("one request at a time is bound by reading 15.01 GB of weights at a share of 864 GB/s", () => {
  const throughput = replicaThroughput(llama, { promptTokens: 0, outputTokens: 100 }, 1);
  const { weightBandwidth, kvBandwidth, activationPasses, layerSeconds } = calibration.hardware;
  const v1 = calibration.engines.find((each) => each.engine === "vllm" && each.from === "0.8.0");
  const seconds =
    15_009_849_344 / (864e9 * weightBandwidth) +
    (50 * 131_072) / (864e9 * kvBandwidth) +
    (32 * 8192 * activationPasses) / 864e9 +
    32 * layerSeconds +
    (v1?.stepSeconds ?? Number.NaN) +
    (v1?.sequenceSeconds ?? Number.NaN);
  expect(throughput?.outputTokensPerSecond.expected).toBeCloseTo(1 / seconds, 6);
  expect(throughput?.interTokenSeconds?.expected).toBeCloseTo(seconds, 9);
  expect(throughput).toMatchObject({ concurrency: 1, limitedBy: "bandwidth" });
});

test("a slice of an H100 is slower than the whole of it by no more than its bandwidth is less", () => {
  const on = (sharing: "1g.10gb" | "7g.80gb") => {
    const pool = gpuPool({ name: "h100", instanceType: "p5.4xlarge", sharing: mig(sharing), size });
    const small = service(vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool, maxModelLen: 4096 }));
    return replicaThroughput(small, { promptTokens: 0, outputTokens: 1000 }, 1)?.interTokenSeconds?.expected;
  };
  const ratio = (on("1g.10gb") ?? Number.NaN) / (on("7g.80gb") ?? Number.NaN);
  expect(ratio).toBeLessThan(8);
  expect(ratio).toBeGreaterThan(2);
});

test("ONNX Runtime has AMX kernels for 8 bits: 200 against 25 GFLOP/s a vCPU", () => {
  const pool = cpuPool({ name: "cpu", instanceTypes: ["c7i.8xlarge"], size });
  const on = (precision: "int8" | "fp32") =>
    replicaThroughput(
      service(
        onnx({
          name: "e",
          team: "t",
          model: "BAAI/bge-small-en-v1.5",
          engine: "triton",

          precision,
          pool,
        }),
      ),
      { promptTokens: 200, outputTokens: 0 },
    );
  const ratio =
    (on("int8")?.requestsPerSecond.expected ?? Number.NaN) / (on("fp32")?.requestsPerSecond.expected ?? Number.NaN);
  expect(ratio).toBeCloseTo(8, 1);
  expect(on("int8")).toMatchObject({ interTokenSeconds: null, calibration: null });
});

test("a bigger batch never serves fewer tokens, and the range holds the expectation", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: 1, max: 2000 }),
      (batch, promptTokens, outputTokens) => {
        const at = (n: number) => replicaThroughput(llama, { promptTokens, outputTokens }, n)?.outputTokensPerSecond;
        const [small, large] = [at(batch), at(batch + 1)];
        expect(large?.expected).toBeGreaterThanOrEqual((small?.expected ?? Number.NaN) * (1 - 1e-12));
        expect(small?.low).toBeLessThan(small?.expected ?? Number.NaN);
        expect(small?.high).toBeGreaterThan(small?.expected ?? Number.NaN);
      },
    ),
    { numRuns: 200 },
  );
});

test("nothing is promised for a model whose architecture is not known", () => {
  const pool = cpuPool({ name: "cpu", instanceTypes: ["c7i.4xlarge"], size });
  const classifier = service(
    onnx({
      name: "a",
      team: "t",
      task: "classification",
      precision: "int8",
      model: "distilbert/distilbert-base-uncased-finetuned-sst-2-english",
      pool,
    }),
  );
  expect(replicaThroughput(classifier, { promptTokens: 60, outputTokens: 0 })).toBeNull();
});
