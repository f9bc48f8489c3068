import type { MemoryBand } from "./bands.ts";
import { requestedBytes, type Situation, type StageBudget, samplerTableBytes } from "./budget.ts";
import type { ArithmeticLine, VllmMemory } from "./types.ts";
import { bytesToGib, gibText } from "./units.ts";

const accountingText: Readonly<Record<MemoryBand["accounting"], string>> = {
  parts: "requested less weights, non-torch memory and the peak of PyTorch",
  consumed: "requested less all that left the device while profiling and the transient peak",
};

export function memoryOf(situation: Situation, budget: StageBudget, uncertainty: number): VllmMemory["memory"] {
  return {
    totalGib: situation.input.device.totalGib,
    requestedGib: bytesToGib(requestedBytes(situation)),
    weightsGib: bytesToGib(budget.weightBytes),
    activationGib: bytesToGib(budget.activation.bytes),
    nonTorchGib: bytesToGib(budget.nonTorch.bytes),
    samplerTablesGib: bytesToGib(budget.tableBytes),
    cudaGraphGib: bytesToGib(budget.graphs.bytes),
    outsideBudgetGib: bytesToGib(budget.outsideBytes),
    availableKvGib: bytesToGib(budget.memory.availableBytes),
    uncertaintyGib: uncertainty,
  };
}

/** Every term of the budget with how it came about; `available for KV` is the first line less the counted ones. */
export function arithmeticOf(
  situation: Situation,
  budget: StageBudget,
  uncertainty: { readonly gib: number; readonly how: string },
): readonly ArithmeticLine[] {
  const { input, band, utilisation } = situation;
  const total = input.device.totalGib;
  const fixed = input.kvCacheMemoryBytes !== undefined;
  const lines: ArithmeticLine[] = [
    { name: "requested", gib: bytesToGib(requestedBytes(situation)), how: `${gibText(total)} x ${utilisation}` },
  ];
  if (input.weightsGibOverride === undefined) {
    for (const part of budget.weights.parts) {
      lines.push({ name: `weights: ${part.name}`, gib: bytesToGib(part.bytes), how: part.how });
    }
  } else {
    lines.push({ name: "weights", gib: input.weightsGibOverride, how: "given, in place of the computed size" });
  }
  lines.push(
    { name: "activation peak", gib: bytesToGib(budget.activation.bytes), how: budget.activation.how },
    { name: "non-torch", gib: bytesToGib(budget.nonTorch.bytes), how: budget.nonTorch.how },
  );
  if (budget.tableBytes > 0) {
    const counted = band.samplerTables === "counted";
    lines.push({
      name: "sampler tables",
      gib: bytesToGib(budget.tableBytes),
      how: `${situation.defaults.maxNumSeqs} sequences x vocabulary x ${samplerTableBytes} B${counted ? "" : "; not counted by this version"}`,
    });
  }
  lines.push({
    name: "CUDA graphs",
    gib: bytesToGib(budget.graphs.bytes),
    how: `${budget.graphs.how}${band.graphsSubtracted ? "" : "; not counted by this version"}`,
  });
  lines.push({
    name: "available for KV",
    gib: bytesToGib(budget.memory.availableBytes),
    how: fixed ? "given; the engine checks it against nothing" : accountingText[band.accounting],
  });
  lines.push({ name: "uncertainty", gib: uncertainty.gib, how: uncertainty.how });
  return lines;
}
