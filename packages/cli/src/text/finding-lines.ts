import type { Finding } from "@capstan/core";
import { type Colours, wrapped } from "./table.ts";

/** Up to this many findings of one rule are shown one by one; of three hundred services nobody reads the same line 300 times. */
const SHOWN_ONE_BY_ONE = 2;

/** Findings for people: errors each by itself, what a rule says of many objects once with all their paths. */
export function findingLines(findings: readonly Finding[], colours: Colours, columns: number): string {
  if (findings.length === 0) return "  none";
  return groups(findings)
    .map((group) => groupLines(group, colours, columns))
    .join("\n");
}

/** In the order of the first of each. */
function groups(findings: readonly Finding[]): Finding[][] {
  const byRule = new Map<string, Finding[]>();
  for (const [index, finding] of findings.entries()) {
    const alone = finding.severity === "error" || finding.acknowledged !== null;
    const key = alone ? String(index) : finding.id;
    byRule.set(key, [...(byRule.get(key) ?? []), finding]);
  }
  return [...byRule.values()].flatMap((group) => (group.length > SHOWN_ONE_BY_ONE ? [group] : group.map((f) => [f])));
}

function groupLines(group: readonly Finding[], colours: Colours, columns: number): string {
  const [first, ...others] = group;
  if (!first) return "";
  const lines = [
    wrapped(`${label(first, colours)} ${first.path}: ${first.message}`, "  ", columns),
    wrapped(first.acknowledged !== null ? `because: ${first.acknowledged}` : `fix: ${first.remedy}`, "      ", columns),
  ];
  if (others.length > 0)
    lines.push(wrapped(`also ${others.length}: ${others.map((f) => f.path).join(", ")}`, "      ", columns));
  return [...lines, `      [${first.id}]`].join("\n");
}

function label(finding: Finding, colours: Colours): string {
  if (finding.acknowledged !== null) return colours.dim("acknowledged");
  switch (finding.severity) {
    case "error":
      return colours.red("error");
    case "warning":
      return colours.yellow("warning");
    case "info":
      return "info";
  }
}
