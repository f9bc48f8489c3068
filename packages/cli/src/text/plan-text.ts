import type { MoneyRange, NodeCounts, PlannedPool, PlannedService } from "@capstan/core";
import type { PlanDocument } from "@capstan/offline";
import pc from "picocolors";
import { findingLines } from "./finding-lines.ts";
import { type Colours, table, wrapped } from "./table.ts";

interface Style {
  readonly colour: boolean;
  readonly columns: number;
}

/** A plan for people: pools, services, money, findings, resources, in at most 100 columns. */
export function planText(plan: PlanDocument, style: Style): string {
  const colours = pc.createColors(style.colour);
  const parts = [
    heading(plan, colours),
    plan.pools.length > 0 ? section("Pools", poolTable(plan.pools, colours), colours) : null,
    plan.services.length > 0 ? section("Services", serviceTable(plan.services, colours), colours) : null,
    plan.pools.length > 0 ? section("Cost", costLines(plan, style), colours) : null,
    plan.quota.length > 0
      ? section(
          "EC2 quotas needed by the pools at their largest (the system pool and nodes during an update come on top)",
          plan.quota.map((q) => `  ${q.vcpus} vCPUs  ${q.name} (${q.code})`).join("\n"),
          colours,
        )
      : null,
    section("Findings", findingLines(plan.findings, colours, style.columns), colours),
    section("Resources", resourceLines(plan), colours),
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

function heading(plan: PlanDocument, colours: Colours): string {
  const where = plan.cost.region
    ? `${plan.cost.region}, list prices as of ${plan.cost.pricesAsOf}`
    : "no region, so no prices";
  return `${colours.bold(`${plan.project} / ${plan.stack}`)}  ${plan.pools.length > 0 ? where : "no capstan constructs in this program"}`;
}

function section(title: string, body: string, colours: Colours): string {
  return `${colours.bold(title)}\n${body}`;
}

function poolTable(pools: readonly PlannedPool[], colours: Colours): string {
  return table(
    ["pool", "instance", "a node offers", "nodes", "mean/peak", "$/month", "idle"],
    pools.map((pool) => [
      pool.name,
      pool.instanceType,
      slots(pool),
      limits(pool.nodes),
      `${pool.nodes.expected} / ${pool.nodes.peak}`,
      money(pool.usdPerMonth),
      pool.idleShare === null ? "-" : `${Math.round(pool.idleShare * 100)} %`,
    ]),
    [3, 4, 5, 6],
    colours,
  );
}

function slots(pool: PlannedPool): string {
  if (pool.slots.length === 0)
    return `${pool.allocatable.vcpus.toFixed(0)} vCPU, ${pool.allocatable.memoryGib.toFixed(0)} GiB`;
  return pool.slots
    .map(
      ({ resource, slotsPerNode, memoryGib }) =>
        `${slotsPerNode} x ${resource.replace("nvidia.com/", "")}${memoryGib === null ? "" : ` of ${memoryGib.toFixed(1)} GiB`}`,
    )
    .join(", ");
}

function serviceTable(services: readonly PlannedService[], colours: Colours): string {
  return table(
    ["service", "pool", "replicas", "mean/peak", "fit", "tokens/s", "cold start", "$/month", "$/1M tok"],
    services.map((service) => [
      service.name,
      service.pool,
      limits(service.replicas),
      `${service.replicas.expected} / ${service.replicas.peak}`,
      fit(service, colours),
      speed(service),
      `${seconds(service.coldStartSeconds.totalSeconds.low)}-${seconds(service.coldStartSeconds.totalSeconds.high)}`,
      service.usdPerMonth.expected === null ? "unknown" : dollars(service.usdPerMonth.expected),
      service.noTraffic
        ? "no traffic"
        : service.usdPerMillionTokens === null
          ? "unknown"
          : service.usdPerMillionTokens.expected.toFixed(2),
    ]),
    [2, 3, 5, 6, 7, 8],
    colours,
  );
}

function fit(service: PlannedService, colours: Colours): string {
  const memory = service.fit;
  if (memory === null) return "unknown";
  if (!memory.supported) return "unknown";
  if (!("verdict" in memory)) return `${memory.requestGib.toFixed(1)} GiB RAM`;
  switch (memory.verdict) {
    case "serves":
      return `serves ${memory.calibration.extrapolated ? "~" : ""}${Math.floor(memory.kvCache.maxConcurrency)}`;
    case "cannot-serve-one-request":
      return colours.red("no full request");
    case "does-not-load":
      return colours.red("does not load");
  }
}

function speed(service: PlannedService): string {
  const tokens = service.throughput?.outputTokensPerSecond;
  if (!tokens || tokens.expected === 0)
    return service.throughput ? `${service.throughput.requestsPerSecond.expected.toFixed(0)} req/s` : "-";
  return `${tokens.low.toFixed(0)}-${tokens.high.toFixed(0)}`;
}

/** What scaling may do. */
function limits({ min, max }: NodeCounts): string {
  return min === max ? String(max) : `${min}..${max}`;
}

function money({ min, expected, max }: MoneyRange): string {
  if (min === null || expected === null || max === null) return "unknown";
  return min === max ? dollars(expected) : `${dollars(expected)} (${dollars(min)}-${dollars(max)})`;
}

function dollars(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function seconds(value: number): string {
  return value < 120 ? `${value}s` : `${Math.round(value / 60)}m`;
}

function costLines(plan: PlanDocument, style: Style): string {
  const teams = Object.entries(plan.cost.byTeam).map(
    ([team, usd]) => `  ${(team || "(no service)").padEnd(14)} $${money(usd)}`,
  );
  const assumptions = plan.cost.assumptions.map((text) => wrapped(text, "  * ", style.columns));
  return [`  total          $${money(plan.cost.usdPerMonth)} a month`, ...teams, ...assumptions].join("\n");
}

function resourceLines(plan: PlanDocument): string {
  const byPackage = new Map<string, number>();
  for (const { type } of plan.resources) {
    const name = type.split(":")[0] ?? "";
    byPackage.set(name, (byPackage.get(name) ?? 0) + 1);
  }
  return `  ${plan.resources.length} in all: ${[...byPackage]
    .sort()
    .map(([name, count]) => `${count} ${name}`)
    .join(", ")}`;
}
