import { expect, test } from "vitest";
import { problemsOf } from "./testing/problems.ts";

const llama = { model: "meta-llama/Llama-3.1-8B-Instruct", gpu: "h100-80" };

test("all mistakes of a query at once", () => {
  const found = problemsOf({
    model: "meta-llama/Llama-3.1-8B-Instrct",
    gpu: "h100",
    engine: "vllm@0.34.0",
    quantization: "fp9",
    dtype: "bfloat61",
    region: "us-esat-1",
  });
  expect(Object.keys(found).sort()).toEqual(["dtype", "engine", "gpu", "model", "quantization", "region"]);
  expect(found.model).toContain('did you mean "meta-llama/Llama-3.1-8B-Instruct"');
  expect(found.gpu).toContain('did you mean "h100-80"');
  expect(found.engine).toContain("known are 0.11 to 0.33");
  expect(found.quantization).toContain('did you mean "fp8"');
  expect(found.dtype).toContain('did you mean "bfloat16"');
  expect(found.region).toContain('did you mean "us-east-1"');
});

test.each([
  ["engine", { engine: "vllm@0.19" }, "the version must be exact"],
  ["engine", { engine: "vllm@" }, "not an engine and version that is known"],
  ["engine", { engine: "sglang@0.5.0" }, "not an engine"],
  ["engine", { engine: "vllm@0.8.3" }, "known are 0.11 to 0.33"],
  ["tensorParallel", { model: "Qwen/Qwen3-14B", tensorParallel: 5 }, "vocabulary of 151936"],
  ["tensorParallel", { tensorParallel: 3 }, "32 attention heads"],
  ["tensorParallel", { tensorParallel: 3 }, "valid: 1, 2, 4, 8, 16, the nearest is 2"],
  ["pipelineParallel", { pipelineParallel: 33 }, "has 32 layers"],
  ["gpus", { gpus: 2, tensorParallel: 4 }, "needs 4"],
  ["maxModelLen", { maxModelLen: 200_000 }, 'valid: 1 to 131072, or "auto"'],
  ["promptTokens", { maxModelLen: 4096, promptTokens: 4000, outputTokens: 500 }, "longer than the context of 4096"],
  ["maxNumBatchedTokens", { maxNumSeqs: 512, maxNumBatchedTokens: 256 }, "at least maxNumSeqs, 512"],
  ["mig", { gpu: "l4", mig: "1g.10gb" }, "l4 has no MIG; GPUs that have are a100-40"],
  ["mig", { mig: "1g.5gb" }, "not a profile of h100-80"],
  ["shared", { mig: "1g.10gb", shared: 2 }, "a MIG slice is not shared further"],
  ["tensorParallel", { mig: "3g.40gb", tensorParallel: 2 }, "cannot be split over MIG slices"],
  ["instanceType", { gpu: null, instanceType: "p5.4xlrge" }, 'did you mean "p5.4xlarge"'],
  ["instanceType", { gpu: null, instanceType: "c7i.8xlarge" }, "has no GPU"],
  ["gpu", { gpu: "l4", instanceType: "p5.4xlarge" }, "p5.4xlarge has h100-80"],
  ["tensorParallel", { gpu: null, instanceType: "p5.4xlarge", tensorParallel: 2 }, "p5.4xlarge has 1 GPU"],
  ["gpu", { gpu: "mi300x", totalGpuMemoryGib: 192 }, "known for NVIDIA GPUs"],
  ["totalGpuMemoryGib", { gpu: "t4g" }, "give what nvidia-smi reports"],
  ["quantization", { gpu: "t4", quantization: "mxfp4" }, "needs compute capability 8.0, this GPU has 7.5"],
  ["dtype", { gpu: "t4", dtype: "bfloat16" }, "bf16 needs compute capability 8.0"],
  ["dtype", { quantization: "fp8", dtype: "float32" }, "computed in 16 bits"],
  ["quantization", { quantization: "compressed-tensors" }, "holds several precisions"],
  ["kvCacheDtype", { kvCacheDtype: "fp7" }, "known are auto"],
  ["kvCacheDtype", { engine: "vllm@0.19.0", kvCacheDtype: "nvfp4" }, "came with vLLM 0.20.0"],
  ["parameters", { parameters: 8e9 }, "goes with modelConfig"],
  ["model", { model: "BAAI/bge-m3" }, "is an encoder without a KV cache"],
  ["model", { model: "openai/whisper-large-v3" }, "cross attention"],
  ["model", { model: null }, "name a model of the catalog"],
  ["modelConfig", { modelConfig: { architectures: ["JambaForCausalLM"] } }, "state-space"],
])("%s: %j", (key, change, message) => {
  expect(problemsOf({ ...llama, ...change })[key]).toContain(message);
});

test("two ways of saying how large the model is contradict each other", () => {
  const found = problemsOf({ modelConfig: {}, parameters: 8e9, weightsGib: 15, gpu: "l4" });
  expect(found.weightsGib).toContain("give one of them");
});

test("a region that AWS has but nobody has priced here is no mistake", () => {
  expect(problemsOf({ ...llama, region: "eu-west-3" })).toEqual({});
});

test("keys about the place need a place", () => {
  const found = problemsOf({ model: llama.model, mig: "1g.10gb", gpus: 2 });
  expect(Object.keys(found).sort()).toEqual(["gpus", "mig"]);
});
