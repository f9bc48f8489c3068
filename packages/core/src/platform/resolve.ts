import {
  acknowledgementFindings,
  isDeclaration,
  resolvePool,
  resolveService,
  unusedAcknowledgements,
} from "../check.ts";
import { DEFAULT_KUBERNETES, defaultMonitoring, type MonitoringContext, type ResolveContext } from "../context.ts";
import { type Finding, sortFindings, throwOnErrors } from "../finding.ts";
import { deepFreeze } from "../freeze.ts";
import type { Pool } from "../pool/props.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import { OriginLog } from "../provenance.ts";
import { platformRules } from "../rules/registry.ts";
import { toFinding } from "../rules/rule.ts";
import type { ResolvedService } from "../service/resolved.ts";
import { shapeFindings } from "../shape.ts";
import { resolveAddons } from "./addons.ts";
import { resolveNamespaces } from "./namespaces.ts";
import { resolvePreloaders } from "./preloaders.ts";
import type { PlatformProps, Service } from "./props.ts";
import type { ResolvedPlatform } from "./resolved.ts";
import { platformShape } from "./shape.ts";

/**
 * A whole platform from one declaration: resolved, checked, and thrown out with everything that is wrong with it at once.
 *
 * @throws DeclarationError naming every error finding that nobody acknowledged
 */
export function platform(props: PlatformProps): ResolvedPlatform {
  const resolved = resolvePlatform(props);
  throwOnErrors(`platform ${resolved.name}`, resolved.findings);
  return resolved;
}

/** The same without throwing: what a plan shows when the platform has errors. */
export function resolvePlatform(props: PlatformProps): ResolvedPlatform {
  const origins = new OriginLog();
  const shape = shapeFindings(platformShape, props, "platform");
  const given = shape.length === 0 ? props : usable(props);
  const context = contextOf(given, origins);
  const pools: ResolvedPool[] = [];
  const services: ResolvedService[] = [];
  const findings: Finding[] = [...shape];
  for (const declaration of declarations(given.pools)) {
    const checked = resolvePool(declaration, context);
    if (checked.pool) pools.push(checked.pool);
    findings.push(...checked.findings);
  }
  for (const declaration of declarations(given.services)) {
    const checked = resolveService(declaration, context);
    if (checked.service) services.push(checked.service);
    findings.push(...checked.findings);
  }
  return assemblePlatform({
    name: origins.orDefault("name", given.name, "inference", "one platform a cluster"),
    context,
    pools,
    services,
    addons: resolveAddons(given, pools, services, origins),
    scaleDownDelaySeconds: origins.orDefault(
      "scaleDownDelaySeconds",
      given.scaleDownDelaySeconds,
      600,
      "cluster-autoscaler waits ten minutes",
    ),
    acknowledge: given.acknowledge ?? {},
    origins: origins.done(),
    findings,
  });
}

/** What can still be looked at when the shape is wrong, so that the mistakes inside are told together with it. */
function usable(props: unknown): PlatformProps {
  const { environment, pools, services } = (
    typeof props === "object" && props !== null ? props : {}
  ) as Partial<PlatformProps>;
  return {
    environment: typeof environment === "string" ? environment : "unknown",
    pools: declarations(pools),
    services: declarations(services),
  };
}

/** The entries that are declarations; the shape names the others. */
function declarations<T extends Pool | Service>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]).filter((entry) => isDeclaration(entry)) : [];
}

export interface PlatformParts
  extends Pick<ResolvedPlatform, "name" | "context" | "addons" | "scaleDownDelaySeconds" | "acknowledge" | "origins"> {
  readonly pools: readonly ResolvedPool[];
  readonly services: readonly ResolvedService[];
  /** Of the declarations, so far. */
  readonly findings: readonly Finding[];
}

/** What follows from pools and services together, and what the platform rules say of it. */
export function assemblePlatform(parts: PlatformParts): ResolvedPlatform {
  const unchecked = {
    kind: "platform" as const,
    ...parts,
    preloaders: resolvePreloaders(parts.services, parts.context),
    namespaces: resolveNamespaces(parts.pools, parts.services, parts.context),
  };
  const findings = [...parts.findings, ...acknowledgementFindings(parts.acknowledge, "platform")];
  for (const rule of platformRules) {
    for (const hit of rule.check(unchecked)) findings.push(toFinding(rule, hit, ownerOf(hit.at), parts.acknowledge));
  }
  findings.push(...unusedAcknowledgements(parts.acknowledge, findings, "platform"));
  return deepFreeze({ ...unchecked, findings: sortFindings(findings.map((f) => acknowledged(f, parts))) });
}

/** Hits of pools and services carry their place; the others are the platform's own. */
function ownerOf(at: string): string {
  return /^(pools|services)\./.test(at) ? "" : "platform";
}

/** A platform may acknowledge for everything in it. */
function acknowledged(finding: Finding, parts: PlatformParts): Finding {
  const reason = parts.acknowledge[finding.id];
  if (reason === undefined || finding.acknowledged !== null || finding.id === "acknowledge.invalid") return finding;
  const impossible = acknowledgementFindings({ [finding.id]: reason }, "platform").length > 0;
  if (impossible) return finding;
  return { ...finding, severity: finding.severity === "error" ? "warning" : finding.severity, acknowledged: reason };
}

function contextOf(props: PlatformProps, origins: OriginLog): ResolveContext {
  const production = origins.orDerived(
    "production",
    props.production,
    () => /^prod(uction)?$/.test(props.environment ?? ""),
    ["environment"],
    "environments called prod or production",
  );
  return deepFreeze({
    environment: props.environment,
    production,
    region: props.region ?? null,
    kubernetes: origins.orDefault(
      "kubernetes",
      props.kubernetes,
      DEFAULT_KUBERNETES,
      "the newest that every add-on supports",
    ),
    monitoring: monitoringOf(props),
    keda: (props.keda ?? "install") !== "none",
    ingressNamespaces: props.ingressNamespaces ?? [],
  });
}

function monitoringOf(props: PlatformProps): MonitoringContext | null {
  if (props.monitoring === "none") return null;
  if (props.monitoring?.kind === "existing-prometheus") {
    const { prometheusUrl, namespace, monitorLabels, scrapeIntervalSeconds } = props.monitoring;
    return { prometheusUrl, namespace, monitorLabels, scrapeIntervalSeconds };
  }
  return defaultMonitoring;
}
