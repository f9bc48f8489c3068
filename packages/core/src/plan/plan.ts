import { pricesAsOf } from "@capstan/catalog";
import type { ResolvedPlatform } from "../platform/resolved.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import { slotsPerNode } from "../pool/resolved.ts";
import type { Traffic } from "../service/common-props.ts";
import type { ResolvedService } from "../service/resolved.ts";
import type { MoneyRange, NodeCounts, PlannedPool, PlannedService, PlatformPlan } from "./document.ts";
import { nodeShare } from "./nodes/pack.ts";
import { poolNodes, type WeeklyService } from "./nodes/pool-nodes.ts";
import { HOURS_PER_MONTH, HOURS_PER_WEEK, weeklyReplicas } from "./nodes/week.ts";
import { requiredQuotas } from "./quota.ts";
import { sustainedRequestsPerSecond } from "./speed/sustained-load.ts";
import { type ReplicaThroughput, replicaThroughput } from "./speed/throughput.ts";

const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600;

/** What the platform will be, before anything exists: nodes, fit, cold starts, money, findings. */
export function plan(platform: ResolvedPlatform): PlatformPlan {
  const weeks = new Map(platform.services.map((service) => [service, weekOf(service)]));
  const weekly: WeeklyService[] = [...weeks].map(([service, { hours }]) => ({ service, hours }));
  const pools = platform.pools.map((pool) => plannedPool(pool, weekly));
  const services = platform.services.map((service) =>
    plannedService(service, weeks.get(service) ?? weekOf(service), pools, weekly),
  );
  return {
    pools,
    services,
    findings: platform.findings,
    cost: {
      usdPerMonth: sumMoney(pools.map((p) => p.usdPerMonth)),
      byTeam: byTeam(services, pools),
      pricesAsOf: pricesAsOf(),
      region: platform.context.region,
      assumptions: ASSUMPTIONS,
    },
    quota: requiredQuotas(platform.pools, platform.context.region),
  };
}

const ASSUMPTIONS: readonly string[] = [
  "nodes of the declared pools only: system pool, control plane, volumes, load balancers, NAT and data transfer come on top",
  "730 hours a month; every service has its busiest hour at the same time",
  "a service pays for its pool's idle capacity in proportion to what it uses",
  "replicas follow rooflines whose constants were fitted to published throughput (CPU engines: assumed): see the range of each, and where it is extrapolated",
];

interface Week {
  readonly hours: readonly number[];
  readonly throughput: ReplicaThroughput | null;
}

function weekOf(service: ResolvedService): Week {
  const throughput = service.traffic ? replicaThroughput(service, service.traffic) : null;
  const demand = service.traffic && {
    requestsPerDay: service.traffic.requestsPerDay,
    peakToMean: service.traffic.peakToMean,
    requestsPerSecondPerReplica: throughput && sustainedRequestsPerSecond(throughput),
  };
  return { hours: weeklyReplicas(service.scaling, demand), throughput };
}

function plannedPool(pool: ResolvedPool, weekly: readonly WeeklyService[]): PlannedPool {
  const nodes = poolNodes(pool, weekly);
  const money = poolMoney(pool, nodes);
  const paid = paidNodes(pool, nodes.expected);
  const used = weekly
    .filter((w) => w.service.pool.name === pool.name)
    .reduce((sum, w) => sum + mean(w.hours) * nodeShare(w.service), 0);
  return {
    name: pool.name,
    instanceType: pool.instanceTypes[0] ?? "",
    gpu: pool.gpu?.model ?? null,
    slotsPerNode: slotsPerNode(pool),
    resourceName: pool.slots[0]?.resource ?? null,
    slots: pool.slots.map(({ resource, slotsPerNode: count, memoryGib }) => ({
      resource,
      slotsPerNode: count,
      memoryGib: memoryGib === null ? null : round(memoryGib),
    })),
    allocatable: {
      vcpus: round(pool.allocatable.cpuMillis / 1000),
      memoryGib: round(pool.allocatable.memoryMib / 1024),
    },
    nodes,
    usdPerHour: pool.price.usdPerHour,
    usdPerMonth: money,
    idleShare: money.expected === null || paid === 0 ? null : round(Math.max(0, 1 - used / paid)),
  };
}

function poolMoney(pool: ResolvedPool, nodes: NodeCounts): MoneyRange {
  const price = pool.price.usdPerHour;
  if (!price) return { min: null, expected: null, max: null };
  return {
    min: cents(paidNodes(pool, nodes.min) * price.low * HOURS_PER_MONTH),
    expected: cents(paidNodes(pool, nodes.expected) * price.expected * HOURS_PER_MONTH),
    max: cents(paidNodes(pool, nodes.max) * price.high * HOURS_PER_MONTH),
  };
}

/** What is reserved is paid whether it runs or not, and a pool reserves what it may grow to. */
function paidNodes(pool: ResolvedPool, running: number): number {
  switch (pool.capacity.kind) {
    case "reservation":
    case "capacity-block":
      return pool.size.max;
    case "on-demand":
    case "spot":
      return running;
  }
}

function plannedService(
  service: ResolvedService,
  week: Week,
  pools: readonly PlannedPool[],
  weekly: readonly WeeklyService[],
): PlannedService {
  const pool = pools.find((p) => p.name === service.pool.name);
  const neighbours = weekly.filter((w) => w.service.pool.name === service.pool.name);
  const replicas: NodeCounts = {
    min: service.scaling.min,
    expected: round(mean(week.hours)),
    peak: Math.max(...week.hours),
    max: service.scaling.max,
  };
  // One share for all three, or a service's least could be above its expected money, and teams would not add up.
  const weight = (w: WeeklyService) => mean(w.hours) * nodeShare(w.service);
  const all = neighbours.reduce((sum, w) => sum + weight(w), 0);
  const share = all > 0 ? weight({ service, hours: week.hours }) / all : 1 / Math.max(1, neighbours.length);
  const money: MoneyRange = {
    min: part(pool?.usdPerMonth.min, share),
    expected: part(pool?.usdPerMonth.expected, share),
    max: part(pool?.usdPerMonth.max, share),
  };
  return {
    name: service.name,
    kind: service.kind,
    engine: service.kind === "vllm" ? `vllm@${service.engineVersion}` : service.engine,
    model: service.model.id,
    precision: service.precision,
    team: service.team,
    namespace: service.namespace,
    pool: service.pool.name,
    replicas,
    fit: service.memory,
    throughput: week.throughput,
    coldStartSeconds: service.coldStart,
    usdPerMonth: money,
    usdPerMillionTokens: tokenPrice(service, money.expected, week),
    noTraffic: service.traffic === null,
  };
}

function part(money: number | null | undefined, share: number): number | null {
  return money == null ? null : cents(money * share);
}

/**
 * Expected money over the tokens of the month that are served, prompt and answer together; null where the speed is not
 * known, since nobody can say then whether the replicas serve them. The range is the throughput's: with fewer tokens a
 * second more replicas are paid for.
 */
function tokenPrice(
  service: ResolvedService,
  usdPerMonth: number | null,
  week: Week,
): PlannedService["usdPerMillionTokens"] {
  if (usdPerMonth === null || !service.traffic || !week.throughput) return null;
  const { promptTokens, outputTokens } = service.traffic;
  const requests = servedPerSecond(service.traffic, week.hours, week.throughput) * SECONDS_PER_MONTH;
  const millions = (requests * (promptTokens + outputTokens)) / 1e6;
  if (millions <= 0) return null;
  const expected = usdPerMonth / millions;
  const { requestsPerSecond } = week.throughput;
  const ratio = (bound: number) =>
    service.scaling.by === "nobody" || bound === 0 ? 1 : requestsPerSecond.expected / bound;
  return {
    low: round(expected * Math.min(1, ratio(requestsPerSecond.high)), 4),
    expected: round(expected, 4),
    high: round(expected * Math.max(1, ratio(requestsPerSecond.low)), 4),
  };
}

/** What is asked for in the mean, at most what the replicas can do: the rest is queued and then given up. */
function servedPerSecond(traffic: Traffic, hours: readonly number[], throughput: ReplicaThroughput): number {
  return Math.min(traffic.requestsPerDay / SECONDS_PER_DAY, mean(hours) * throughput.requestsPerSecond.expected);
}

/** Team -> money. What no service pays for, a pool without any, is under "". */
function byTeam(services: readonly PlannedService[], pools: readonly PlannedPool[]): Record<string, MoneyRange> {
  const teams = new Map<string, MoneyRange[]>();
  const add = (team: string, money: MoneyRange) => teams.set(team, [...(teams.get(team) ?? []), money]);
  for (const service of services) add(service.team, service.usdPerMonth);
  for (const pool of pools) if (!services.some((s) => s.pool === pool.name)) add("", pool.usdPerMonth);
  return Object.fromEntries(
    [...teams].sort(([a], [b]) => (a < b ? -1 : 1)).map(([team, money]) => [team, sumMoney(money)]),
  );
}

/** One unknown price makes the sum unknown: a total that leaves something out would be read as the total. */
function sumMoney(parts: readonly MoneyRange[]): MoneyRange {
  const sum = (key: keyof MoneyRange) =>
    parts.some((p) => p[key] === null) ? null : cents(parts.reduce((total, p) => total + (p[key] ?? 0), 0));
  return { min: sum("min"), expected: sum("expected"), max: sum("max") };
}

function mean(hours: readonly number[]): number {
  return hours.reduce((a, b) => a + b, 0) / HOURS_PER_WEEK;
}

function cents(value: number): number {
  return Math.round(value * 100) / 100;
}

function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
