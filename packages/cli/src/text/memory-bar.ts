import type { FitAnswer } from "@capstan/core";

interface Part {
  readonly letter: string;
  readonly name: string;
  readonly gib: number;
}

const WIDTH = 64;

/** What fills one GPU, in the order in which it is taken. */
function partsOf({ memory }: FitAnswer): readonly Part[] {
  const kv = Math.max(0, memory.availableKvGib);
  const taken: readonly Part[] = [
    { letter: "W", name: "weights", gib: memory.weightsGib },
    { letter: "A", name: "activation", gib: memory.activationGib },
    { letter: "N", name: "non-torch", gib: memory.nonTorchGib },
    { letter: "S", name: "sampler tables", gib: memory.samplerTablesGib },
    { letter: "G", name: "CUDA graphs", gib: memory.cudaGraphGib },
    { letter: "K", name: "KV cache", gib: kv },
  ];
  const free = memory.totalGib - taken.reduce((sum, part) => sum + part.gib, 0);
  return [...taken, { letter: ".", name: "free", gib: Math.max(0, free) }];
}

/** A bar for each GPU of the replica, and what the letters stand for. */
export function memoryBars(answer: FitAnswer): string {
  const parts = partsOf(answer);
  const bar = barOf(parts, answer.memory.totalGib);
  const gpus = Array.from({ length: answer.resolved.gpus }, (_, gpu) => `  GPU ${gpu} [${bar}]`);
  const legend = parts
    .filter((part) => part.gib >= 0.005)
    .map(({ letter, name, gib }) => `${letter} ${name} ${gib.toFixed(2)}`);
  const half = Math.ceil(legend.length / 2);
  return [...gpus, `  ${legend.slice(0, half).join("   ")}`, `  ${legend.slice(half).join("   ")}`].join("\n");
}

/** Letters by size; what does not fit on the GPU runs over the end of the bar and is marked. */
function barOf(parts: readonly Part[], totalGib: number): string {
  let bar = "";
  let sum = 0;
  for (const { letter, gib } of parts) {
    sum += gib;
    const end = Math.round((sum / totalGib) * WIDTH);
    bar += letter.repeat(Math.max(gib > 0.005 && end === bar.length && bar.length < WIDTH ? 1 : 0, end - bar.length));
  }
  return bar.length > WIDTH ? `${bar.slice(0, WIDTH - 2)}>>` : bar.padEnd(WIDTH, ".");
}
