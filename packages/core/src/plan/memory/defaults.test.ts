import { expect, test } from "vitest";
import { batchTier, defaultUtilisation, vllmDefaults } from "./defaults.ts";
import { exactVersion } from "./engine-version.ts";
import { h100, l4, model } from "./testing/cases.ts";

const llama = model("meta-llama/Llama-3.1-8B-Instruct");
const tier = (version: string, totalGib: number, computeCapability = "9.0", isA100 = false) => {
  const { maxNumSeqs, maxNumBatchedTokens } = batchTier(exactVersion(version), { totalGib, computeCapability, isA100 });
  return [maxNumSeqs, maxNumBatchedTokens];
};

test("the batch tier follows the device's memory", () => {
  expect(tier("0.33.0", 79.19)).toEqual([1024, 8192]);
  expect(tier("0.33.0", 69.9)).toEqual([256, 2048]);
  expect(tier("0.33.0", 70)).toEqual([1024, 8192]);
  expect(tier("0.33.0", 22.5)).toEqual([256, 2048]);
});

test("an A100 gets the small tier however large it is", () => {
  expect(tier("0.33.0", 79.25, "8.0", true)).toEqual([256, 2048]);
});

test("the third tier of 160 GiB came with 0.28", () => {
  expect(tier("0.27.1", 178, "10.0")).toEqual([1024, 8192]);
  expect(tier("0.28.0", 178, "10.0")).toEqual([1024, 16384]);
});

test("GB10 falls to the small tier in 0.33", () => {
  expect(tier("0.32.0", 119, "12.1")).toEqual([1024, 8192]);
  expect(tier("0.33.0", 119, "12.1")).toEqual([256, 2048]);
});

test("utilisation rises to 0.92 with 0.20.0", () => {
  expect(defaultUtilisation(exactVersion("0.19.1"))).toBe(0.9);
  expect(defaultUtilisation(exactVersion("0.20.0"))).toBe(0.92);
});

test("tokens are cut to sequences x length, then sequences to the tokens", () => {
  const common = { version: "0.33.0", device: h100, model: llama, precision: "bf16" } as const;
  // 1024 sequences x 4 tokens = 4096, less than 8192.
  expect(vllmDefaults({ ...common, maxModelLen: 4 })).toMatchObject({ maxNumSeqs: 1024, maxNumBatchedTokens: 4096 });
  // 512 tokens were asked for; of the 1024 sequences of the tier 512 are left.
  expect(vllmDefaults({ ...common, maxNumBatchedTokens: 512 })).toMatchObject({
    maxNumSeqs: 512,
    maxNumBatchedTokens: 512,
  });
  // What the user gave is not cut.
  expect(vllmDefaults({ ...common, maxNumSeqs: 2048, maxNumBatchedTokens: 512 })).toMatchObject({
    maxNumSeqs: 2048,
    maxNumBatchedTokens: 512,
  });
});

test("a block has 16 tokens, 32 for latent attention on Blackwell", () => {
  const of = (id: string, computeCapability: string) =>
    vllmDefaults({
      version: "0.33.0",
      device: { ...l4, computeCapability },
      model: model(id),
      precision: "bf16",
    }).blockSize;
  expect(of("meta-llama/Llama-3.1-8B-Instruct", "10.0")).toBe(16);
  expect(of("deepseek-ai/DeepSeek-V2-Lite-Chat", "9.0")).toBe(16);
  expect(of("deepseek-ai/DeepSeek-V2-Lite-Chat", "10.0")).toBe(32);
});

test("a version that is not exact is named", () => {
  expect(() => vllmDefaults({ version: "0.33", device: h100, model: llama, precision: "bf16" })).toThrow('"0.33"');
});
