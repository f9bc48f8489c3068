import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ResolveContext, standalone } from "../context.ts";
import type { ColdStart } from "../plan/cold-start.ts";
import { OriginLog } from "../provenance.ts";
import { readQuery } from "./promql.ts";
import { fixed, type OfficeHours, onCpu, onQueue, type Scaling, schedule } from "./props.ts";
import { resolveScaling, type ScaledEngine } from "./resolve.ts";
import type { ResolvedScaling } from "./resolved.ts";

/** Ten minutes from nothing, four on a node that is there. */
const coldStart: ColdStart = {
  nodeSeconds: 150,
  imageSeconds: 210,
  weightsSeconds: 180,
  engineSeconds: 60,
  totalSeconds: { low: 300, expected: 600, high: 1200 },
  warmNodeSeconds: 240,
  startupBudgetSeconds: 900,
  assumptions: [],
};

const vllm: ScaledEngine = {
  namespace: "search",
  name: "llama-8b",
  loadMetrics: ["vllm:num_requests_running", "vllm:num_requests_waiting"],
  defaultTarget: 16,
  coldStart,
};

const office: OfficeHours = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:30", replicas: 2 };
const wake = { query: "sum(gateway_queue)", threshold: 4 };

function resolve(
  scaling: Scaling,
  engine: Partial<ScaledEngine> = {},
  context: ResolveContext = standalone,
): ResolvedScaling {
  return resolveScaling(scaling, { ...vllm, ...engine }, context, new OriginLog());
}

function keda(...args: Parameters<typeof resolve>): Extract<ResolvedScaling, { by: "keda" }> {
  const resolved = resolve(...args);
  if (resolved.by !== "keda") throw new Error(`scaled by ${resolved.by}`);
  return resolved;
}

test("a fixed number has no autoscaler", () => {
  expect(resolve(fixed(3))).toEqual({ by: "nobody", min: 3, max: 3 });
});

test("on CPU is a plain HPA", () => {
  expect(resolve(onCpu({ min: 2, max: 8 }))).toMatchObject({ by: "hpa", min: 2, max: 8, targetPercent: 70 });
});

describe("SCALE-01: what a missing series means", () => {
  test("with pods running it is an outage: what runs stays, at least the smallest number, after five minutes", () => {
    const { triggers, fallback } = keda(onQueue({ min: 2, max: 7 }));
    expect(triggers.map((t) => t.metadata.ignoreNullValues)).toEqual(["false"]);
    // 300 s of a poll each 15 s
    expect(fallback).toEqual({ failureThreshold: 20, replicas: 2, behavior: "currentReplicasIfHigher" });
  });

  test("at zero the engine's series is gone for a good reason, the gateway's is not, and nothing falls back", () => {
    const { triggers, fallback } = keda(onQueue({ min: 0, max: 4, wake }));
    expect(triggers.map((t) => [t.name, t.metadata.ignoreNullValues])).toEqual([
      ["load", "true"],
      ["wake", "false"],
    ]);
    expect(fallback).toBeNull();
  });
});

describe("SCALE-06: sum and AverageValue", () => {
  test("running and waiting of this service only, a target for each replica", () => {
    const job = '{job="search/llama-8b"}';
    expect(keda(onQueue({ min: 1, max: 4 })).triggers).toEqual([
      {
        type: "prometheus",
        name: "load",
        metricType: "AverageValue",
        metadata: {
          serverAddress: "http://prometheus-operated.monitoring.svc:9090",
          query: `sum(vllm:num_requests_running${job}) + sum(vllm:num_requests_waiting${job})`,
          threshold: "16",
          ignoreNullValues: "false",
        },
      },
    ]);
  });

  test("gauges that come with the first request: a fresh server that answers scrapes counts as no load", () => {
    const [trigger] = keda(onQueue({ min: 1, max: 4 }), {
      loadMetrics: ["te_queue_size"],
      gaugesAfterFirstRequest: true,
    }).triggers;
    expect(trigger?.metadata).toMatchObject({
      query: 'sum(te_queue_size{job="search/llama-8b"}) or 0 * sum(up{job="search/llama-8b"})',
      ignoreNullValues: "false",
    });
    expect(readQuery(trigger?.metadata.query ?? "")).toMatchObject({ readable: true, single: true, mean: false });
  });

  test("a target of the user's own", () => {
    const resolved = keda(onQueue({ min: 1, max: 4, targetPerReplica: 2.5 }));
    expect(resolved.targetPerReplica).toBe(2.5);
    expect(resolved.triggers[0]?.metadata.threshold).toBe("2.5");
  });

  test("the wake query as it is given", () => {
    expect(keda(onQueue({ min: 0, max: 4, wake: { ...wake, activationThreshold: 1 } })).triggers[1]).toMatchObject({
      name: "wake",
      metricType: "AverageValue",
      metadata: { query: "sum(gateway_queue)", threshold: "4", activationThreshold: "1" },
    });
  });
});

describe("SCALE-02: hours", () => {
  test("a schedule is a cron trigger, with outside as the smallest number", () => {
    expect(keda(schedule({ hours: [office] }))).toMatchObject({
      min: 0,
      max: 2,
      targetPerReplica: null,
      triggers: [
        {
          type: "cron",
          name: "hours-1",
          metricType: null,
          metadata: { timezone: "Europe/Berlin", start: "0 8 * * 1-5", end: "30 18 * * 1-5", desiredReplicas: "2" },
        },
      ],
    });
  });

  test("beside the queue they raise the floor", () => {
    const { triggers } = keda(onQueue({ min: 0, max: 4, hours: [office, { ...office, weekdays: "6" }] }));
    expect(triggers.map((t) => t.name)).toEqual(["load", "hours-1", "hours-2"]);
  });

  test("at least one replica may run, whatever the hours say", () => {
    expect(keda(schedule({ hours: [] })).max).toBe(1);
  });
});

describe("SCALE-10: nothing is faster than a cold start", () => {
  test("the last replica stays as long as a new one takes", () => {
    expect(keda(onQueue({ min: 0, max: 4, wake })).cooldownSeconds).toBe(600);
    const quick = { ...coldStart, totalSeconds: { low: 20, expected: 60, high: 90 } };
    expect(keda(onQueue({ min: 0, max: 4, wake }), { coldStart: quick }).cooldownSeconds).toBe(300);
    expect(keda(onQueue({ min: 0, max: 4, wake, cooldownSeconds: 30 })).cooldownSeconds).toBe(30);
  });

  test("two pods a warm start up, one at a time down after five quiet minutes at least", () => {
    expect(keda(onQueue({ min: 1, max: 4 })).behaviour).toEqual({
      scaleUp: { stabilizationSeconds: 15, pods: 2, periodSeconds: 240 },
      scaleDown: { stabilizationSeconds: 300, pods: 1, periodSeconds: 120 },
    });
  });

  test("inside the limits of the HPA", () => {
    const slow = { ...coldStart, warmNodeSeconds: 5000 };
    expect(keda(onQueue({ min: 1, max: 4 }), { coldStart: slow }).behaviour).toMatchObject({
      scaleUp: { periodSeconds: 1800 },
      scaleDown: { stabilizationSeconds: 3600 },
    });
  });
});

test("an engine without a gauge has no load trigger", () => {
  expect(keda(onQueue({ min: 1, max: 4, wake }), { loadMetrics: [] }).triggers.map((t) => t.name)).toEqual(["wake"]);
});

const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }));
const hours = fc.array(
  fc.record({
    timezone: fc.string(),
    weekdays: fc.string(),
    from: fc.string(),
    to: fc.string(),
    replicas: fc.integer(),
  }),
);
const anyScaling: fc.Arbitrary<Scaling> = fc.oneof(
  fc.integer().map(fixed),
  fc.record({ min: fc.integer(), max: fc.integer() }).map(onCpu),
  fc.record({ hours, outside: fc.integer() }).map(schedule),
  fc
    .record({
      min: fc.integer(),
      max: fc.integer(),
      targetPerReplica: number,
      wake: fc.record({ query: fc.string(), threshold: number }),
      hours,
    })
    .map(onQueue),
);

test("property: all metadata are strings, and names are unique", () => {
  fc.assert(
    fc.property(anyScaling, (scaling) => {
      const resolved = resolve(scaling);
      if (resolved.by !== "keda") return;
      for (const { metadata } of resolved.triggers) {
        for (const value of Object.values(metadata)) expect(typeof value).toBe("string");
      }
      const names = resolved.triggers.map((t) => t.name);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
