import {
  type CpuPool,
  type Finding,
  type GpuPool,
  type ResolveContext,
  type ResolvedPool,
  resolvePool,
  standalone,
  throwOnErrors,
} from "@capstan/core";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster.ts";
import { type NodeSubnets, nodeSubnets, subnetsOfZones } from "../cluster/subnets.ts";
import { nodeGroupFindings } from "./findings.ts";

export interface NodeGroupQuestion {
  readonly cluster: Cluster;
  readonly pool: GpuPool | CpuPool | ResolvedPool;
  readonly subnetIds?: pulumi.Input<pulumi.Input<string>[]>;
}

export interface ResolvedNodeGroup {
  readonly pool: ResolvedPool;
  readonly subnets: NodeSubnets;
  readonly findings: readonly Finding[];
}

/** Finds everything that can be wrong before anything is registered, and throws it all at once. */
export function resolveNodeGroup(
  subject: string,
  question: NodeGroupQuestion,
  wanted: ResolvedPool["kind"],
): ResolvedNodeGroup {
  const given = question.pool;
  // A resolved pool has been judged where it was resolved.
  const { pool, findings } = isResolved(given)
    ? { pool: given, findings: [] }
    : resolvePool(given, contextOf(question.cluster));
  const subnets = pool && chosenSubnets(pool, question);
  const all = [...findings, ...(pool ? nodeGroupFindings({ pool, cluster: question.cluster, subnets, wanted }) : [])];
  throwOnErrors(subject, all);
  // A pool that does not resolve and zones without subnets are error findings that nobody can accept.
  if (pool === null || subnets === null) throw new Error(`${subject} cannot be resolved`);
  return { pool, subnets, findings: all };
}

function isResolved(pool: GpuPool | CpuPool | ResolvedPool): pool is ResolvedPool {
  return pool.kind === "gpu" || pool.kind === "cpu";
}

/** What is known of the surroundings where no platform says it. */
export function contextOf(cluster: Pick<Cluster, "region" | "kubernetes" | "production">): ResolveContext {
  return { ...standalone, region: cluster.region, kubernetes: cluster.kubernetes, production: cluster.production };
}

/** Subnets of a pool's nodes; null where its zones are not among the cluster's. */
export function chosenSubnets(
  pool: ResolvedPool,
  given: { readonly cluster: Pick<Cluster, "subnets">; readonly subnetIds?: pulumi.Input<pulumi.Input<string>[]> },
): NodeSubnets | null {
  if (given.subnetIds !== undefined) return nodeSubnets(given.subnetIds);
  if (pool.zones === null) return given.cluster.subnets;
  return subnetsOfZones(given.cluster.subnets, pool.zones);
}
