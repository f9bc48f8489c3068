import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PlatformProps } from "../platform/props.ts";
import { platform } from "../platform/resolve.ts";
import { reservation } from "../pool/capacity.ts";
import { cpuPool, gpuPool } from "../pool/declare.ts";
import { fixed, onQueue, schedule } from "../scaling/props.ts";
import { onnx, vllm } from "../service/declare.ts";
import { plan } from "./plan.ts";

const l40s = (size: { min: number; max: number }) => gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size });

function withServices(
  pool: ReturnType<typeof l40s>,
  replicas: Record<string, number>,
  more: Partial<PlatformProps> = {},
): PlatformProps {
  return {
    environment: "test",
    region: "us-east-1",
    pools: [pool],
    services: Object.entries(replicas).map(([name, count]) =>
      vllm({ name, team: `team-${name}`, model: "Qwen/Qwen3-0.6B", pool, maxModelLen: 4096, scaling: fixed(count) }),
    ),
    ...more,
  };
}

test("three fixed replicas on nodes of one GPU: 3 x 2.24208 USD x 730 h", () => {
  const { pools, cost } = plan(platform(withServices(l40s({ min: 0, max: 4 }), { a: 3 })));
  expect(pools[0]?.nodes).toEqual({ min: 3, expected: 3, peak: 3, max: 3 });
  // 3 * 2.24208 * 730 = 4910.1552
  expect(pools[0]?.usdPerMonth).toEqual({ min: 4910.16, expected: 4910.16, max: 4910.16 });
  expect(cost.usdPerMonth).toEqual(pools[0]?.usdPerMonth);
  expect(cost.pricesAsOf).toMatch(/^2026-/);
});

test("services share their pool's money by what they use, idle nodes included", () => {
  const { services, cost, pools } = plan(platform(withServices(l40s({ min: 6, max: 8 }), { a: 1, b: 2 })));
  // Six nodes: 6 * 2.24208 * 730 = 9820.31; a pays a third, b two thirds, although three nodes are idle.
  expect(pools[0]?.usdPerMonth.expected).toBe(9820.31);
  expect(services.map((s) => s.usdPerMonth.expected)).toEqual([3273.44, 6546.87]);
  expect(cost.byTeam["team-a"]?.expected).toBe(3273.44);
  expect(pools[0]?.idleShare).toBe(0.5);
});

test("office hours: 55 of 168 hours of one node", () => {
  const pool = l40s({ min: 0, max: 1 });
  const { pools, services } = plan(
    platform({
      environment: "test",
      region: "us-east-1",
      pools: [pool],
      services: [
        vllm({
          name: "a",
          team: "t",
          model: "Qwen/Qwen3-0.6B",
          pool,
          maxModelLen: 4096,
          scaling: schedule({
            hours: [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "19:00", replicas: 1 }],
          }),
        }),
      ],
    }),
  );
  // 55 / 168 = 0.327, shown as 0.33 nodes: 0.33 * 2.24208 * 730 = 540.12
  expect(pools[0]?.nodes).toEqual({ min: 0, expected: 0.33, peak: 1, max: 1 });
  expect(pools[0]?.usdPerMonth).toEqual({ min: 0, expected: 540.12, max: 1636.72 });
  expect(services[0]?.replicas.expected).toBe(0.33);
});

test("without a price money is unknown, never zero, and so is every sum it goes into", () => {
  const pool = l40s({ min: 1, max: 1 });
  const known = cpuPool({ name: "cpu", instanceTypes: ["c7i.2xlarge"], size: { min: 1, max: 1 } });
  const { cost, pools } = plan(
    platform({
      ...withServices(pool, { a: 1 }),
      region: "eu-west-1",
      pools: [pool, known],
      acknowledge: { "cost.price-unknown": "not sold there, a test of nulls" },
    }),
  );
  expect(pools[0]?.usdPerMonth).toEqual({ min: null, expected: null, max: null });
  // c7i.2xlarge in eu-west-1: 0.357 * 1.072941 = 0.38304 USD/h.
  expect(pools[1]?.usdPerMonth.expected).toBeCloseTo(0.38304 * 730, 0);
  expect(cost.usdPerMonth.expected).toBeNull();
});

test("a token price needs traffic, and divides the month's money by the month's tokens", () => {
  const pool = l40s({ min: 1, max: 1 });
  const declared = (traffic: boolean) =>
    vllm({
      name: "a",
      team: "t",
      model: "Qwen/Qwen3-0.6B",
      pool,
      maxModelLen: 4096,
      ...(traffic ? { traffic: { requestsPerDay: 10_000, promptTokens: 800, outputTokens: 200 } } : {}),
    });
  const of = (traffic: boolean) =>
    plan(platform({ environment: "test", region: "us-east-1", pools: [pool], services: [declared(traffic)] }))
      .services[0];
  expect(of(false)).toMatchObject({ noTraffic: true, usdPerMillionTokens: null, throughput: null });
  // 10,000 a day x 1,000 tokens x 30.4167 days = 304.17 million tokens for 1,636.72 USD: 5.38 USD a million.
  expect(of(true)?.usdPerMillionTokens).toEqual({ low: 5.381, expected: 5.381, high: 5.381 });
});

test("more traffic than the replicas serve: only what is served has a price", () => {
  const pool = l40s({ min: 1, max: 1 });
  const of = (requestsPerDay: number) => {
    const traffic = { requestsPerDay, promptTokens: 800, outputTokens: 200 };
    const service = vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool, maxModelLen: 4096, traffic });
    const made = plan(platform({ environment: "test", region: "us-east-1", pools: [pool], services: [service] }));
    return { planned: made.services[0], findings: made.findings.map(({ id }) => id) };
  };
  const { planned, findings } = of(1e9);
  // One replica's tokens, all hours of the month, for one node: 2.24208 x 730 = 1,636.72 USD.
  const perSecond = (planned?.throughput?.requestsPerSecond.expected ?? 0) * 1000;
  expect(planned?.usdPerMillionTokens?.expected).toBeCloseTo(1636.72 / ((perSecond * 730 * 3600) / 1e6), 3);
  expect(of(2e9).planned?.usdPerMillionTokens).toEqual(planned?.usdPerMillionTokens);
  expect(findings).toContain("service.traffic.overload");
  expect(of(10_000).findings).not.toContain("service.traffic.overload");
});

test("what is reserved is paid in full, however few nodes run", () => {
  const pool = gpuPool({
    name: "l40s",
    instanceType: "g6e.2xlarge",
    size: { min: 0, max: 4 },
    capacity: reservation("cr-0123456789abcdef0"),
  });
  const { pools } = plan(
    platform({
      environment: "test",
      region: "us-east-1",
      pools: [pool],
      services: [vllm({ name: "a", team: "t", model: "Qwen/Qwen3-0.6B", pool, maxModelLen: 4096 })],
    }),
  );
  // Four nodes: 4 x 2.24208 x 730 = 6,546.87 USD, of which one is used.
  expect(pools[0]?.usdPerMonth).toEqual({ min: 6546.87, expected: 6546.87, max: 6546.87 });
  expect(pools[0]?.idleShare).toBe(0.75);
  expect(pools[0]?.nodes.expected).toBe(1);
});

test("a service's money has an order, and the teams' money is the pools'", () => {
  const pool = l40s({ min: 0, max: 12 });
  const service = (name: string, min: number, max: number) =>
    vllm({
      name,
      team: name,
      model: "Qwen/Qwen3-0.6B",
      pool,
      maxModelLen: 4096,
      scaling: onQueue({ min, max }),
      traffic: { requestsPerDay: 10_000, promptTokens: 800, outputTokens: 200 },
    });
  const { services, cost } = plan(
    platform({
      environment: "test",
      region: "us-east-1",
      pools: [pool],
      // By the smallest numbers alone, a would pay all of the minimum.
      services: [service("a", 3, 4), service("b", 1, 8)],
    }),
  );
  for (const { usdPerMonth } of services) {
    expect(usdPerMonth.min).toBeLessThanOrEqual(usdPerMonth.expected ?? 0);
    expect(usdPerMonth.expected).toBeLessThanOrEqual(usdPerMonth.max ?? 0);
  }
  for (const key of ["min", "expected", "max"] as const) {
    const teams = Object.values(cost.byTeam).reduce((sum, money) => sum + (money[key] ?? 0), 0);
    expect(teams).toBeCloseTo(cost.usdPerMonth[key] ?? 0, 1);
  }
});

test("quotas add up by family: two pools of G types need one quota", () => {
  const a = l40s({ min: 0, max: 4 });
  const b = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 2 } });
  const { quota } = plan(platform({ environment: "test", region: "us-east-1", pools: [a, b], services: [] }));
  // 4 x 8 + 2 x 8 vCPUs.
  expect(quota).toEqual([
    { code: "L-DB2E81BA", name: "Running On-Demand G and VT instances", region: "us-east-1", vcpus: 48 },
  ]);
});

test("money is monotone in nodes, and min <= expected <= max", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 1, max: 2e6 }),
      (min, more, requestsPerDay) => {
        const pool = l40s({ min: 0, max: 20 });
        const made = plan(
          platform({
            environment: "test",
            region: "us-east-1",
            pools: [pool],
            services: [
              vllm({
                name: "a",
                team: "t",
                model: "Qwen/Qwen3-0.6B",
                pool,
                maxModelLen: 4096,
                scaling: onQueue({ min, max: min + more }),
                traffic: { requestsPerDay, promptTokens: 800, outputTokens: 200 },
              }),
            ],
          }),
        );
        const { usdPerMonth, nodes } = made.pools[0] ?? {
          usdPerMonth: { min: null, expected: null, max: null },
          nodes: { min: 0, expected: 0, peak: 0, max: 0 },
        };
        expect(nodes.min).toBeLessThanOrEqual(nodes.expected);
        expect(nodes.expected).toBeLessThanOrEqual(nodes.peak);
        expect(nodes.peak).toBeLessThanOrEqual(nodes.max);
        expect(usdPerMonth.min ?? Number.NaN).toBeLessThanOrEqual(usdPerMonth.expected ?? Number.NaN);
        expect(usdPerMonth.expected ?? Number.NaN).toBeLessThanOrEqual(usdPerMonth.max ?? Number.NaN);
      },
    ),
    { numRuns: 50 },
  );
});

test("an embedding service has requests a second and no output tokens", () => {
  const pool = cpuPool({ name: "cpu", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 2 } });
  const made = plan(
    platform({
      environment: "test",
      region: "us-east-1",
      pools: [pool],
      services: [
        onnx({
          name: "e",
          team: "t",
          model: "BAAI/bge-small-en-v1.5",
          pool,
          traffic: { requestsPerDay: 1000, promptTokens: 100, outputTokens: 0 },
        }),
      ],
    }),
  );
  expect(made.services[0]?.throughput?.outputTokensPerSecond.expected).toBe(0);
  expect(made.services[0]?.throughput?.requestsPerSecond.expected).toBeGreaterThan(1);
});
