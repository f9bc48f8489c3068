import type { Cycle } from "./cycle.ts";
import { meanContext } from "./cycle.ts";
import type { SpeedSituation } from "./engine-speed.ts";
import { totalSeconds } from "./step.ts";
import type { SpeedLine } from "./types.ts";
import { attendedTokens } from "./work.ts";

/** Every term with how it came about; the last lines follow from those above. */
export function arithmeticOf(situation: SpeedSituation, cycle: Cycle, prefillSeconds: number): readonly SpeedLine[] {
  const { replica, shape, limit, rate, input } = situation;
  const { work, rates, link, hardware, engine } = replica;
  const context = meanContext(shape);
  const promptFlops = work.denseFlops + work.expertFlops;
  const seconds = cycle.seconds;
  const requests = cycle.batch / seconds;
  const line = (name: string, value: number, unit: SpeedLine["unit"], how: string): SpeedLine => ({
    name,
    value,
    unit,
    how,
  });
  return [
    line("batch", limit.batch, "requests", limit.how),
    line(
      "weights of a step",
      work.denseBytes,
      "B",
      `matrices of one rank of TP ${replica.tensorParallel}, output head in 16 bits`,
    ),
    ...(work.expertShare === 0
      ? []
      : [
          line(
            "experts",
            work.expertBytes,
            "B",
            `all of a rank; a token uses ${work.expertShare}, a step reads what its tokens touch`,
          ),
        ]),
    line("weight rate", rates.weightBytesPerSecond, "B/s", `published bandwidth x ${hardware.weightBandwidth}`),
    line(
      "KV of a sequence",
      attendedTokens(work.attention, context) * work.attention.kvBytesPerLayer,
      "B",
      `mean of ${context} tokens, ${work.attention.kvBytesPerLayer} B a layer`,
    ),
    line("KV rate", rates.kvBytesPerSecond, "B/s", `published bandwidth x ${hardware.kvBandwidth}`),
    line("work of a token", promptFlops, "FLOP", "2 x parameters that a token uses, of one rank, without output head"),
    line(
      "arithmetic rate",
      rates.flopsPerSecond,
      "FLOP/s",
      `${rate.how}, ${rate.peak / 1e12} TFLOP/s dense x ${hardware.compute[rate.kind]}${rate.unpacks ? ` x ${hardware.unpackedCompute}` : ""}`,
    ),
    line("link", link.kind === "none" ? 0 : link.bytesPerSecond, "B/s", link.how),
    line("decode step", totalSeconds(cycle.step), "s", stepText(cycle)),
    line(
      "of it, engine",
      engine.stepSeconds + cycle.sequences * engine.sequenceSeconds,
      "s",
      `${engine.engine} ${engine.band}: ${engine.stepSeconds} s + ${cycle.sequences} x ${engine.sequenceSeconds} s`,
    ),
    line("prompt among others", totalSeconds(cycle.prompt), "s", `${shape.freshTokens} tokens not in the prefix cache`),
    line("prompt alone", prefillSeconds, "s", `chunks of at most ${replica.maxNumBatchedTokens} tokens`),
    line("cycle", seconds, "s", `${cycle.decodeSteps} steps + ${cycle.sequences} prompts`),
    line("requests", requests, "requests/s", `${cycle.batch} / cycle`),
    line("output", requests * input.outputTokens, "tokens/s", `requests x ${input.outputTokens} tokens`),
  ];
}

function stepText({ step, sequences }: Cycle): string {
  const parts = Object.entries(step)
    .filter(([, seconds]) => seconds > 0)
    .map(([name, seconds]) => `${name} ${(seconds * 1000).toFixed(3)} ms`);
  return `${sequences} sequences: ${parts.join(" + ")}`;
}
