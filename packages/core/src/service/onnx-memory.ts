import type { ModelFacts, Precision } from "@capstan/catalog";
import { cpuAssumptions, requestStepGib } from "../plan/memory/cpu-assumptions.ts";
import { type CpuEngine, type CpuEngineMemory, cpuEngineMemory } from "../plan/memory/index.ts";
import { GIB } from "../plan/memory/units.ts";

/** Arena and activations of a model whose architecture is not known, as a share of its weights. */
const UNKNOWN_ACTIVATION_SHARE = 0.3;

export interface OnnxMemoryInput {
  readonly facts: ModelFacts | null;
  readonly engine: CpuEngine;
  readonly precision: Precision;
  readonly weightsBytes: number | null;
  readonly contextTokens: number;
  readonly concurrency: number;
  /** Copies of the model in one server. Each session of ONNX Runtime has weights of its own. */
  readonly instances: number;
}

/** Null where neither the architecture nor the size of the file is known. */
export function onnxMemory(input: OnnxMemoryInput): CpuEngineMemory | null {
  if (input.facts !== null) {
    const result = cpuEngineMemory({
      model: input.facts,
      precision: input.precision,
      engine: input.engine,
      artefactBytes: input.weightsBytes ?? undefined,
      contextTokens: input.contextTokens,
      concurrency: input.concurrency,
      // The servers that we start keep an 8-bit cache, see onnx-engines/ovms.ts.
      kvCacheDtype: input.engine === "ovms" ? "u8" : "auto",
    });
    if (result.supported) return withCopies(result, input);
  }
  return input.weightsBytes === null ? null : withCopies(fromFileSize(input.weightsBytes, input.engine), input);
}

/** Streams of OpenVINO share the weights, and TEI has one session. */
function withCopies(memory: CpuEngineMemory, { engine, instances }: OnnxMemoryInput): CpuEngineMemory {
  if (engine !== "triton" || instances <= 1) return memory;
  const copiesGib = memory.weightsGib * (instances - 1);
  return {
    ...memory,
    weightsGib: memory.weightsGib * instances,
    requestGib: Math.ceil((memory.requestGib + copiesGib) / requestStepGib) * requestStepGib,
    how: [
      ...memory.how,
      `weights of ${instances - 1} further copies ${copiesGib.toFixed(2)} GiB: one session an instance`,
    ],
  };
}

function fromFileSize(bytes: number, engine: CpuEngine): CpuEngineMemory {
  const weightsGib = bytes / GIB;
  const activationGib = weightsGib * UNKNOWN_ACTIVATION_SHARE;
  const { runtimeGib } = cpuAssumptions[engine];
  return {
    supported: true,
    weightsGib,
    kvGib: 0,
    activationGib,
    runtimeGib,
    requestGib: Math.ceil((weightsGib + activationGib + runtimeGib) / requestStepGib) * requestStepGib,
    how: [
      `weights ${weightsGib.toFixed(2)} GiB: size of the file`,
      `activations ${activationGib.toFixed(2)} GiB: ${UNKNOWN_ACTIVATION_SHARE} of the weights, assumed since the architecture is not known`,
      `server ${runtimeGib} GiB`,
    ],
  };
}
