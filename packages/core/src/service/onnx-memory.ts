import type { ModelFacts, Precision } from "@capstan/catalog";
import { cpuAssumptions } from "../plan/memory/cpu-assumptions.ts";
import { type CpuEngine, type CpuEngineMemory, cpuEngineMemory } from "../plan/memory/index.ts";

const GIB = 2 ** 30;
/** Arena and activations of a model whose architecture is not known, as a share of its weights. */
const UNKNOWN_ACTIVATION_SHARE = 0.3;

export interface OnnxMemoryInput {
  readonly facts: ModelFacts | null;
  readonly engine: CpuEngine;
  readonly precision: Precision;
  readonly weightsBytes: number | null;
  readonly contextTokens: number;
  readonly concurrency: number;
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
    });
    if (result.supported) return result;
  }
  return input.weightsBytes === null ? null : fromFileSize(input.weightsBytes, input.engine);
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
    requestGib: Math.ceil((weightsGib + activationGib + runtimeGib) * 4) / 4,
    how: [
      `weights ${weightsGib.toFixed(2)} GiB: size of the file`,
      `activations ${activationGib.toFixed(2)} GiB: ${UNKNOWN_ACTIVATION_SHARE} of the weights, assumed since the architecture is not known`,
      `server ${runtimeGib} GiB`,
    ],
  };
}
