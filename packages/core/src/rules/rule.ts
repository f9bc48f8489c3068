import type { ResolveContext } from "../context.ts";
import type { Acknowledgements, Finding, Severity } from "../finding.ts";
import type { PlatformProps, Service } from "../platform/props.ts";
import type { ResolvedPlatform } from "../platform/resolved.ts";
import type { Pool } from "../pool/props.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { ResolvedOnnx, ResolvedService, ResolvedVllm } from "../service/resolved.ts";
import type { Manifest } from "./manifest.ts";

/** One thing a check found, below the path of what it looked at. */
export interface Hit {
  /** Path inside the subject: `sharing.layout`; empty for the subject itself. */
  readonly at: string;
  readonly message: string;
  readonly remedy: string;
  /** Milder than the rule's own where the mistake weighs less, such as outside production. @default - the rule's */
  readonly severity?: Severity;
}

export interface RuleInfo {
  /** `area.subject.problem`, for ever. */
  readonly id: string;
  readonly severity: Severity;
  /** Why it is a mistake, in one sentence. */
  readonly reason: string;
  /** Where that can be read. */
  readonly reference: string;
  /** False: the cluster cannot do what is declared, so no reason makes it work. @default true */
  readonly acknowledgeable?: boolean;
}

/** Declarations that a rule accepts and refuses: its test and its documentation. */
export interface Examples<Declared> {
  readonly bad: readonly (Example<Declared> & {
    readonly at: string;
    /** Where a hit is milder than the rule. @default - the rule's */
    readonly severity?: Severity;
  })[];
  readonly good: readonly Example<Declared>[];
}

export interface Example<Declared> {
  readonly title: string;
  readonly declare: () => Declared;
  /** What differs from a construct used alone: `{ production: true }`. For pools and services; a platform makes its own. */
  readonly context?: Partial<ResolveContext>;
}

export interface PoolRule extends RuleInfo {
  readonly subject: "pool";
  readonly check: (pool: ResolvedPool, context: ResolveContext) => readonly Hit[];
  readonly examples: Examples<Pool>;
}

export interface VllmRule extends RuleInfo {
  readonly subject: "vllm";
  readonly check: (service: ResolvedVllm, context: ResolveContext) => readonly Hit[];
  readonly examples: Examples<Service>;
}

export interface OnnxRule extends RuleInfo {
  readonly subject: "onnx";
  readonly check: (service: ResolvedOnnx, context: ResolveContext) => readonly Hit[];
  readonly examples: Examples<Service>;
}

/** For services of either kind. */
export interface ServiceRule extends RuleInfo {
  readonly subject: "service";
  readonly check: (service: ResolvedService, context: ResolveContext) => readonly Hit[];
  readonly examples: Examples<Service>;
}

/** Sees the whole set. Paths start at the platform: `services.llama-8b.pool`. */
export interface PlatformRule extends RuleInfo {
  readonly subject: "platform";
  readonly check: (platform: Omit<ResolvedPlatform, "findings">) => readonly Hit[];
  readonly examples: Examples<PlatformProps>;
}

/** Sees rendered objects, ours and those that teams wrote by hand. */
export interface ManifestRule extends RuleInfo {
  readonly subject: "manifest";
  readonly check: (manifest: Manifest) => readonly Hit[];
  readonly examples: Examples<Manifest>;
}

export type Rule = PoolRule | VllmRule | OnnxRule | ServiceRule | PlatformRule | ManifestRule;

export function poolRule(rule: Omit<PoolRule, "subject">): PoolRule {
  return Object.freeze({ subject: "pool", ...rule });
}

export function vllmRule(rule: Omit<VllmRule, "subject">): VllmRule {
  return Object.freeze({ subject: "vllm", ...rule });
}

export function onnxRule(rule: Omit<OnnxRule, "subject">): OnnxRule {
  return Object.freeze({ subject: "onnx", ...rule });
}

export function serviceRule(rule: Omit<ServiceRule, "subject">): ServiceRule {
  return Object.freeze({ subject: "service", ...rule });
}

export function platformRule(rule: Omit<PlatformRule, "subject">): PlatformRule {
  return Object.freeze({ subject: "platform", ...rule });
}

export function manifestRule(rule: Omit<ManifestRule, "subject">): ManifestRule {
  return Object.freeze({ subject: "manifest", ...rule });
}

/** A hit as a finding: acknowledged errors become warnings that show the reason. */
export function toFinding(rule: RuleInfo, hit: Hit, subjectPath: string, acknowledge: Acknowledgements): Finding {
  // A blank reason is none: nobody could read later why it was right.
  const given = rule.acknowledgeable === false ? "" : (acknowledge[rule.id] ?? "").trim();
  const reason = given === "" ? null : given;
  const severity = hit.severity ?? rule.severity;
  return {
    id: rule.id,
    severity: reason !== null && severity === "error" ? "warning" : severity,
    path: [subjectPath, hit.at].filter((part) => part !== "").join("."),
    message: hit.message,
    remedy: hit.remedy,
    reference: rule.reference,
    acknowledged: reason,
  };
}
