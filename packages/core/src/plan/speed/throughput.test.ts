import * as fc from "fast-check";
import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import { cpuPool, gpuPool } from "../../pool/declare.ts";
import { mig } from "../../pool/sharing.ts";
import { onnx, vllm } from "../../service/declare.ts";
import type { ResolvedService } from "../../service/resolved.ts";
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

test("one request at a time is bound by reading the weights: 16.06 GB at 0.6 x 864 GB/s and 4 ms a step", () => {
  const { outputTokensPerSecond } = replicaThroughput(llama, { promptTokens: 0, outputTokens: 100 }, 1) ?? {
    outputTokensPerSecond: null,
  };
  // (16.0605e9 + 50 tokens x 131,072 B) / 518.4e9 + 0.004 = 0.03499 s a token.
  expect(outputTokensPerSecond?.expected).toBeCloseTo(28.6, 1);
});

test("a slice of an H100 has an eighth of its bandwidth", () => {
  const pool = (sharing: "1g.10gb" | "7g.80gb") =>
    gpuPool({ name: "h100", instanceType: "p5.4xlarge", sharing: mig(sharing), size });
  const on = (sharing: "1g.10gb" | "7g.80gb") =>
    replicaThroughput(
      service(vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool: pool(sharing), maxModelLen: 4096 })),
      { promptTokens: 0, outputTokens: 1000 },
      1,
    );
  const step = (tokens: number | undefined) => 1 / (tokens ?? Number.NaN) - 0.004;
  expect(
    step(on("1g.10gb")?.outputTokensPerSecond.expected) / step(on("7g.80gb")?.outputTokensPerSecond.expected),
  ).toBeCloseTo(8, 5);
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
