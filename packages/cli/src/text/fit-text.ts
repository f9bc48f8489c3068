import type { FitAnswer, FitRemedy } from "@capstan/core";
import pc from "picocolors";
import { dollars, ranged, seconds, three, whole } from "./figures.ts";
import { memoryBars } from "./memory-bar.ts";
import { type Colours, table, wrapped } from "./table.ts";

export interface Style {
  readonly colour: boolean;
  readonly columns: number;
}

/** An answer for people: the verdict in words, the memory of each GPU, the figures with their ranges, what would help. */
export function fitText(answer: FitAnswer, style: Style): string {
  const colours = pc.createColors(style.colour);
  const parts = [
    `${colours.bold(titleOf(answer))}\n${wrapped(verdictText(answer, colours), "  ", style.columns)}`,
    `${colours.bold(`Memory per GPU, ${answer.memory.totalGib.toFixed(2)} GiB`)}\n${memoryBars(answer)}`,
    `${colours.bold("Figures")}\n${figures(answer, colours)}`,
    answer.remedies.length > 0
      ? `${colours.bold(remedyTitle(answer))}\n${remedyLines(answer.remedies, colours, style.columns)}`
      : null,
    `${colours.bold("Notes")}\n${[calibrationNote(answer), ...answer.notes].map((note) => wrapped(note, "  * ", style.columns)).join("\n")}`,
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

function titleOf({ resolved, cost }: FitAnswer): string {
  const where = `${resolved.gpus} x ${resolved.gpu}${cost.instanceType === null ? "" : ` of ${cost.instanceType}`}`;
  return `${resolved.model}, ${resolved.precision}, on ${where}, ${resolved.engine}`;
}

function verdictText(answer: FitAnswer, colours: Colours): string {
  const { memory, kvCache, resolved } = answer;
  switch (answer.verdict) {
    case "serves":
      return `${colours.green("Serves")}: ${three(kvCache.maxConcurrency)} requests of ${whole(resolved.maxModelLen)} tokens at once.`;
    case "cannot-serve-one-request":
      return `${colours.yellow("Loads, but cannot serve one request")} of ${whole(resolved.maxModelLen)} tokens: the longest that fits is ${whole(kvCache.longestContextTokens)}.`;
    case "does-not-load":
      return memory.availableKvGib <= 0
        ? `${colours.red("Does not load")}: ${(-memory.availableKvGib).toFixed(2)} GiB more are needed before the first KV page.`
        : `${colours.red("Does not load")}: what the engine takes is more than the GPU has.`;
  }
}

function figures(answer: FitAnswer, colours: Colours): string {
  const { kvCache, throughput, cost, resolved, objective } = answer;
  const request = `${whole(resolved.promptTokens)} + ${whole(resolved.outputTokens)} tokens`;
  const rows: (readonly string[])[] = [
    [
      "KV cache",
      `${whole(kvCache.tokens)} tokens`,
      `${whole(kvCache.tokensRange.low)} to ${whole(kvCache.tokensRange.high)}`,
      `${whole(kvCache.blocks)} blocks`,
    ],
  ];
  const { outputTokensPerSecond, ttftSeconds, interTokenSeconds } = throughput;
  if (outputTokensPerSecond !== null && ttftSeconds !== null && interTokenSeconds !== null) {
    rows.push(
      [
        "output",
        `${whole(outputTokensPerSecond.expected)} tokens/s`,
        ranged(outputTokensPerSecond, whole),
        `${whole(throughput.batch ?? 0)} requests of ${request} in flight`,
      ],
      [
        "first token",
        seconds(ttftSeconds.expected),
        ranged(ttftSeconds, seconds),
        `limited by ${throughput.limitedBy ?? "nothing"}`,
      ],
      ["between tokens", seconds(interTokenSeconds.expected), ranged(interTokenSeconds, seconds), ""],
    );
  }
  if (objective !== null) {
    const met = `${three(objective.requestsPerSecond)} requests/s, ${whole(objective.outputTokensPerSecond)} tokens/s`;
    rows.push([
      "objective",
      objective.met ? "met" : "not met",
      objective.met ? `up to ${met}` : "",
      `first token within ${whole(objective.ttftP99Ms)} ms for 99 %`,
    ]);
  }
  rows.push([
    "instance",
    `${dollars(cost.usdPerHour)}${cost.usdPerHour === null ? "" : "/h"}`,
    "",
    replicasText(answer),
  ]);
  if (cost.usdPerMillionOutputTokens !== null) {
    rows.push([
      "1M output tokens",
      dollars(cost.usdPerMillionOutputTokens.expected),
      ranged(cost.usdPerMillionOutputTokens, dollars),
      "at full load",
    ]);
  }
  return table(["", "expected", "range", ""], rows, [1], colours);
}

function replicasText({ cost }: FitAnswer): string {
  if (cost.instanceType === null || cost.replicasPerInstance === null) return cost.basis;
  const replicas = cost.replicasPerInstance;
  return `${cost.instanceType} holds ${replicas} such replica${replicas === 1 ? "" : "s"}`;
}

function remedyTitle({ verdict }: FitAnswer): string {
  return verdict === "serves" ? "For more" : "What would help, each alone";
}

export function remedyLines(remedies: readonly FitRemedy[], colours: Colours, columns: number): string {
  const words = {
    serves: colours.green("serves"),
    "cannot-serve-one-request": "too long still",
    "does-not-load": "not enough",
  };
  return remedies
    .map(({ change, gainGib, why, verdict }) => {
      const gain = `${gainGib < 0 ? "-" : "+"}${Math.abs(gainGib).toFixed(2)} GiB`;
      return `  ${change}  ${gain}, ${words[verdict]}\n${wrapped(why, "      ", columns)}`;
    })
    .join("\n");
}

function calibrationNote({ calibration, memory, cost }: FitAnswer): string {
  const error =
    calibration.medianErrorPercent === null ? "" : `, median error of KV tokens ${calibration.medianErrorPercent} %`;
  const basis = calibration.extrapolated
    ? "no measured start of this version band: figures are extrapolated"
    : `measured band${error}`;
  return `memory: vLLM ${calibration.band}, runner ${calibration.runner}, ${basis}; KV memory within ${memory.uncertaintyGib.toFixed(1)} GiB; price: ${cost.basis}`;
}
