import { expect, test } from "vitest";
import { engineSpeed, engineSpeedWith } from "./engine-speed.ts";
import { input, model, perfect, supported } from "./testing/cases.ts";

const llama70b = model("meta-llama/Llama-3.1-70B-Instruct");

test("output of one request at a time on an H100 with perfect kernels: 1 / (4.48 ms + KV) less the prompt", () => {
  const speed = engineSpeedWith(input({ promptTokens: 0, outputTokens: 100, concurrency: 1 }), perfect());
  if (!speed.supported) throw new Error(speed.reason);
  // (15,009,849,344 + 32 x 4,096 x 50) B / 3,350e9 B/s = 4.48251 ms.
  expect(speed.outputTokensPerSecond.expected).toBeCloseTo(223.09, 2);
  expect(speed.decodeStepSeconds).toBeCloseTo(0.00448251, 8);
  expect(speed.interTokenSeconds.expected).toBeCloseTo(0.00448251, 8);
  expect(speed.limitedBy).toBe("bandwidth");
});

test("the last lines of the arithmetic are the result, and parts of the step sum up to it", () => {
  const speed = supported(input({ tensorParallel: 2, concurrency: 32 }));
  const value = (name: string) => speed.arithmetic.find((line) => line.name === name)?.value ?? Number.NaN;
  expect(value("output")).toBe(speed.outputTokensPerSecond.expected);
  expect(value("batch") / value("cycle")).toBeCloseTo(speed.requestsPerSecond.expected, 9);
  const cycle = 500 * value("decode step") + 32 * value("prompt among others");
  expect(value("cycle")).toBeCloseTo(cycle, 9);
  expect(speed.batch).toBe(32);
});

test("without NVLink twice the ranks gain little, with it much (L40S and H100, 70B in FP8)", () => {
  const at = (gpu: "l40s" | "h100-80", tensorParallel: number) =>
    supported(
      input({
        model: llama70b,
        precision: "fp8",
        gpu,
        tensorParallel,
        concurrency: 128,
        promptTokens: 1000,
        outputTokens: 1000,
      }),
    );
  const gain = (gpu: "l40s" | "h100-80") =>
    at(gpu, 8).requestsPerSecond.expected / at(gpu, 4).requestsPerSecond.expected;
  expect(gain("l40s")).toBeLessThan(1.25);
  expect(gain("l40s")).toBeGreaterThan(1);
  expect(gain("h100-80")).toBeGreaterThan(1.3);
  expect(at("l40s", 8).limitedBy).toBe("communication");
});

test("what limits it: KV where more of it would serve more, else the longest part", () => {
  expect(supported(input({ kvTokens: 10_000 })).limitedBy).toBe("kv");
  expect(supported(input({ promptTokens: 4000, outputTokens: 10 })).limitedBy).toBe("compute");
  expect(supported(input({ concurrency: 1 })).limitedBy).toBe("bandwidth");
  expect(
    supported(input({ engineVersion: "0.5.4", concurrency: 100, promptTokens: 10, outputTokens: 100 })).limitedBy,
  ).toBe("overhead");
});

test("an estimate says whether a published point is near", () => {
  const near = supported(input({ engine: "tensorrt-llm", precision: "fp8", kvCacheDtype: "fp8" }));
  expect(near.calibration.extrapolated).toBe(false);
  expect(near.calibration.points).toBeGreaterThan(10);
  expect(near.assumptions).toContain("KV cache in FP8");
  for (const far of [
    input({ gpu: "t4", precision: "fp16" }),
    input({ engine: "tensorrt-llm", precision: "fp8", pipelineParallel: 2 }),
    input({ engine: "tensorrt-llm", precision: "fp8", deviceShare: { bandwidth: 0.5, compute: 0.5 } }),
    input({
      engine: "tensorrt-llm",
      precision: "fp8",
      speculation: { draftTokens: 3, tokensPerStep: 2, draftCostShare: 0 },
    }),
    input({ precision: "awq" }),
  ]) {
    const { calibration, outputTokensPerSecond } = supported(far);
    expect(calibration.extrapolated).toBe(true);
    expect(outputTokensPerSecond.high / outputTokensPerSecond.low).toBeCloseTo(1.73 ** 2, 9);
  }
});

test("V0 of vLLM spends more on a step than V1", () => {
  const at = (engineVersion: string) => supported(input({ engineVersion, concurrency: 64 })).interTokenSeconds.expected;
  expect(at("0.5.4")).toBeGreaterThan(1.3 * at("0.8.0"));
  expect(at("0.7.3")).toBe(at("0.5.4"));
  expect(at("0.33.0")).toBe(at("0.8.0"));
});

test.each([
  [{ tensorParallel: 0 }, "tensorParallel is 0; it must be a whole number above 0"],
  [{ promptTokens: -1 }, "promptTokens is -1; it must be 0 or more"],
  [{ concurrency: 0 }, "concurrency is 0; it must be 1 or more"],
  [{ deviceShare: { bandwidth: 2, compute: 1 } }, "deviceShare.bandwidth is 2; it must be above 0 and at most 1"],
  [{ prefixCacheHitRate: 1 }, "prefixCacheHitRate is 1; it must be 0 or more and below 1"],
  [{ engineVersion: "0.33" }, 'engine version "0.33" is not an exact version such as 0.33.0'],
  [{ kvTokens: 1000 }, "the KV cache holds 1000 tokens, one request of this traffic needs 1500"],
  [
    { speculation: { draftTokens: 2, tokensPerStep: 4, draftCostShare: 0 } },
    "speculation.tokensPerStep is 4; with 2 draft tokens it must be 1 to 3",
  ],
  [{ gpu: "mi300x" }, "no published figure of AMD Instinct MI300X was used to calibrate: no claim about its speed"],
  [{ gpu: "t4g" }, "the arithmetic rate of NVIDIA T4G in bf16 is not known"],
  [
    { gpu: "rtx-pro-4500-blackwell" },
    "the memory bandwidth of NVIDIA RTX PRO 4500 Blackwell Server Edition is not known",
  ],
  [
    { model: model("BAAI/bge-m3") },
    '"BAAI/bge-m3" does not generate text from a KV cache of its own: there is no decode step to time',
  ],
] as const)("%o is refused", (change, reason) => {
  expect(engineSpeed(input(change))).toEqual({ supported: false, reason });
});
