import {
  assemblePlatform,
  type Finding,
  poolFindings,
  type ResolveContext,
  type ResolvedAddons,
  type ResolvedPlatform,
  serviceFindings,
  standalone,
} from "@capstan/core";
import { UserError } from "../errors.ts";
import type { Declarations } from "./declarations.ts";

/**
 * The platform that a program stands for, whether it was declared as one or composed of single constructs, with every
 * finding of its pools, services and of the whole. Null where the program uses none of the constructs.
 */
export function rebuildPlatform(declarations: Declarations): ResolvedPlatform | null {
  const { platforms, pools } = declarations;
  const services = declarations.services.map((s) => s.service);
  if (platforms.length === 0 && pools.length === 0 && services.length === 0) return null;
  const [declared, second] = platforms;
  if (declared && second) throw new UserError(twoPlatforms(platforms.map(({ name }) => name)));
  const context = declared?.context ?? composedContext(declarations);
  const findings: Finding[] = [
    ...pools.flatMap((pool) => poolFindings(pool, context)),
    ...declarations.services.flatMap(({ service, context: own }) => serviceFindings(service, own)),
  ];
  return assemblePlatform({
    name: declared?.name ?? "composed",
    context,
    pools,
    services,
    addons: declared?.addons ?? unknownAddons(),
    scaleDownDelaySeconds: declared?.scaleDownDelaySeconds ?? 600,
    acknowledge: Object.assign({}, ...platforms.map((p) => p.acknowledge)) as Record<string, string>,
    origins: declared?.origins ?? {},
    findings,
  });
}

/** Pools of one name would become one pool, and two regions one quota. */
function twoPlatforms(names: readonly string[]): string {
  return `the program declares ${names.length} platforms (${names.join(", ")}); a plan is of one. Give each its own stack, or test each with planOf`;
}

/** Single constructs know less than a platform: the region of the prices is their pools'. */
function composedContext({ services, pools }: Declarations): ResolveContext {
  const context = services[0]?.context ?? standalone;
  return {
    ...context,
    region: context.region ?? pools.find((pool) => pool.price.region !== null)?.price.region ?? null,
  };
}

/** A program that composes single constructs runs on a cluster whose add-ons it does not declare. */
function unknownAddons(): ResolvedAddons {
  return {
    gpuOperator: "present",
    keda: "present",
    monitoring: { mode: "present", retentionDays: 0, storageGib: 0, storageClass: "" },
    clusterAutoscaler: "present",
    kubecost: null,
    nodeAgentTaints: [],
  };
}
