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
  const serving = best.filter(isGood);
  const failing = best.filter((option) => !isGood(option));
  const fixable = failing.find((option) => option.remedies.length > 0);
  const parts = [
    `${colours.bold(titleOf(ranking))}\n${wrapped(headline(ranking, colours), "  ", style.columns)}`,
    serving.length > 0 ? `${colours.bold("Serves")}\n${servingTable(serving.slice(0, MOST_SERVING), colours)}` : null,
    failing.length > 0
      ? `${colours.bold("Does not serve as asked")}\n${failingTable(failing.slice(0, MOST_FAILING), colours)}`
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
  const first = options[0];
  if (winner === undefined && first !== undefined && isGood(first)) {
    return `${colours.green("Serves")}, but no price is known in ${first.resolved.region}, so nothing is cheapest.`;
  }
  if (winner === undefined) return colours.red("No instance type serves it as asked.");
  return `${colours.green("Cheapest")}: ${winner.instanceType}${placeText(winner)} in ${winner.precision}, ${dollars(winner.cost.usdPerHour)}/h, ${three(winner.kvCache.maxConcurrency)} requests of ${whole(winner.resolved.maxModelLen)} tokens at once.`;
}

function placeText(option: FitOption): string {
  if (option.mig !== null) return `, slice ${option.mig}`;
  return option.tensorParallel > 1 ? `, tensor parallel ${option.tensorParallel}` : "";
}

/** What serves, with speed and price. */
function servingTable(options: readonly FitOption[], colours: Colours): string {
  return table(
    ["instance", "GPU", "slice or TP", "weights", "at once", "tokens/s", "$/hour", "$/1M out"],
    options.map((option) => [
      ...wayOf(option),
      three(option.kvCache.maxConcurrency),
      option.throughput.outputTokensPerSecond === null ? "-" : whole(option.throughput.outputTokensPerSecond.expected),
      hourly(option),
      option.cost.usdPerMillionOutputTokens === null ? "-" : option.cost.usdPerMillionOutputTokens.expected.toFixed(2),
    ]),
    [4, 5, 6, 7],
    colours,
  );
}

/** What does not, with how far it gets. */
function failingTable(options: readonly FitOption[], colours: Colours): string {
  return table(
    ["instance", "GPU", "slice or TP", "weights", "verdict", "longest", "$/hour"],
    options.map((option) => [
      ...wayOf(option),
      option.verdict === "serves"
        ? "misses the objective"
        : option.verdict === "does-not-load"
          ? "does not load"
          : "too long",
      option.kvCache.longestContextTokens === 0 ? "-" : `${whole(option.kvCache.longestContextTokens)} tokens`,
      hourly(option),
    ]),
    [5, 6],
    colours,
  );
}

function wayOf(option: FitOption): readonly string[] {
  const split = option.tensorParallel > 1 ? `TP ${option.tensorParallel}` : "";
  return [option.instanceType, option.resolved.gpu, option.mig ?? split, option.precision];
}

function hourly({ cost }: FitOption): string {
  return cost.usdPerHour === null ? "-" : cost.usdPerHour.toFixed(2);
}

function isGood(option: FitOption): boolean {
  return option.verdict === "serves" && (option.objective === null || option.objective.met);
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
