import {
  cpuPool,
  existingPrometheus,
  gpuPool,
  kubecost,
  mig,
  mps,
  type PlatformProps,
  type Pool,
  prometheusStack,
  type ResolvedPlatform,
  resolvePlatform,
  timeSlicing,
} from "@capstan/core";
import type { AddonCluster } from "../cluster-autoscaler.ts";

export const cluster: AddonCluster = { name: "prod-eu", region: "eu-central-1" };

export const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 } });
export const l4Shared = gpuPool({
  name: "l4-shared",
  instanceType: "g6.2xlarge",
  sharing: timeSlicing(4),
  size: { min: 0, max: 2 },
});
export const l4Mps = gpuPool({ name: "l4-mps", instanceType: "g6.2xlarge", sharing: mps(3), size: { min: 0, max: 2 } });
export const h100Mig = gpuPool({
  name: "h100-mig",
  instanceType: "p5.4xlarge",
  sharing: mig("1g.10gb"),
  size: { min: 0, max: 2 },
});
export const h100Layout = gpuPool({
  name: "h100-mixed",
  instanceType: "p5.4xlarge",
  sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }),
  size: { min: 0, max: 2 },
});
export const amx = cpuPool({
  name: "amx",
  instanceTypes: ["c7i.8xlarge"],
  cpuManager: "static",
  size: { min: 1, max: 4 },
  taints: [{ key: "team", effect: "NoExecute" }],
});

/** A platform without services: add-ons are a function of pools and settings. Findings are not what is tested here. */
export function platformOf(pools: readonly Pool[], props: Partial<PlatformProps> = {}): ResolvedPlatform {
  return resolvePlatform({
    environment: "test",
    region: "eu-central-1",
    pools,
    services: [],
    keda: "install",
    ...props,
  });
}

export const cost = kubecost({ clusterId: "prod-eu" });

/** Between them they emit every key that any platform can. */
export const everyKey: readonly ResolvedPlatform[] = [
  platformOf([l40s, l4Shared, l4Mps, h100Mig, h100Layout, amx], {
    cost,
    monitoring: prometheusStack({ retentionDays: 30, storageGib: 100, storageClass: "gp3-fast" }),
  }),
  platformOf([l40s], {
    cost,
    monitoring: existingPrometheus({
      prometheusUrl: "http://prometheus.observability.svc:9090",
      namespace: "observability",
      monitorLabels: { team: "sre" },
    }),
  }),
  platformOf([l40s], { monitoring: "none" }),
];
