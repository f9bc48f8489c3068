import { DEFAULT_KUBERNETES, type Finding, type ResolvedPool, throwOnErrors } from "@capstan/core";
import { contextOf } from "../node-group/resolve.ts";
import { type Cidr, parseCidr } from "./cidr.ts";
import type { ClusterFeatures } from "./features.ts";
import { clusterFindings } from "./findings.ts";
import type { EksClusterArgs } from "./props.ts";
import { resolveSystemPool } from "./system-pool.ts";

const DEFAULT_CIDR = "10.0.0.0/16";
const DEFAULT_LOG_RETENTION_DAYS = 90;

export interface ResolvedCluster {
  readonly region: string;
  readonly clusterName: string;
  readonly kubernetes: string;
  readonly production: boolean;
  /** Null: subnets that are there already. */
  readonly vpc: {
    readonly cidr: Cidr;
    readonly zones: readonly string[];
    readonly natGateways: "one" | "per-zone";
  } | null;
  readonly publicCidrs: readonly string[];
  readonly logRetentionDays: number;
  readonly systemPool: ResolvedPool;
  readonly features: ClusterFeatures;
  readonly findings: readonly Finding[];
}

/** Fills every default, and throws everything that is wrong at once, before anything is registered. */
export function resolveCluster(name: string, args: EksClusterArgs): ResolvedCluster {
  const { region, vpc } = args;
  const production = args.production ?? false;
  const clusterName = args.clusterName ?? name;
  const kubernetes = args.version ?? DEFAULT_KUBERNETES;
  const zones = (vpc?.zones ?? []).map((zone) => (/^[a-z]$/.test(zone) ? `${region}${zone}` : zone));
  const cidr = vpc?.cidr ?? DEFAULT_CIDR;
  const system = resolveSystemPool(args.systemPool ?? {}, contextOf({ region, kubernetes, production }));
  const findings = [
    ...clusterFindings({ args, clusterName, kubernetes, zones, cidr }),
    ...system.findings.map((found) => ({ ...found, path: found.path.replace(/^pools\.system/, "systemPool") })),
  ];
  const subject = `EksCluster "${name}"`;
  throwOnErrors(subject, findings);
  // Without a pool there are error findings, and nobody can accept those.
  if (system.pool === null) throw new Error(`${subject} has a system pool that cannot be resolved`);
  return {
    region,
    clusterName,
    kubernetes,
    production,
    vpc: vpc
      ? { cidr: parseCidr(cidr)!, zones, natGateways: vpc.natGateways ?? (production ? "per-zone" : "one") }
      : null,
    publicCidrs: args.endpoint?.publicCidrs ?? [],
    logRetentionDays: args.logRetentionDays ?? DEFAULT_LOG_RETENTION_DAYS,
    systemPool: system.pool,
    features: featuresOf(args),
    findings,
  };
}

function featuresOf(args: EksClusterArgs): ClusterFeatures {
  return Object.freeze({
    metricsServer: true,
    ebsCsi: true,
    gp3StorageClass: true,
    podIdentityAgent: true,
    networkPolicy: true,
    loadBalancerController: args.loadBalancerController ?? true,
    vpcCniRole: true,
  });
}
