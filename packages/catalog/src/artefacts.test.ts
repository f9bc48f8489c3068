import { expect, test } from "vitest";
import { findArtefacts } from "./artefacts.ts";

test("OVMS needs OpenVINO IR: Phi-3-mini int4, the CPU one before the channel-wise one for NPUs", () => {
  const [first, second] = findArtefacts({
    model: "microsoft/Phi-3-mini-4k-instruct",
    engine: "ovms",
    precision: "int4",
  });
  expect(first).toMatchObject({
    repository: "OpenVINO/Phi-3-mini-4k-instruct-int4-ov",
    format: "openvino-ir",
    confidence: "read",
    revision: null,
  });
  expect(second?.repository).toBe("OpenVINO/Phi-3-mini-4k-instruct-int4-cw-ov");
});

test("TEI on CPU wants the ONNX file by its name", () => {
  const [first] = findArtefacts({ model: "BAAI/bge-base-en-v1.5", engine: "tei" });
  expect(first).toMatchObject({
    repository: "BAAI/bge-base-en-v1.5",
    path: "onnx/model.onnx",
    format: "onnx",
    precision: "fp32",
  });
});

test("vLLM gets the model's own repository for its native precision, with its gate", () => {
  const [first] = findArtefacts({ model: "meta-llama/Llama-3.1-8B-Instruct", engine: "vllm", precision: "bf16" });
  expect(first).toMatchObject({
    repository: "meta-llama/Llama-3.1-8B-Instruct",
    bytes: 16_060_522_496,
    bytesBasis: "computed",
    gated: true,
    minComputeCapability: "8.0",
  });
});

test("an alias has its own artefacts, and its weights are not taken for those of the record", () => {
  const repositories = (model: string) =>
    findArtefacts({ model, engine: "vllm" }).map((artefact) => artefact.repository);
  expect(repositories("meta-llama/Llama-3.3-70B-Instruct")).toContain("nvidia/Llama-3.3-70B-Instruct-FP8");
  expect(repositories("meta-llama/Llama-3.1-70B-Instruct")).not.toContain("nvidia/Llama-3.3-70B-Instruct-FP8");
});

test("a name seen only in other people's code is doubtful and comes after the rest", () => {
  const found = findArtefacts({ model: "meta-llama/Llama-3.1-8B-Instruct", engine: "ovms", precision: "int4" });
  expect(found.map((artefact) => artefact.confidence)).toEqual(["read", "doubtful"]);
});

test("no mapping is an empty list", () => {
  expect(findArtefacts({ model: "meta-llama/Llama-3.1-405B-Instruct", engine: "tei" })).toEqual([]);
  expect(findArtefacts({ model: "BAAI/bge-m3", engine: "tei", precision: "int8" })).toEqual([]);
  expect(findArtefacts({ model: "nobody/nothing", engine: "vllm" })).toEqual([]);
});
