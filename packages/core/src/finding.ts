export type Severity = "error" | "warning" | "info";

/** One thing a rule has to say about a declaration, a platform or a rendered object. */
export interface Finding {
  /** Stable rule id, `area.subject.problem`. */
  readonly id: string;
  readonly severity: Severity;
  /** Where: `services.llama-8b.tensorParallel`. */
  readonly path: string;
  /** What is wrong, with the value, and what is valid. */
  readonly message: string;
  /** What to write instead. */
  readonly remedy: string;
  /** Where the rule's reason can be read; null where the reason is arithmetic. */
  readonly reference: string | null;
  /** The reason the declaration gives for keeping it as it is, else null. */
  readonly acknowledged: string | null;
}

/** Rule ids that a declaration knows better about, each with the reason shown wherever the finding would be. */
export type Acknowledgements = Readonly<Record<string, string>>;

/** An error that nobody has acknowledged: the platform must not be deployed. */
export function isBlocking(finding: Finding): boolean {
  return finding.severity === "error" && finding.acknowledged === null;
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Errors first, then by path and id: the same findings always print the same way. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      Number(a.acknowledged !== null) - Number(b.acknowledged !== null) ||
      RANK[a.severity] - RANK[b.severity] ||
      compare(a.path, b.path) ||
      compare(a.id, b.id) ||
      compare(a.message, b.message),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every blocking finding of a declaration or platform, in one message and without a stack for the user to read. */
export class DeclarationError extends Error {
  readonly findings: readonly Finding[];

  constructor(subject: string, findings: readonly Finding[]) {
    const blocking = sortFindings(findings.filter(isBlocking));
    const lines = blocking.map((f) => `  ${f.path}: ${f.message}\n    fix: ${f.remedy} [${f.id}]`);
    const count = blocking.length === 1 ? "1 error" : `${blocking.length} errors`;
    super(`${subject} has ${count}; nothing was registered:\n${lines.join("\n")}`);
    this.name = "DeclarationError";
    this.findings = sortFindings(findings);
    // The frames are ours, the mistake is in the declaration that the message names.
    this.stack = `${this.name}: ${this.message}`;
  }
}

export function throwOnErrors(subject: string, findings: readonly Finding[]): void {
  if (findings.some(isBlocking)) throw new DeclarationError(subject, findings);
}
