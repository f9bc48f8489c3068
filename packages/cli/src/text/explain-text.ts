import { nearest } from "@capstan/catalog";
import type { Origin, Rule } from "@capstan/core";
import type { PlanFile } from "@capstan/offline";
import { UsageError } from "../usage-error.ts";

export function ruleText(rule: Rule): string {
  const list = (title: string, examples: readonly { readonly title: string }[]) =>
    examples.length > 0 ? [`${title}:`, ...examples.map((e) => `  - ${e.title}`)] : [];
  return `${[
    `${rule.id} (${rule.severity}, about a ${rule.subject})`,
    `  ${rule.reason}`,
    `  read more: ${rule.reference}`,
    rule.acknowledgeable === false
      ? "  cannot be acknowledged"
      : `  acknowledge it on the declaration: acknowledge: { "${rule.id}": "why it is right here" }`,
    ...list("refused, for example", rule.examples.bad),
    ...list("accepted, for example", rule.examples.good),
  ].join("\n")}\n`;
}

/** `services.llama-8b.cpus` -> its value and where it came from. */
export function originText(file: PlanFile, path: string): string {
  const [kind = "", name = "", ...rest] = path.split(".");
  const owners = kind === "pools" ? file.resolved.pools : kind === "services" ? file.resolved.services : [];
  const owner = owners.find((o) => o.name === name);
  if (!owner) throw new UsageError(unknownOwner(file, path));
  const key = rest.join(".");
  const origin = Object.hasOwn(owner.origins, key) ? owner.origins[key] : undefined;
  if (!origin) {
    const known = Object.keys(owner.origins);
    const near = nearest(key, known);
    throw new UsageError(
      `${kind}.${name} has no resolved value "${key}"${near ? `; did you mean "${near}"?` : ""}; it has ${known.join(", ")}`,
    );
  }
  return `${path} = ${JSON.stringify(origin.value)}\n  ${originSentence(origin)}\n`;
}

function unknownOwner(file: PlanFile, path: string): string {
  const known = [
    ...file.resolved.pools.map((p) => `pools.${p.name}`),
    ...file.resolved.services.map((s) => `services.${s.name}`),
  ];
  return `nothing is called "${path}"; start with one of ${known.join(", ") || "(the program declares nothing)"}`;
}

function originSentence(origin: Origin): string {
  switch (origin.from) {
    case "given":
      return "given in the declaration";
    case "default":
      return `default: ${origin.why}`;
    case "derived":
      return `derived from ${origin.of.join(", ")}: ${origin.why}`;
  }
}
