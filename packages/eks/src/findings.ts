import type { Acknowledgements, Finding, Severity } from "@capstan/core";

export interface FindingText {
  readonly id: string;
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
  readonly reference?: string;
}

/** A finding; an error that its declaration gives a reason for becomes a warning that shows the reason. */
export function finding(severity: Severity, text: FindingText, acknowledge: Acknowledgements): Finding {
  const reason = acknowledge[text.id] ?? null;
  return {
    id: text.id,
    severity: severity === "error" && reason !== null ? "warning" : severity,
    path: text.path,
    message: text.message,
    remedy: text.remedy,
    reference: text.reference ?? null,
    acknowledged: reason,
  };
}

/** `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
