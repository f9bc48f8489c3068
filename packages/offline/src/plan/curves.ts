import { plan, type ResolvedPlatform, replicaThroughput } from "@capstan/core";

/** Money of a platform at parts and multiples of its declared traffic. */
export interface CostPoint {
  /** 1 is the declared traffic. */
  readonly traffic: number;
  readonly usdPerMonth: number | null;
}

export interface ThroughputPoint {
  readonly concurrency: number;
  readonly outputTokensPerSecond: { readonly low: number; readonly expected: number; readonly high: number };
}

export interface Curves {
  readonly costByTraffic: readonly CostPoint[];
  readonly throughputByConcurrency: readonly {
    readonly service: string;
    readonly points: readonly ThroughputPoint[];
  }[];
}

const TRAFFIC = [0, 0.25, 0.5, 1, 2, 4];
const CONCURRENCY = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Lines that a report draws. */
export function curvesOf(platform: ResolvedPlatform): Curves {
  return {
    costByTraffic: TRAFFIC.map((traffic) => ({
      traffic,
      usdPerMonth: plan(scaled(platform, traffic)).cost.usdPerMonth.expected,
    })),
    throughputByConcurrency: platform.services.flatMap((service) => {
      const { traffic } = service;
      if (!traffic) return [];
      const points = CONCURRENCY.flatMap((concurrency) => {
        const at = replicaThroughput(service, traffic, concurrency);
        // Past what fits, the figure no longer moves.
        return at && at.concurrency === concurrency
          ? [{ concurrency, outputTokensPerSecond: at.outputTokensPerSecond }]
          : [];
      });
      return [{ service: service.name, points }];
    }),
  };
}

function scaled(platform: ResolvedPlatform, factor: number): ResolvedPlatform {
  return {
    ...platform,
    services: platform.services.map((service) =>
      service.traffic
        ? { ...service, traffic: { ...service.traffic, requestsPerDay: service.traffic.requestsPerDay * factor } }
        : service,
    ),
  };
}
