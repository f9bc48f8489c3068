import type { FitOption, FitRanking } from "@capstan/core";
import pc from "picocolors";
import { dollars, three, whole } from "./figures.ts";
import { remedyLines, type Style } from "./fit-text.ts";
import { type Colours, table, wrapped } from "./table.ts";

/** More rows nobody reads; the JSON has them all. */
const MOST_SERVING = 20;
const MOST_FAILING = 6;

/** The best way on each instance type, the cheapest that serves first; then what is cheaper and fails. */
export function rankingText(ranking: FitRanking, style: Style): string {
  const colours = pc.createColors(style.colour);
  const best = bestOfEach(ranking.options);
  const serving = best.filter((option) => option.verdict === "serves");
  const failing = best.filter((option) => option.verdict !== "serves");
  const fixable = failing.find((option) => option.remedies.length > 0);
  const parts = [
    `${colours.bold(titleOf(ranking))}\n${wrapped(headline(ranking, colours), "  ", style.columns)}`,
    serving.length > 0 ? `${colours.bold("Serves")}\n${optionTable(serving.slice(0, MOST_SERVING), colours)}` : null,
    failing.length > 0
      ? `${colours.bold("Does not serve as asked")}\n${optionTable(failing.slice(0, MOST_FAILING), colours)}`
      : null,
    fixable === undefined
      ? null
      : `${colours.bold(`What would make ${fixable.instanceType} fit, each alone`)}\n${remedyLines(fixable.remedies, colours, style.columns)}`,
    `${colours.bold("Notes")}\n${notes(ranking)
      .map((note) => wrapped(note, "  * ", style.columns))
      .join("\n")}`,
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

function bestOfEach(options: readonly FitOption[]): readonly FitOption[] {
  const seen = new Set<string>();
  return options.filter(({ instanceType }) => {
    if (seen.has(instanceType)) return false;
    seen.add(instanceType);
    return true;
  });
}

function titleOf({ options }: FitRanking): string {
  const first = options[0]?.resolved;
  return first === undefined ? "No instance type can be judged" : `${first.model}, ${first.engine}, ${first.region}`;
}

function headline({ options, cheapest }: FitRanking, colours: Colours): string {
  const winner = cheapest === null ? undefined : options[cheapest];
  if (winner === undefined) return colours.red("No instance type serves it as asked.");
  return `${colours.green("Cheapest")}: ${winner.instanceType}${placeText(winner)} in ${winner.precision}, ${dollars(winner.cost.usdPerHour)}/h, ${three(winner.kvCache.maxConcurrency)} requests of ${whole(winner.resolved.maxModelLen)} tokens at once.`;
}

function placeText(option: FitOption): string {
  if (option.mig !== null) return `, slice ${option.mig}`;
  return option.tensorParallel > 1 ? `, tensor parallel ${option.tensorParallel}` : "";
}

function optionTable(options: readonly FitOption[], colours: Colours): string {
  const verdicts = { serves: "serves", "cannot-serve-one-request": "too long", "does-not-load": "does not load" };
  return table(
    ["instance", "GPU", "slice or TP", "weights", "verdict", "at once", "tokens/s", "$/hour", "$/1M out"],
    options.map((option) => [
      option.instanceType,
      option.resolved.gpu,
      option.mig ?? (option.tensorParallel > 1 ? `TP ${option.tensorParallel}` : ""),
      option.precision,
      verdicts[option.verdict],
      three(option.kvCache.maxConcurrency),
      option.throughput.outputTokensPerSecond === null ? "-" : whole(option.throughput.outputTokensPerSecond.expected),
      option.cost.usdPerHour === null ? "-" : option.cost.usdPerHour.toFixed(2),
      option.cost.usdPerMillionOutputTokens === null ? "-" : option.cost.usdPerMillionOutputTokens.expected.toFixed(2),
    ]),
    [5, 6, 7, 8],
    colours,
  );
}

function notes({ options, notRanked }: FitRanking): readonly string[] {
  const first = options[0];
  const list = [
    `${options.length} ways on ${new Set(options.map((option) => option.instanceType)).size} types; the best of each is shown, --json has all`,
    "an hour of the whole instance; a million tokens with every place of it taken at full load",
  ];
  if (first !== undefined) {
    list.push(
      `requests of ${whole(first.resolved.promptTokens)} prompt and ${whole(first.resolved.outputTokens)} output tokens`,
    );
  }
  const reasons = new Map<string, string[]>();
  for (const { instanceType, reason } of notRanked) reasons.set(reason, [...(reasons.get(reason) ?? []), instanceType]);
  for (const [reason, types] of reasons) list.push(`not judged, ${reason}: ${types.join(", ")}`);
  return list;
}
