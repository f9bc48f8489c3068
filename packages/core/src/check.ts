import { type ResolveContext, standalone } from "./context.ts";
import { type Finding, sortFindings } from "./finding.ts";
import type { Service } from "./platform/props.ts";
import type { Pool } from "./pool/props.ts";
import { poolValues } from "./pool/resolve.ts";
import type { ResolvedPool } from "./pool/resolved.ts";
import { onnxRules, poolRules, rules, serviceRules, vllmRules } from "./rules/registry.ts";
import { type Rule, toFinding } from "./rules/rule.ts";
import { onnxValues } from "./service/resolve-onnx.ts";
import { vllmValues } from "./service/resolve-vllm.ts";
import type { ResolvedService } from "./service/resolved.ts";

export interface CheckedPool {
  /** Null where the declaration says too little to be resolved. */
  readonly pool: ResolvedPool | null;
  readonly findings: readonly Finding[];
}

export interface CheckedService {
  readonly service: ResolvedService | null;
  readonly findings: readonly Finding[];
}

const checkedPools = new WeakMap<Pool, WeakMap<ResolveContext, CheckedPool>>();

/** Fills the defaults of a pool and runs every pool rule on it. The same declaration and context give the same object. */
export function resolvePool(declaration: Pool, context: ResolveContext = standalone): CheckedPool {
  const known = checkedPools.get(declaration)?.get(context);
  if (known) return known;
  const values = poolValues(declaration, context);
  const findings = [...values.findings, ...(values.pool ? poolFindings(values.pool, context) : [])];
  const checked = { pool: values.pool, findings: sortFindings(findings) };
  const byContext = checkedPools.get(declaration) ?? new WeakMap<ResolveContext, CheckedPool>();
  byContext.set(context, checked);
  checkedPools.set(declaration, byContext);
  return checked;
}

/** What the pool rules say of a resolved pool, wherever it came from. */
export function poolFindings(pool: ResolvedPool, context: ResolveContext): Finding[] {
  const path = `pools.${pool.name}`;
  const findings = poolRules.flatMap((rule) =>
    rule.check(pool, context).map((hit) => toFinding(rule, hit, path, pool.acknowledge)),
  );
  return [
    ...findings,
    ...acknowledgementFindings(pool.acknowledge, path),
    ...unusedAcknowledgements(pool.acknowledge, findings, path),
  ];
}

/** Fills the defaults of a service and runs every rule of its kind on it. Findings of its pool are the pool's own. */
export function resolveService(declaration: Service, context: ResolveContext = standalone): CheckedService {
  const given: unknown = declaration.props.pool;
  // What is no pool is a finding of the service's shape.
  const pool = isDeclaration(given) ? resolvePool(given as Pool, context).pool : null;
  const values =
    declaration.kind === "vllm" ? vllmValues(declaration, pool, context) : onnxValues(declaration, pool, context);
  const findings = [...values.findings, ...(values.service ? serviceFindings(values.service, context) : [])];
  return { service: values.service, findings: sortFindings(findings) };
}

/** What the rules say of a resolved service, wherever it came from. */
export function serviceFindings(service: ResolvedService, context: ResolveContext): Finding[] {
  const path = `services.${service.name}`;
  const findings: Finding[] = [];
  for (const rule of serviceRules) {
    for (const hit of rule.check(service, context)) findings.push(toFinding(rule, hit, path, service.acknowledge));
  }
  if (service.kind === "vllm") {
    for (const rule of vllmRules) {
      for (const hit of rule.check(service, context)) findings.push(toFinding(rule, hit, path, service.acknowledge));
    }
  } else {
    for (const rule of onnxRules) {
      for (const hit of rule.check(service, context)) findings.push(toFinding(rule, hit, path, service.acknowledge));
    }
  }
  return [
    ...findings,
    ...acknowledgementFindings(service.acknowledge, path),
    ...unusedAcknowledgements(service.acknowledge, findings, path),
  ];
}

/** An acknowledgement of a rule that does not exist protects nothing. */
export function acknowledgementFindings(acknowledge: Readonly<Record<string, string>>, path: string): Finding[] {
  return Object.entries(acknowledge).flatMap(([id, reason]) => {
    const rule = rules.find((r) => r.id === id);
    const problem =
      rule === undefined
        ? { message: `there is no rule "${id}"`, remedy: "write the id as the finding shows it" }
        : rule.acknowledgeable === false
          ? { message: `${id} cannot be acknowledged: ${rule.reason}`, remedy: "mend the declaration" }
          : reason.trim() === ""
            ? { message: `${id} is acknowledged without a reason`, remedy: "say why it is right here" }
            : null;
    if (problem === null) return [];
    return [
      {
        id: "acknowledge.invalid",
        severity: "error" as const,
        path: `${path}.acknowledge`,
        ...problem,
        reference: null,
        acknowledged: null,
      },
    ];
  });
}

/** An acknowledgement that matched nothing outlives its mistake, and would hide the next one of its kind. */
export function unusedAcknowledgements(
  acknowledge: Readonly<Record<string, string>>,
  findings: readonly Finding[],
  path: string,
): Finding[] {
  return Object.entries(acknowledge).flatMap(([id, reason]) => {
    const rule = rules.find((r) => r.id === id);
    const valid = rule !== undefined && rule.acknowledgeable !== false && reason.trim() !== "";
    if (!valid || findings.some((finding) => finding.id === id)) return [];
    return [
      {
        id: "acknowledge.unused",
        severity: "info" as const,
        path: `${path}.acknowledge`,
        message: `${id} is acknowledged and found nowhere here`,
        remedy: UNUSED_REMEDY[rule.subject],
        reference: null,
        acknowledged: null,
      },
    ];
  });
}

const UNUSED_REMEDY: Readonly<Record<Rule["subject"], string>> = {
  pool: "remove it, or write it on the pool that needs it",
  vllm: "remove it, or write it on the service that needs it",
  onnx: "remove it, or write it on the service that needs it",
  service: "remove it, or write it on the service that needs it",
  platform: "remove it; a rule about the whole platform is acknowledged on the platform",
  manifest: "remove it; a rule about rendered objects is acknowledged by their annotation capstan.dev/acknowledge",
};

/** Something that `gpuPool`, `vllm` and so on made. Untyped callers pass other things, and are told by the shape. */
export function isDeclaration(value: unknown): value is { readonly kind: string; readonly props: object } {
  return typeof value === "object" && value !== null && "kind" in value && "props" in value;
}
